import { bootId, uptimeMs } from "../system/processes";
import type { SpoolFile } from "./spool-file";
import { spoolBounds } from "./spool-folder";
import {
  isEnd,
  type Moment,
  type ReportContents,
  type SpoolContents,
  type SpooledReport,
  type SpoolHeader,
  textOf,
} from "./spooled-report";

/** The reports of one run that the service has not acknowledged, in memory and in the spool file. */
export interface Outbox {
  header: SpoolHeader;
  pending(): readonly SpooledReport[];
  /** The report that the task began with, for a service that has forgotten it. */
  begin(): SpooledReport | undefined;
  hasEnd(): boolean;
  /** Adds a report: it is in the file before it can be sent. */
  add(report: ReportContents): void;
  /** Everything up to a number is delivered, or put aside. */
  acknowledge(sequence: number): void;
  /** Notes that the service lacks what comes before a piece of the log. */
  noteGap(sequence: number): void;
  /** Everything is delivered: the file goes. */
  remove(): void;
  /** Leaves the file to another run. */
  close(): void;
}

export interface OutboxOptions {
  header: SpoolHeader;
  /** Left out where there is no spool: then reports are in memory alone. */
  file: SpoolFile | undefined;
  contents?: SpoolContents | undefined;
  /** Called once, when the spool cannot be written to any more. */
  onBrokenSpool: (error: unknown) => void;
}

/** How much of a log waits in memory, in characters. */
const mostLog = 1024 * 1024;

/** The time now, by both clocks. */
export function momentNow(): Moment {
  return { wallMs: Date.now(), monotonicMs: uptimeMs() ?? null, bootId: bootId() ?? null };
}

/** Makes the outbox of a run, empty or from what its file holds. */
export function createOutbox({ header, file: given, contents, onBrokenSpool }: OutboxOptions): Outbox {
  let file = given;
  let broken: SpoolFile | undefined;
  let pending = contents?.pending ?? [];
  let begin = contents?.begin;
  let last = contents?.last ?? 0;
  let hasEnd = contents?.hasEnd ?? false;
  let acked = pending[0] ? pending[0].sequence - 1 : last;

  /** A spool that fails must not stop the run: it is done without, and the file goes once all is delivered. */
  function write(change: (file: SpoolFile) => void): void {
    if (!file) return;
    try {
      change(file);
    } catch (error) {
      broken = file;
      file = undefined;
      onBrokenSpool(error);
    }
  }

  /** Drops log first, the oldest before the newest, and then all progress but the newest. */
  function shrink(): void {
    const logs = pending.filter(({ operation }) => operation === "log");
    let excess = logs.reduce((sum, one) => sum + textOf(one).length, 0) - mostLog / 2;
    const dropped = new Set<SpooledReport>();
    for (const one of logs) {
      if (excess <= 0) break;
      excess -= textOf(one).length;
      dropped.add(one);
    }
    const newestProgress = pending.findLast((one) => one.operation === "update" && !isEnd(one));
    pending = pending.filter((one) => {
      const isProgress = one.operation === "update" && !isEnd(one);
      return !dropped.has(one) && (!isProgress || one === newestProgress);
    });
    const firstLog = pending.findIndex(({ operation }) => operation === "log");
    const kept = pending[firstLog];
    if (dropped.size > 0 && kept) pending[firstLog] = withGap(kept);
    write((one) => one.rewrite(begin, acked, pending));
  }

  return {
    header,
    pending: () => pending,
    begin: () => begin,
    hasEnd: () => hasEnd,
    add(contents) {
      last += 1;
      const { wallMs, monotonicMs } = momentNow();
      const report: SpooledReport = { ...contents, sequence: last, wall_ms: wallMs, monotonic_ms: monotonicMs };
      hasEnd ||= isEnd(report);
      if (report.operation === "create") begin = report;
      pending.push(report);
      write((one) => one.append(report, report.operation === "create" || isEnd(report)));
      const waiting = pending.reduce((sum, one) => sum + textOf(one).length, 0);
      if (waiting > mostLog || (file && file.bytes() > spoolBounds.fileBytes)) shrink();
    },
    acknowledge(sequence) {
      acked = Math.max(acked, sequence);
      pending = pending.filter((one) => one.sequence > acked);
      write((one) => one.acknowledge(acked));
    },
    noteGap(sequence) {
      pending = pending.map((one) => (one.sequence === sequence ? withGap(one) : one));
    },
    remove: () => (file ?? broken)?.remove(),
    close: () => (file ?? broken)?.close(),
  };
}

function withGap(report: SpooledReport): SpooledReport {
  return report.operation === "log" ? { ...report, body: { ...report.body, gap: true } } : report;
}
