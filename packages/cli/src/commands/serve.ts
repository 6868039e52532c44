import { fstatSync } from "node:fs";
import type { Settings } from "@holdfast/server/settings/declarations";
import { findExposedSecrets } from "@holdfast/server/settings/exposed-secrets";
import { requireBaseUrl } from "@holdfast/server/settings/settings";
import type { RunningService } from "@holdfast/server/start/start-service";
import { createLog, type Log } from "@holdfast/server/telemetry/log";
import { Command } from "commander";
import { findNpm, type Npm, onEndSignals } from "../end-signals";
import { addExamples } from "../grammar/noun";
import { addSettingOptions } from "../grammar/settings-options";
import { settingsFileOf, settingsOf } from "../local/read-settings";
import { findParent, type Parent } from "../supervisor/parent";
import type { Timeouts } from "../supervisor/timeouts";
import { welcome } from "./welcome";

/** Number of bytes of the log that are written to a file at once: it takes any number whole. */
const takenByFile = 65_536;

/** Time for which a service that must end still answers requests with 503, in milliseconds. */
const closingTimeMs = 100;

export function serveCommand(timeouts: Timeouts): Command {
  const command = new Command("serve")
    .description("Serve the API. Without any setting: on http://127.0.0.1:8080, with its data in ./data.")
    .action(async () => {
      const settings = settingsOf(command, process.env);
      requireBaseUrl(settings);
      const log = createLog({
        level: settings.log_level,
        output: {
          write: (text) => process.stderr.write(text),
          isTerminal: process.stderr.isTTY === true,
          ...(fstatSync(process.stderr.fd).isFile() ? { takesWhole: takenByFile } : {}),
        },
        clock: Date.now,
      });
      const parent = findParent(process.env);
      if (parent) {
        endWithout(parent, settings.drain_seconds, timeouts.finish);
        await serveWithOne(settings, log, { parent, timeouts }).finally(() => parent.leave());
        return;
      }
      const npm = findNpm(process.env);
      const exposed = findExposedSecrets(settingsFileOf(command, process.env));
      if (exposed) log.warn(exposed.message, { detail: exposed.remedy });
      const serve = settings.processes > 1 ? serveWithSeveral : serveWithOne;
      await serve(settings, log, { npm, timeouts });
    });
  addSettingOptions(command, { showAll: true });
  return addExamples(command, ["holdfast serve", "holdfast serve --port 9090 --data-dir /var/lib/holdfast"]);
}

/** Ends this process in time when its supervisor is gone, which otherwise sees to it: nothing may stay on the port. */
function endWithout(parent: Parent, drainSeconds: number, finish: number): void {
  parent.gone.then(() => {
    setTimeout(() => process.exit(1), drainSeconds * 1000 + finish).unref();
  });
}

/** Process that has started this one, if known. */
interface Starter {
  parent?: Parent | undefined;
  npm?: Npm | undefined;
}

type ServeOptions = Starter & { timeouts: Timeouts };

async function serveWithOne(settings: Settings, log: Log, { parent, npm, timeouts }: ServeOptions): Promise<void> {
  // Only now, so that the other commands do not wait for the service to load.
  const { startService } = await import("@holdfast/server/start/start-service");
  const consoleFolder = await findConsole();
  const service = await startService(parent ? { ...settings, port: parent.port } : settings, {
    log,
    sharesPort: parent !== undefined,
    joinsOthers: parent?.hasOthers ?? false,
    processGroup: parent?.processGroup,
    consoleFolder,
    bodyArrival: timeouts.bodyArrival,
    leaseSecondMs: timeouts.leaseSecondMs,
    monotonic: timeouts.monotonic,
    onBroken: (error) => {
      // Writes acknowledged since may be lost; a fresh start finds out.
      log.error("The database cannot be trusted any more, so the service ends.", { error: error.message });
      setTimeout(() => process.exit(1), closingTimeMs);
    },
  });
  const { port, baseUrl, hasTokens, firstOwnerLink } = service;
  if (parent) parent.tellReady({ port, baseUrl, hasTokens, firstOwnerLink }, service.readMetrics);
  else process.stderr.write(welcome(service, settings));
  await untilStopped(service, settings.drain_seconds, { parent, npm });
}

async function serveWithSeveral(settings: Settings, log: Log, { npm, timeouts }: ServeOptions): Promise<void> {
  const { supervise } = await import("../supervisor/supervise");
  // Before the processes look for it, which would each build it.
  await findConsole();
  const exitCode = await supervise({
    settings,
    log,
    npm,
    timeouts,
    onReady: (ready) => process.stderr.write(welcome(ready, settings)),
  });
  process.exit(exitCode);
}

/** The folder of the web console, which is built first where that is needed. */
async function findConsole(): Promise<string | undefined> {
  const { findBuiltConsole } = await import("@holdfast/console/built-files");
  return findBuiltConsole((line) => process.stderr.write(`${line}\n`));
}

/** Waits for a signal to end, and ends in good order; a second signal ends at once. */
async function untilStopped(service: RunningService, drainSeconds: number, { parent, npm }: Starter): Promise<void> {
  const signal = await new Promise<NodeJS.Signals>((resolve) => {
    const again = () => {
      // A service manager may signal the whole group, and the supervisor hands it on: that is one signal, not two.
      if (!parent) process.exit(1);
    };
    onEndSignals({ first: resolve, again, npm });
    parent?.gone.then(() => resolve("SIGTERM"));
  });
  // After Ctrl-C there is no load balancer that would have to notice first.
  await service.stop({ drainSeconds: signal === "SIGTERM" ? drainSeconds : 0 });
}
