import type { Outbox, ReportContents, WaitingReport } from "./outbox";

/** While the service is away, so much of a log is kept, in characters. */
const maxLog = 1024 * 1024;
/** Dropped at once, so that a program that logs a lot is not held up by it each time. */
const minDropped = maxLog / 8;

type TimedReport = WaitingReport & { at: number };

/** Makes the outbox of a task whose reports are in memory alone. Of a log that is too long to keep, the oldest part goes. */
export function createMemoryOutbox(taskId: string): Outbox<TimedReport> {
  let pending: TimedReport[] = [];
  let begin: TimedReport | undefined;
  let last = 0;
  let logLength = 0;

  function add(contents: ReportContents): void {
    last += 1;
    const facts = { sequence: last, at: performance.now() };
    const report: TimedReport =
      contents.operation === "update" ? { ...newestUpdate(contents), ...facts } : { ...contents, ...facts };
    begin ??= report;
    pending.push(report);
    if (report.operation === "log") logLength += report.body.text.length;
    if (logLength > maxLog) dropOldest();
  }

  /** Of updates that wait only the newest is needed, with what older ones say beside. */
  function newestUpdate({ operation, body }: Extract<ReportContents, { operation: "update" }>) {
    const older = pending.find((one) => one.operation === "update");
    pending = pending.filter((one) => one !== older);
    return { operation, body: { ...older?.body, ...body } };
  }

  function dropOldest(): void {
    const isDropped = (one: TimedReport) => {
      if (one.operation !== "log" || logLength <= maxLog - minDropped) return false;
      logLength -= one.body.text.length;
      return true;
    };
    pending = pending.filter((one) => !isDropped(one));
    const next = pending.find(({ operation }) => operation === "log");
    if (next) noteGap(next.sequence);
  }

  function noteGap(sequence: number): void {
    pending = pending.map((one) =>
      one.operation === "log" && one.sequence === sequence ? { ...one, body: { ...one.body, gap: true } } : one,
    );
  }

  return {
    taskId,
    pending: () => pending,
    begin: () => begin,
    addAll: (reports) => reports.forEach(add),
    acknowledge(sequence) {
      pending = pending.filter((one) => one.sequence > sequence);
      logLength = pending.reduce((sum, one) => sum + (one.operation === "log" ? one.body.text.length : 0), 0);
    },
    noteGap,
    written: async () => {},
    toSend: ({ at, ...report }) => ({ report, ageMs: Math.round(performance.now() - at) }),
  };
}
