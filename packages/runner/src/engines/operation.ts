import { posix } from "node:path";
import { steadyPath } from "./places";

/** So many sources from one folder are what a pattern of the shell came to, which is not the same in every run. */
const maxSourcesPerFolder = 5;

/** Sources that an operation reads, and the repository that it writes to. */
export interface Work {
  sources?: readonly string[];
  repository?: string | undefined;
}

/** Names the recurring piece of work that a run belongs to: `restic_backup /etc,/home → nas:/restic`. */
export function nameOperation(type: string, { sources = [], repository }: Work): string {
  const read = [...new Set(grouped(sources.map((source) => steadyPath(withoutCredentials(source)))))].sort();
  const written = repository === undefined ? "" : steadyPath(withoutCredentials(repository));
  return [type, read.join(","), written === "" ? "" : `→ ${written}`].filter((part) => part !== "").join(" ");
}

function grouped(sources: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const source of sources) counts.set(posix.dirname(source), (counts.get(posix.dirname(source)) ?? 0) + 1);
  return sources.map((source) => {
    const folder = posix.dirname(source);
    return (counts.get(folder) ?? 0) > maxSourcesPerFolder ? posix.join(folder, "*") : source;
  });
}

/**
 * A place without user, password and parameters: `rest:https://user:password@host/x`, `:s3,secret_access_key=…:bucket`. The
 * user of ssh stays, because paths depend on it.
 */
function withoutCredentials(place: string): string {
  return (
    withoutParameters(place)
      // A password that has not been encoded may have a slash in it; a port has digits only.
      .replace(/(?<=:\/\/)[^/?#@]*:(?!\d*(?:[/?#]|$))[^?#]*@/, "")
      .replace(/(?<=[a-z0-9+.-]:\/\/)([^/?#]*)@/i, (_, user: string) => (/^[^:]+$/.test(user) ? `${user}@` : ""))
      .replace(/(?<=https?:\/\/)[^/?#@]*@/i, "")
      .replace(/(?<=:\/\/[^?#]*)[?#].*$/s, "")
  );
}

/** Parameters between the name of an rclone remote and its path may be secrets. */
export function withoutParameters(place: string): string {
  const remote = /^(?:rclone:)?:?[^/:,]+/.exec(place)?.[0] ?? "";
  const end = place.lastIndexOf(":");
  return remote !== "" && place[remote.length] === "," && end > remote.length ? remote + place.slice(end) : place;
}
