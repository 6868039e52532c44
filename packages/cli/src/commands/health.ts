import { parseJson } from "@holdfast/api/conventions/parse-json";
import { noAnswerReason } from "@holdfast/client/no-answer";
import { Refusal } from "@holdfast/server/settings/refusal";
import { defaultBaseUrl } from "@holdfast/server/settings/settings";
import { Command } from "commander";
import { refuseNoAddress } from "../connection/with-connection";
import { addSettingOptions, hasSettingFlag } from "../grammar/settings-options";
import { settingsOf } from "../local/read-settings";
import { writeLine } from "../output/write";

/** Timeout for the service's answer, in milliseconds. */
const timeout = 5_000;
/** The addresses that stand for all of a machine, and the one of them that a request can be sent to. */
const reachable: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1", "[::]": "::1" };

export function healthCommand(): Command {
  const command = new Command("health")
    .description("Ask the service whether it is ready. The exit code is 0 if it is, else 1.")
    .addHelpText(
      "after",
      `
For the health check of a container, and for scripts. It asks the service of HOLDFAST_URL for /readyz; without HOLDFAST_URL, or
with a setting as a flag, the one on this machine, at host and port of the settings.

Examples:
  $ holdfast health
  $ HOLDFAST_URL=https://backup.example.org holdfast health`,
    )
    .action(async () => {
      const url = baseUrl(command);
      const answer = await ask(url);
      const obstacle = obstacleIn(url, answer.status, await answer.text());
      if (obstacle !== undefined) throw new Refusal(obstacle);
      await writeLine("ready");
    });
  return addSettingOptions(command, { shown: ["host", "port"] });
}

function baseUrl(command: Command): string {
  const { HOLDFAST_URL: given = "" } = process.env;
  if (given === "" || hasSettingFlag(command)) {
    const { host, port } = settingsOf(command, process.env);
    return defaultBaseUrl(reachable[host] ?? host, port);
  }
  refuseNoAddress(given);
  return given.replace(/\/+$/, "");
}

async function ask(url: string): Promise<Response> {
  try {
    return await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(timeout) });
  } catch (error) {
    const isLate = error instanceof Error && error.name === "TimeoutError";
    const reason = isLate
      ? `gives no answer within ${timeout / 1000} seconds. See what the service logs.`
      : noAnswerReason(error);
    throw new Refusal(`${url} ${reason}`, { cause: error });
  }
}

/** Why the service is not ready, in its own words; nothing where it is. */
function obstacleIn(url: string, status: number, text: string): string | undefined {
  const body = parseJson(text);
  // Anything else may answer at an address, and is not taken for a service that is ready.
  if (status === 200 && hasField(body, "status") && body.status === "ready") return undefined;
  const errors = hasField(body, "errors") && Array.isArray(body.errors) ? body.errors : [];
  const reasons = errors.flatMap((one: unknown) => (hasField(one, "error_message") ? [String(one.error_message)] : []));
  if (reasons.length === 0) return `What answers at ${url} with ${status} is no Holdfast. Check the address.`;
  return `The service at ${url} is not ready: ${reasons.join(" ")} See what it logs.`;
}

function hasField<Name extends string>(value: unknown, name: Name): value is Record<Name, unknown> {
  return typeof value === "object" && value !== null && name in value;
}
