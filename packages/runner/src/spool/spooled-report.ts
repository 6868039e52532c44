import type * as client from "@holdfast/client/report/outbox";

/** Contents of a report, and the fields of a beginning that are its monitor's: they are sent only if the service does not take it. */
export type ReportContents = client.ReportContents & { left_to_monitor?: readonly MonitorField[] };

/** Field that a run takes from its monitor, unless it was given. */
export type MonitorField = "category" | "type" | "operation" | "primary_entity";

/** A report as it is spooled: what it says, and when it was so by two clocks of this machine. */
export type SpooledReport = ReportContents & {
  /** Its number in the file. Beginnings, progress and ends are reported with it; logs never move the sequence. */
  sequence: number;
  wall_ms: number;
  /** Uptime of the machine; null where that is not known. */
  monotonic_ms: number | null;
};

/** A piece of the log, as it is spooled. */
export type SpooledLog = Extract<SpooledReport, { operation: "log" }>;

/** The first line of a spool file. */
export interface SpoolHeader {
  format: 1;
  task_id: string;
  base_url: string;
  /** The organizational unit of the requests; null for the token's own. */
  unit: string | null;
  boot_id: string | null;
}

/** A moment by both clocks. */
export interface Moment {
  wallMs: number;
  monotonicMs: number | null;
  bootId: string | null;
}

/** Contents of a spool file. */
export interface SpoolContents {
  header: SpoolHeader;
  /** Reports that were not acknowledged yet, in order. */
  pending: SpooledReport[];
  /** The report that the task began with. */
  begin: SpooledReport | undefined;
  /** The last report that was written, delivered or not. */
  newest: SpooledReport | undefined;
  /** The highest number that was given. */
  last: number;
  hasEnd: boolean;
}

/** Reads a spool file; undefined where it is none of ours. A line that a power cut has torn is passed over. */
export function parseSpool(text: string): SpoolContents | undefined {
  const [first, ...lines] = text
    .split("\n")
    .map(parseLine)
    .filter((line) => line !== undefined);
  if (!first || !isHeader(first)) return undefined;
  let acked = 0;
  const reports: SpooledReport[] = [];
  for (const line of lines) {
    if ("acked" in line && typeof line.acked === "number") acked = Math.max(acked, line.acked);
    else if (isReport(line)) reports.push(line);
  }
  return {
    header: first,
    pending: reports.filter(({ sequence }) => sequence > acked),
    begin: reports.find(({ operation }) => operation === "create"),
    newest: reports.at(-1),
    last: reports.reduce((max, { sequence }) => Math.max(max, sequence), acked),
    hasEnd: reports.some(isEnd),
  };
}

/** True if a report says that the task has ended. */
export function isEnd({ operation, body }: ReportContents): boolean {
  return operation !== "log" && ["completed", "failed", "aborted"].includes(body.status ?? "");
}

/** Returns true if a report is a piece of the log. */
export function isLog(report: SpooledReport): report is SpooledLog {
  return report.operation === "log";
}

/** Size of a report in bytes, in the spool and on the wire: a control character takes six. */
export function bytesOf(report: SpooledReport): number {
  return Buffer.byteLength(JSON.stringify(report));
}

/** Age of a report: by the machine's own clock, or by the wall clock if the machine was restarted meanwhile. */
export function ageOf(report: SpooledReport, header: SpoolHeader, now: Moment): number {
  const isSameBoot = header.boot_id !== null && header.boot_id === now.bootId;
  const age =
    isSameBoot && report.monotonic_ms !== null && now.monotonicMs !== null
      ? now.monotonicMs - report.monotonic_ms
      : now.wallMs - report.wall_ms;
  return Math.min(Math.max(0, Math.round(age)), maxAgeMs);
}

/** The service takes no older ones, in milliseconds. */
export const maxAgeMs = 604_800_000;

function parseLine(line: string): object | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function isHeader(line: object): line is SpoolHeader {
  return (
    "format" in line &&
    line.format === 1 &&
    "task_id" in line &&
    isUuid(line.task_id) &&
    "base_url" in line &&
    typeof line.base_url === "string" &&
    "unit" in line &&
    (line.unit === null || typeof line.unit === "string")
  );
}

const operations: readonly unknown[] = ["create", "update", "log"];

/** True if it has the fields that are read here; the service judges the rest of the body. */
function isReport(line: object): line is SpooledReport {
  return (
    "sequence" in line &&
    Number.isSafeInteger(line.sequence) &&
    "operation" in line &&
    operations.includes(line.operation) &&
    "body" in line &&
    typeof line.body === "object" &&
    line.body !== null &&
    (line.operation !== "log" || ("text" in line.body && typeof line.body.text === "string")) &&
    "wall_ms" in line &&
    Number.isFinite(line.wall_ms)
  );
}

function isUuid(value: unknown): boolean {
  return typeof value === "string" && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value);
}
