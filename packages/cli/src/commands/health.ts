import { errorMessage } from "@holdfast/api/conventions/error-message";
import { Refusal } from "@holdfast/server/settings/refusal";
import { defaultBaseUrl } from "@holdfast/server/settings/settings";
import { Command } from "commander";
import { addSettingOptions } from "../grammar/settings-options";
import { settingsOf } from "../local/read-settings";
import { writeLine } from "../output/write";

/** How long the service may take to answer, in milliseconds. */
const longestAnswer = 5_000;
/** The addresses that stand for all of a machine, and the one of them that a request can be sent to. */
const reachable: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1", "[::]": "::1" };

export function healthCommand(): Command {
  const command = new Command("health")
    .description("Ask the service on this machine whether it is ready. The exit code is 0 if it is, else 1.")
    .addHelpText(
      "after",
      "\nFor the health check of a container. It asks host and port of the settings for /readyz.\n\nExample:\n  $ holdfast health",
    )
    .action(async () => {
      const { host, port } = settingsOf(command, process.env);
      const url = `${defaultBaseUrl(reachable[host] ?? host, port)}/readyz`;
      const { ok, status, text } = await ask(url);
      if (!ok) throw new Refusal(`The service at ${url} is not ready: it answers ${status}, ${text}`);
      await writeLine("ready");
    });
  return addSettingOptions(command, { shown: ["host", "port"] });
}

async function ask(url: string): Promise<{ ok: boolean; status: number; text: string }> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(longestAnswer) });
    return { ok: answer.ok, status: answer.status, text: (await answer.text()).slice(0, 200) };
  } catch (error) {
    throw new Refusal(`No service answers at ${url} (${errorMessage(error)}). Start it with: holdfast serve`);
  }
}
