import type { Outbox } from "@holdfast/client/report/outbox";
import { bootId, uptimeMs } from "../system/processes";
import { isDoneInTime } from "./disk";
import { dropMiddle } from "./drop-middle";
import type { SpoolFile } from "./spool-file";
import { spoolBounds } from "./spool-folder";
import {
  ageOf,
  bytesOf,
  isEnd,
  isLog,
  type Moment,
  type ReportContents,
  type SpoolContents,
  type SpooledReport,
  type SpoolHeader,
} from "./spooled-report";

/** The reports of one run that the service has not acknowledged, in memory and in the spool file. */
export interface SpooledOutbox extends Outbox<SpooledReport> {
  hasEnd(): boolean;
  /** Adds reports that are so now. */
  addAll(reports: readonly ReportContents[]): void;
  /** Adds a report. */
  add(report: ReportContents, at?: { wallMs: number; monotonicMs: number | null }): void;
  /** Has the run begin as one that is no monitor's: the service does not take the monitor. */
  forgetMonitor(): void;
  /** Shows in the spool that the runner lives. */
  touch(): void;
  /** Everything is delivered: the file goes. */
  remove(): Promise<void>;
  /** Leaves the file to another run. False: it could not be written, and nothing is kept. */
  close(): Promise<boolean>;
}

export interface OutboxOptions {
  header: SpoolHeader;
  /** Left out where there is no spool: then reports are in memory alone. */
  file: SpoolFile | undefined;
  contents?: SpoolContents | undefined;
  /** Called once, when the spool cannot be written to any more. */
  onBrokenSpool: (error: unknown) => void;
  /** Timeout for the disk, in milliseconds. */
  answerTimeoutMs?: number | undefined;
}

/** Maximum size of a waiting log, in bytes of the spool file. */
const maxLog = 1024 * 1024;
/** Room is left for notes of what was acknowledged. */
const maxFile = spoolBounds.fileBytes - 16 * 1024;
/** Beyond that, of progress that waits only the newest is sent. */
const maxPending = 2_000;

/** The time now, by both clocks. */
export function momentNow(): Moment {
  return { wallMs: Date.now(), monotonicMs: uptimeMs() ?? null, bootId: bootId() ?? null };
}

/** Makes the outbox of a run, empty or from what its file holds. */
export function createOutbox(options: OutboxOptions): SpooledOutbox {
  const { header, file: given, contents, onBrokenSpool, answerTimeoutMs } = options;
  let file = given;
  let broken: SpoolFile | undefined;
  let pending = contents?.pending ?? [];
  let begin = contents?.begin;
  let last = contents?.last ?? 0;
  let hasEnd = contents?.hasEnd ?? false;
  let waitingLog = 0;
  const sizes = new WeakMap<SpooledReport, number>();
  let acked = pending[0] ? pending[0].sequence - 1 : last;
  let isTouching = false;
  let writing: Promise<void> = Promise.resolve();

  /** A spool that fails must not stop the run: it is done without, and the file goes once all is delivered. */
  function write(change: (file: SpoolFile) => Promise<void>): void {
    const used = file;
    if (used) writing = change(used).catch((error) => giveUp(used, error));
  }

  function giveUp(used: SpoolFile, error: unknown): void {
    if (file !== used) return;
    broken = used;
    file = undefined;
    onBrokenSpool(error);
  }

  const isInTime = (deed: Promise<unknown>) => isDoneInTime(deed, answerTimeoutMs);

  async function written(): Promise<void> {
    const used = file;
    if (used && !(await isInTime(writing))) giveUp(used, new Error("The disk does not answer."));
  }

  /** Drops log first, the middle of it, and then all progress but the newest. */
  function shrink(): void {
    const newestProgress = pending.findLast((one) => one.operation === "update" && !isEnd(one));
    const needed = pending.filter((one) => one.operation !== "update" || isEnd(one) || one === newestProgress);
    pending = dropMiddle(needed, maxLog / 2, sizeOf);
    countWaiting();
    write((one) => one.rewrite(begin, acked, pending));
  }

  function sizeOf(report: SpooledReport): number {
    const size = sizes.get(report) ?? bytesOf(report);
    sizes.set(report, size);
    return size;
  }

  function countWaiting(): void {
    waitingLog = pending.reduce((sum, one) => sum + (isLog(one) ? sizeOf(one) : 0), 0);
  }

  function addReports(contents: readonly ReportContents[], at?: { wallMs: number; monotonicMs: number | null }): void {
    const { wallMs, monotonicMs } = at ?? momentNow();
    const added = contents.map((one): SpooledReport => {
      last += 1;
      return { ...one, sequence: last, wall_ms: wallMs, monotonic_ms: monotonicMs };
    });
    hasEnd ||= added.some(isEnd);
    begin = added.find(({ operation }) => operation === "create") ?? begin;
    pending.push(...added);
    waitingLog += added.filter(isLog).reduce((sum, one) => sum + sizeOf(one), 0);
    const bytes = added.reduce((sum, one) => sum + sizeOf(one) + 1, 0);
    const isTooMuch = waitingLog > maxLog || pending.length > maxPending;
    if (isTooMuch || (file && file.bytes() + bytes > maxFile)) shrink();
    else for (const report of added) write((one) => one.append(report));
  }

  /** A file without the end would say that the runner was lost, so it has the end, or it goes. */
  async function mendAndClose(torn: SpoolFile): Promise<boolean> {
    const needed = pending.filter(({ operation }) => operation !== "log");
    try {
      return await isInTime(torn.rewrite(begin, acked, needed).then(() => torn.close()));
    } catch {
      await isInTime(torn.remove());
      return false;
    }
  }

  /** Nothing is written to the file after this: its number may be given to another one. */
  function takeFile(): SpoolFile | undefined {
    const taken = file ?? broken;
    file = undefined;
    broken = undefined;
    return taken;
  }

  return {
    taskId: header.task_id,
    pending: () => pending,
    begin: () => begin,
    hasEnd: () => hasEnd,
    add: (report, at) => addReports([report], at),
    addAll: (reports) => addReports(reports),
    acknowledge(sequence) {
      acked = Math.max(acked, sequence);
      pending = pending.filter((one) => one.sequence > acked);
      countWaiting();
      write((one) => one.acknowledge(acked));
    },
    noteGap(sequence) {
      pending = pending.map((one) => (one.sequence === sequence ? withGap(one) : one));
    },
    forgetMonitor() {
      pending = pending.map(withoutMonitor);
      begin = begin && withoutMonitor(begin);
    },
    touch() {
      if (isTouching || !file) return;
      isTouching = true;
      // A disk that cannot do this is found out by the next write.
      const stop = () => {
        isTouching = false;
      };
      void file.touch().then(stop, stop);
    },
    written,
    toSend: (report) => ({ report: withoutMonitorsFields(report), ageMs: ageOf(report, header, momentNow()) }),
    async remove() {
      const removed = takeFile()?.remove();
      if (removed) await isInTime(removed);
    },
    async close() {
      await written();
      const [whole, torn] = [file, broken];
      takeFile();
      if (whole) await isInTime(whole.close());
      return whole !== undefined || (torn !== undefined && (await mendAndClose(torn)));
    },
  };
}

function withoutMonitor(report: SpooledReport): SpooledReport {
  if (report.operation !== "create") return report;
  const { left_to_monitor: _, ...rest } = report;
  const { monitor_id: __, ...body } = report.body;
  return { ...rest, body };
}

/** Leaves to a monitor what it decides. */
function withoutMonitorsFields(report: SpooledReport): SpooledReport {
  if (report.operation !== "create" || report.body.monitor_id === undefined) return report;
  const body = { ...report.body };
  for (const field of report.left_to_monitor ?? []) delete body[field];
  return { ...report, body };
}

function withGap(report: SpooledReport): SpooledReport {
  return isLog(report) ? { ...report, body: { ...report.body, gap: true } } : report;
}
