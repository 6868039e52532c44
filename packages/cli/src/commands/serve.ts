import { createLog } from "@holdfast/server/observe/log";
import type { RunningService } from "@holdfast/server/start-service";
import { Command } from "commander";
import { addSettingOptions, settingsOf } from "../settings-options";

/** How long a service that has to end still answers what it was asked, in milliseconds: with 503. */
const lastWords = 100;

export function serveCommand(): Command {
  const command = new Command("serve")
    .description("Serve the API. Without any setting: on http://127.0.0.1:8080, with its data in ./data.")
    .action(async () => {
      const settings = settingsOf(command, process.env);
      const log = createLog({
        level: settings.log_level,
        output: { write: (text) => process.stderr.write(text), isTerminal: process.stderr.isTTY === true },
        clock: Date.now,
      });
      // Only now, so that the other commands do not wait for the service to load.
      const { startService } = await import("@holdfast/server/start-service");
      const service = await startService(settings, {
        log,
        onBroken: (error) => {
          // What was acknowledged since cannot be trusted to be there; a fresh start finds out what is.
          log.error("The database cannot be trusted any more, so the service ends.", { error: error.message });
          setTimeout(() => process.exit(1), lastWords);
        },
      });
      process.stderr.write(welcome(service));
      await untilStopped(service, settings.drain_seconds);
    });
  return addSettingOptions(command, { showAll: true });
}

/** Waits for a signal to end, and ends in good order; a second signal ends at once. */
async function untilStopped(service: RunningService, drainSeconds: number): Promise<void> {
  const signal = await new Promise<NodeJS.Signals>((resolve) => {
    process.once("SIGTERM", resolve);
    process.once("SIGINT", resolve);
  });
  for (const again of ["SIGTERM", "SIGINT"] as const) process.once(again, () => process.exit(1));
  // Whoever presses Ctrl-C has no load balancer that would have to notice first.
  await service.stop({ drainSeconds: signal === "SIGTERM" ? drainSeconds : 0 });
}

function welcome({ baseUrl, hasTokens }: RunningService): string {
  const lines = [`Holdfast serves ${baseUrl}, and explains itself at ${baseUrl}/docs`];
  if (!hasTokens) {
    lines.push(
      "Make a first token:       npx holdfast token create --kind service --name first --role owner",
      "Add demonstration data:   npx holdfast demo",
    );
  }
  return `${lines.join("\n")}\n`;
}
