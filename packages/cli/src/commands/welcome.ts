import { hostname } from "node:os";
import type { Settings } from "@holdfast/server/settings/declarations";
import { commandName } from "@holdfast/server/settings/executable";
import { bracketed, isLoopback, isUnspecified } from "@holdfast/server/settings/loopback";
import type { ReadyNews } from "../supervisor/parent";

/** Says what a service that has started serves, who can reach it, and what to do first. */
export function welcome(
  { port, baseUrl, hasTokens, firstOwnerLink }: ReadyNews,
  { host, processes }: Pick<Settings, "host" | "processes">,
): string {
  const address = isUnspecified(host) ? `all addresses, port ${port}` : `http://${bracketed(host)}:${port}`;
  const listening = address === baseUrl ? "" : `, listening on ${address}`;
  const several = processes === 1 ? "" : `, with ${processes} processes`;
  const lines = [`Holdfast serves ${baseUrl}${listening}${several}, and explains itself at ${baseUrl}/docs`];
  if (isLoopback(new URL(baseUrl).hostname) && (firstOwnerLink !== null || !hasTokens)) {
    lines.push(
      `Only this machine can reach ${baseUrl}. Before you add other hosts, put a proxy with TLS in front and start with`,
      `  --base-url https://<its name>, or without one with --host 0.0.0.0 --base-url http://${hostname()}:${port}`,
    );
  }
  if (firstOwnerLink !== null) {
    lines.push(`Become the first owner:   ${firstOwnerLink} (good once, for an hour)`);
  }
  if (!hasTokens) {
    lines.push(
      `Make a first token:       ${commandName} token create --local --kind service --name first --role owner`,
      `Add demonstration data:   ${commandName} demo`,
    );
  }
  return `${lines.join("\n")}\n`;
}
