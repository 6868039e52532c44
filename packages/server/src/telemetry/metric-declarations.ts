import { monitorStates } from "@holdfast/api/resources/monitor-words";
import { livenesses, outcomesOf, taskCategories, taskOutcomes, taskStatuses } from "@holdfast/api/resources/task-words";
import { workerNames } from "./worker-health";

/**
 * Scope of a gauge. `process`: each process shows its own. `service`: each has a share, and these are added up. `database`:
 * all would say the same, so that the process that answers says it alone.
 */
export type GaugeOf = "process" | "service" | "database";

/** Declaration of a metric. Counters and histograms are added up over all processes, those that have ended included. */
export interface MetricDeclaration {
  kind: "counter" | "gauge" | "histogram";
  gaugeOf?: GaugeOf;
  help: string;
  /** All values that a label can have; where the code has the list elsewhere, what they are. None is of a user's making. */
  labels: Readonly<Record<string, readonly string[] | string>>;
  /** True if it is shown only where there is something to show. All others are 0 from the start, so that a rate can be taken. */
  isSparse?: true;
  /** Which combinations of labels there are, where not all. */
  fits?: (values: readonly string[]) => boolean;
  /** Shown only to those who may know what runs. */
  namesItself?: true;
}

const noOutcome = "none";
const pools = ["primary", "writer", "reader", "long_reader"] as const;

/** Every metric, in the order in which they are shown. */
const metricDeclarations = {
  holdfast_info: {
    kind: "gauge",
    gaugeOf: "service",
    help: "What is running.",
    labels: { version: "the version of Holdfast", pid: "the id of a process" },
    namesItself: true,
  },
  holdfast_requests_in_flight: {
    kind: "gauge",
    gaugeOf: "service",
    help: "Requests that are being answered. Streams and held heartbeats are none.",
    labels: {},
  },
  holdfast_request_bodies_pending: {
    kind: "gauge",
    gaugeOf: "service",
    help: "Requests whose body has not arrived yet.",
    labels: {},
  },
  holdfast_requests_total: {
    kind: "counter",
    help: "Requests answered, by operation and status.",
    labels: {
      operation: "the id of an operation or of another path",
      status: "the HTTP status; 499 where the client has left",
    },
    isSparse: true,
  },
  holdfast_request_duration_seconds: {
    kind: "histogram",
    help: "How long requests took.",
    labels: {
      operation: "the id of an operation or of another path",
      status: "the HTTP status; 499 where the client has left",
    },
    isSparse: true,
  },
  holdfast_tasks_total: {
    kind: "counter",
    help: "Tasks that came to a status and an outcome, by a report, by an abort, because their lease ended or because an expected run did not come. Imported tasks are not counted.",
    labels: { category: taskCategories, status: taskStatuses, outcome: [...taskOutcomes, noOutcome] },
    fits: ([, status = "", outcome = ""]) => {
      const known: Readonly<Record<string, readonly string[]>> = outcomesOf;
      const outcomes = known[status] ?? [];
      return outcomes.length === 0 ? outcome === noOutcome : outcomes.includes(outcome);
    },
  },
  holdfast_tasks_open: {
    kind: "gauge",
    gaugeOf: "database",
    help: "Tasks that have not ended, by status, imported ones included.",
    labels: { status: ["queued", "in_progress", "aborting"] },
  },
  holdfast_leases_held: {
    kind: "gauge",
    gaugeOf: "database",
    help: "Leases of reported tasks that have not ended, by what is worrying about them.",
    labels: { liveness: [...livenesses, "good"] },
  },
  holdfast_leases_lost_total: {
    kind: "counter",
    help: "Leases that ended because nothing was heard of the runner.",
    labels: {},
  },
  holdfast_leases_revived_total: {
    kind: "counter",
    help: "Lost leases whose runner was heard of again, or that another attempt took over.",
    labels: {},
  },
  holdfast_reports_total: {
    kind: "counter",
    help: "Reports on tasks, those in a batch one by one, by what became of them. Repeated ones are accepted.",
    labels: { kind: ["create", "update", "heartbeat", "log"], result: ["accepted", "refused", "failed"] },
  },
  holdfast_report_duration_seconds: {
    kind: "histogram",
    help: "How long requests with reports took to be checked, written and committed. The time for which a heartbeat is held is left out.",
    labels: { kind: ["create", "update", "heartbeat", "log", "batch"] },
  },
  holdfast_task_log_bytes_total: {
    kind: "counter",
    help: "Bytes of logs of tasks that were stored.",
    labels: {},
  },
  holdfast_monitors: {
    kind: "gauge",
    gaugeOf: "database",
    help: "Monitors by state.",
    labels: { state: monitorStates },
  },
  holdfast_monitor_seconds_since_success: {
    kind: "gauge",
    gaugeOf: "database",
    help: "How long ago the last good run of a monitor was created; without one, how long its known runs or the monitor itself go back. Left out above metrics_monitor_limit monitors.",
    labels: { monitor: "the id of a monitor", slug: "its slug" },
    isSparse: true,
    namesItself: true,
  },
  holdfast_workers_stalled: {
    kind: "gauge",
    gaugeOf: "service",
    help: "Processes in which a worker has not run for too long.",
    labels: { worker: workerNames },
  },
  holdfast_streams_open: {
    kind: "gauge",
    gaugeOf: "service",
    help: "Streams of tasks that are open.",
    labels: {},
  },
  holdfast_streams_held_back: {
    kind: "gauge",
    gaugeOf: "service",
    help: "Processes whose streams wait because a transaction was left open in PostgreSQL.",
    labels: {},
  },
  holdfast_tokens_expiring: {
    kind: "gauge",
    gaugeOf: "database",
    help: "API tokens that can be used and expire within 14 days.",
    labels: {},
  },
  holdfast_token_next_expiry_timestamp_seconds: {
    kind: "gauge",
    gaugeOf: "database",
    help: "When the next API token that can be used expires, in seconds since 1970; missing if there is none.",
    labels: {},
  },
  holdfast_webhook_deliveries_total: {
    kind: "counter",
    help: "Attempts to deliver what webhooks send: delivered, failed and tried again later, or given up for good.",
    labels: { result: ["delivered", "failed", "given_up"] },
  },
  holdfast_webhook_deliveries_waiting: {
    kind: "gauge",
    gaugeOf: "database",
    help: "Deliveries of webhooks that wait for their first or for another attempt, or are being sent.",
    labels: {},
  },
  holdfast_webhook_oldest_waiting_seconds: {
    kind: "gauge",
    gaugeOf: "database",
    help: "How long the one of these that should have been sent first has been due; 0 where none is due.",
    labels: {},
  },
  holdfast_sign_ins_refused_total: {
    kind: "counter",
    help: "Refused sign-ins of people, by how they tried and why.",
    labels: {
      way: ["password", "openid"],
      cause: ["wrong_credentials", "code_missing", "too_many_attempts", "no_access", "other"],
    },
  },
  holdfast_database_up: {
    kind: "gauge",
    gaugeOf: "database",
    help: "1 while the database answers, else 0. Without it, what is read from the database is left out.",
    labels: {},
  },
  holdfast_database_connections: {
    kind: "gauge",
    gaugeOf: "service",
    help: "Connections to the database by pool. PostgreSQL: primary. SQLite: writer, reader, long_reader.",
    labels: { pool: pools, state: ["in_use", "idle"] },
  },
  holdfast_database_connection_waiters: {
    kind: "gauge",
    gaugeOf: "service",
    help: "Those who wait for a connection now.",
    labels: { pool: pools },
  },
  holdfast_database_connection_wait_seconds: {
    kind: "histogram",
    help: "How long was waited for a connection. Changes on SQLite are in holdfast_change_wait_seconds instead.",
    labels: { pool: pools },
    isSparse: true,
  },
  holdfast_change_wait_seconds: {
    kind: "histogram",
    help: "How long changes waited for their turn: they are made one after the other.",
    labels: {},
  },
  holdfast_write_failures_total: {
    kind: "counter",
    help: "Changes that the database did not take, by cause.",
    labels: {
      cause: [
        "disk_full",
        "io_error",
        "database_away",
        "lock_timeout",
        "statement_timeout",
        "conflict",
        "audit_unwritable",
      ],
    },
  },
  holdfast_cache_requests_total: {
    kind: "counter",
    help: "What was asked of the caches, by what is kept there. What others are reading just then is a hit.",
    labels: {
      cache: ["callers", "sessions", "rights", "unit_paths", "task_counts", "bodies"],
      result: ["hit", "miss"],
    },
  },
  holdfast_database_size_bytes: {
    kind: "gauge",
    gaugeOf: "database",
    help: "Size of the database, without its write-ahead log.",
    labels: {},
  },
  holdfast_database_wal_size_bytes: {
    kind: "gauge",
    gaugeOf: "database",
    help: "Size of the write-ahead log. On PostgreSQL it is that of the whole server, and needs the role pg_monitor.",
    labels: {},
  },
  holdfast_data_directory_free_bytes: {
    kind: "gauge",
    gaugeOf: "database",
    help: "Free space on the disk of data_dir.",
    labels: {},
  },
  holdfast_database_backup_timestamp_seconds: {
    kind: "gauge",
    gaugeOf: "database",
    help: "When holdfast database backup was last done, in seconds since 1970; 0 where it never was. SQLite only.",
    labels: {},
  },
  holdfast_audit_anchor_ok: {
    kind: "gauge",
    gaugeOf: "database",
    help: "1 if the audit trail continues what this machine has seen of it, 0 if it was rolled back.",
    labels: {},
  },
  process_resident_memory_bytes: {
    kind: "gauge",
    gaugeOf: "process",
    help: "Resident memory.",
    labels: {},
  },
  process_start_time_seconds: {
    kind: "gauge",
    gaugeOf: "process",
    help: "When the process started, in seconds since 1970.",
    labels: {},
  },
} as const satisfies Record<string, MetricDeclaration>;

type Declarations = typeof metricDeclarations;
export type MetricName = keyof Declarations;
type NameOf<Kind> = { [Name in MetricName]: Declarations[Name]["kind"] extends Kind ? Name : never }[MetricName];
export type CounterName = NameOf<"counter">;
export type HistogramName = NameOf<"histogram">;
export type GaugeName = NameOf<"gauge">;

/** The labels of a metric, each with one of its values. */
export type LabelsOf<Name extends MetricName> = {
  readonly [Label in keyof Declarations[Name]["labels"]]: Declarations[Name]["labels"][Label] extends readonly (infer Value extends
    string)[]
    ? Value
    : string;
};

/** All declarations as what they have in common. */
export const allMetrics: ReadonlyMap<string, MetricDeclaration> = new Map(Object.entries(metricDeclarations));

/** The upper limits of the buckets of all histograms, in seconds. */
export const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5] as const;

/** The outcome that tasks are counted under which have none. */
export function outcomeLabel<Outcome extends string>(outcome: Outcome | null): Outcome | typeof noOutcome {
  return outcome ?? noOutcome;
}
