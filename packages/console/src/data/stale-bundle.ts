import { version } from "./page-facts";
import { isThere } from "./service";

/** Thrown where a part of the console could not be loaded. */
export class ChunkLoadError extends Error {}

/** Loads a part of the console. Where that fails, the router must not decide by itself what to do about it. */
export async function load<Part>(loading: Promise<Part>): Promise<Part> {
  try {
    return await loading;
  } catch (error) {
    throw new ChunkLoadError("A part of the console is not there.", { cause: error });
  }
}

/** Why a part could not be loaded: no answer, a file that this service does not have, or a reason that has passed. */
export type LoadFailure = "away" | "updated" | "passed";

/** Finds out why a part could not be loaded. */
export async function findLoadFailure({ cause }: ChunkLoadError): Promise<LoadFailure> {
  if (!(await isThere())) return "away";
  // Browsers that name no file in the error leave only the version to tell by, once the page is loaded again.
  const [url] = /https?:[^\s"']+\.js/.exec(String(cause)) ?? [];
  if (url === undefined) return "passed";
  try {
    return (await fetch(url, { cache: "no-store" })).status === 404 ? "updated" : "passed";
  } catch {
    return "away";
  }
}

const noteName = "holdfast-loaded-again";
/** A page that was loaded again so shortly ago is not loaded again by itself, in milliseconds. */
const shortly = 30_000;

/** Loads the page again, unless that was tried just now and did not help. Says whether it does. */
export function loadAgain(why: LoadFailure): boolean {
  const last = Number(sessionStorage.getItem(noteName)?.split(" ")[0] ?? 0);
  if (why !== "away" && Date.now() - last < shortly) return false;
  // One that only waited for the service says nothing of what helps against a missing file.
  const at = why === "away" ? 0 : Date.now();
  sessionStorage.setItem(noteName, `${at} ${why === "updated" ? why : version}`);
  location.reload();
  return true;
}

/** Message after the page was loaded again, once: nothing if the version is unchanged. */
export function newsAfterLoading(): string | undefined {
  const [at, before] = sessionStorage.getItem(noteName)?.split(" ") ?? [];
  if (at === undefined || before === "said") return undefined;
  sessionStorage.setItem(noteName, `${at} said`);
  return before === version ? undefined : "Holdfast was updated. The page was loaded again.";
}
