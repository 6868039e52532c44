import type { BodyOf } from "../declared";

type SentReport = BodyOf<"tasks", "report-tasks">["reports"][number];

/** Contents of a report: a beginning, how the task comes along or ends, or a piece of its log. */
export type ReportContents = {
  [Operation in SentReport["operation"]]: {
    operation: Operation;
    body: Extract<SentReport, { operation: Operation }>["body"];
  };
}[SentReport["operation"]];

/** A report that waits. Beginnings, progress and ends are sent with their number; logs never move the sequence. */
export type WaitingReport = ReportContents & { sequence: number };

/** The reports of one task that the service has not acknowledged, in memory or on a disk. */
export interface Outbox<Report extends WaitingReport = WaitingReport> {
  taskId: string;
  pending(): readonly Report[];
  /** The report that the task began with, for a service that has forgotten it. */
  begin(): Report | undefined;
  /** Adds reports that are so now. */
  addAll(reports: readonly ReportContents[]): void;
  /** Everything up to a number is delivered, or put aside. */
  acknowledge(sequence: number): void;
  /** Notes that the service lacks what comes before a piece of the log. */
  noteGap(sequence: number): void;
  /** Waits until all that was added is kept as well as it can be: only then it may be sent. */
  written(): Promise<void>;
  /** Contents of a report, and its age. */
  toSend(report: Report): { report: ReportContents; ageMs: number };
}
