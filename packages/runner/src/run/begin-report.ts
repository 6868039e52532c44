import { randomUUID } from "node:crypto";
import { mkdir, readdir } from "node:fs/promises";
import { connect } from "@holdfast/client";
import { isDoneInTime } from "../spool/disk";
import { createOutbox } from "../spool/outbox";
import { createSpoolFile } from "../spool/spool-file";
import { openSpoolFolder, type SpoolFolder, spoolBounds } from "../spool/spool-folder";
import type { SpoolHeader } from "../spool/spooled-report";
import type { SystemCalls } from "../system/libc";
import { bootId } from "../system/processes";
import { drainSpool } from "./drain-spool";
import type { LogBuffer } from "./log-buffer";
import type { PreparedRun } from "./prepare-run";
import { type RunReport, reportRun } from "./report-run";
import type { RunOptions } from "./run-options";
import { createServicePresence } from "./service-presence";

export interface BeginParts {
  system: SystemCalls | undefined;
  warn: (message: string) => void;
  /** Output of the command, until it is reported. */
  log: LogBuffer;
  onAbort: () => void;
  /** When the command was started. */
  startedAt: { wallMs: number; monotonicMs: number | null };
}

/** The report of a run that has begun. */
export interface BegunReport {
  report: RunReport;
  /** Delivers what earlier runs have left, for at most so long. */
  drainSpool(milliseconds: number, hurry: AbortSignal): Promise<void>;
}

/** Begins to report a run; undefined where it cannot be reported, which was said then. */
export async function beginReport(
  options: RunOptions,
  run: PreparedRun,
  parts: BeginParts,
): Promise<BegunReport | undefined> {
  const { token, tokenFault, url, unit, spoolPath } = options;
  const { system, warn, log, onAbort, startedAt } = parts;
  if (token === undefined) {
    warn(`${tokenFault} This run is not reported.`);
    return undefined;
  }
  try {
    const presence = createServicePresence();
    const root = connect({ token, baseUrl: url, retries: 0, fetch: presence.fetch });
    const clientIn = (wanted: string | undefined) => (wanted === undefined ? root : root.in(wanted));
    const taskId = randomUUID();
    const header = {
      format: 1,
      task_id: taskId,
      base_url: root.baseUrl,
      // Said, so that a later run with the token of another unit cannot deliver it there.
      unit: unit ?? unitOf(token) ?? null,
      boot_id: bootId() ?? null,
    } as const;
    const folder = await openFolder(spoolPath, warn);
    const outbox = createOutbox({
      header,
      file: folder && openFile(folder, header, system, warn),
      onBrokenSpool: (error) =>
        warn(`The spool cannot be written to, so this run is reported without it: ${reasonOf(error)}`),
    });
    const left = run.leftToMonitor.length === 0 ? {} : { left_to_monitor: run.leftToMonitor };
    outbox.add({ operation: "create", body: { ...run.begin, id: taskId }, ...left }, startedAt);
    const client = clientIn(header.unit ?? undefined);
    return {
      report: reportRun({ client, outbox, folder, log, presence, leaseSeconds: options.leaseSeconds, onAbort, warn }),
      async drainSpool(milliseconds, hurry) {
        if (!folder) return;
        const signal = AbortSignal.any([hurry, AbortSignal.timeout(Math.max(1, Math.round(milliseconds)))]);
        await drainSpool({ clientIn, folder, system, signal, warn });
      },
    };
  } catch (error) {
    warn(`This run is not reported: ${reasonOf(error)}`);
    return undefined;
  }
}

/** The unit that a token acts in. */
function unitOf(token: string): string | undefined {
  try {
    const { ou }: { ou?: unknown } = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
    return typeof ou === "string" ? ou : undefined;
  } catch {
    return undefined;
  }
}

async function openFolder(path: string, warn: BeginParts["warn"]): Promise<SpoolFolder | undefined> {
  try {
    // Looked at beside everything else first: a disk that hangs would hold up all that the command says.
    const looked = mkdir(path, { recursive: true, mode: 0o700 }).then(() => readdir(path));
    if (!(await isDoneInTime(looked))) throw new Error(`The disk of ${path} does not answer.`);
    return openSpoolFolder(path);
  } catch (error) {
    warn(`The spool cannot be used, so this run is reported without it: ${reasonOf(error)}`);
    return undefined;
  }
}

/** Makes the file of the run, unless the spool is full. */
function openFile(folder: SpoolFolder, header: SpoolHeader, system: SystemCalls | undefined, warn: BeginParts["warn"]) {
  try {
    const entries = folder.entries();
    const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
    if (entries.length >= spoolBounds.files || bytes >= spoolBounds.bytes) throw new Error(`${folder.path} is full.`);
    return createSpoolFile(folder.fileOf(header.task_id), header, system);
  } catch (error) {
    warn(`The spool cannot be written to, so this run is reported without it: ${reasonOf(error)}`);
    return undefined;
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
