import type { TaskCategory } from "@holdfast/api/resources/task-words";
import { type Fault, type FaultCode, faultOf } from "./faults";

/** One kind of task that the company runs. */
export interface Job {
  category: TaskCategory;
  type: string;
  /** Duration of a typical run. */
  minutes: number;
  faults: readonly Fault[];
  /** True if it reads files one by one, so that some can be left out. */
  readsFiles: boolean;
}

function job(category: TaskCategory, type: string, minutes: number, codes: readonly FaultCode[]): Job {
  const readsFiles = category === "backup" && /^(restic|borg|rclone)_/.test(type);
  return { category, type, minutes, faults: codes.map(faultOf), readsFiles };
}

const resticBackup = job("backup", "restic_backup", 22, [
  "repository_locked",
  "repository_full",
  "host_unreachable",
  "wrong_password",
]);
const resticRestore = job("restore", "restic_restore", 35, ["target_full", "pack_damaged", "host_unreachable"]);
const resticPrune = job("system", "restic_prune", 55, ["repository_locked", "index_missing"]);
const resticCheck = job("system", "restic_check", 90, ["pack_damaged", "repository_locked"]);
const borgCreate = job("backup", "borg_create", 28, ["repository_locked", "connection_closed", "repository_full"]);
const borgExtract = job("restore", "borg_extract", 40, ["target_full", "connection_closed", "archive_missing"]);
const borgPrune = job("system", "borg_prune", 12, ["repository_locked", "connection_closed"]);
const borgCompact = job("system", "borg_compact", 45, ["repository_locked", "repository_full"]);
const pgFull = job("backup", "pgbackrest_full_backup", 140, [
  "wal_not_archived",
  "database_unreachable",
  "stanza_busy",
]);
const pgIncremental = job("backup", "pgbackrest_incremental_backup", 18, [
  "wal_not_archived",
  "database_unreachable",
  "stanza_busy",
]);
const pgRestore = job("restore", "pgbackrest_restore", 110, ["target_not_empty", "target_full"]);
const pgExpire = job("system", "pgbackrest_expire", 3, ["stanza_busy"]);
const xtrabackup = job("backup", "xtrabackup_backup", 48, ["database_unreachable", "log_overrun", "repository_full"]);
const zfsSnapshot = job("snapshot", "zfs_snapshot", 0.2, ["dataset_missing", "pool_full"]);
const zfsRollback = job("snapshot_restore", "zfs_rollback", 2, ["dataset_busy", "newer_snapshots"]);
const zfsScrub = job("system", "zfs_scrub", 260, ["pool_damaged"]);
const vzdumpBackup = job("backup", "vzdump_backup", 38, ["guest_agent_silent", "repository_full", "guest_locked"]);
const vzdumpRestore = job("restore", "vzdump_restore", 50, ["target_full", "guest_locked"]);
const rcloneSync = job("backup", "rclone_sync", 30, ["bucket_forbidden", "too_many_requests"]);
const usageReport = job("report_generation", "holdfast_usage_report", 2, ["mail_refused"]);
const complianceReport = job("report_generation", "holdfast_compliance_report", 9, ["mail_refused"]);
const policyUpdate = job("management", "holdfast_policy_update", 0.3, ["policy_conflict"]);
const runnerUpgrade = job("management", "holdfast_runner_upgrade", 4, ["signature_invalid", "host_unreachable"]);
const repositoryMove = job("management", "holdfast_repository_move", 75, ["target_full", "connection_closed"]);

/** True if a job leaves something to restore from. */
export function isProtecting({ category }: Job): boolean {
  return category === "backup" || category === "snapshot";
}

/** Something that is protected, or kept in order, and what runs on it. */
export interface SubjectKind {
  weight: number;
  entityType: string;
  /** Makes the entity's name. */
  name: (prefix: string, number: number) => string;
  regular: Job;
  /** Takes the place of the regular job once a week. */
  weekly?: Job;
  /** Jobs that people start by hand. */
  onDemand: readonly { weight: number; job: Job }[];
}

const twoDigits = (number: number) => String(number).padStart(2, "0");
const databases = ["erp", "crm", "billing", "warehouse", "identity", "ticketing", "telemetry", "payroll"];
const datasets = ["home", "projects", "scans", "media", "mail", "builds", "archive", "lab"];
const nameFrom = (names: readonly string[], number: number) => names[number % names.length] ?? "data";

export const subjectKinds: readonly SubjectKind[] = [
  {
    weight: 26,
    entityType: "host",
    name: (prefix, number) => `${prefix}-srv-${twoDigits(number)}.example.com`,
    regular: resticBackup,
    onDemand: [
      { weight: 6, job: resticRestore },
      { weight: 2, job: resticBackup },
      { weight: 2, job: runnerUpgrade },
    ],
  },
  {
    weight: 18,
    entityType: "host",
    name: (prefix, number) => `${prefix}-app-${twoDigits(number)}.example.com`,
    regular: borgCreate,
    onDemand: [
      { weight: 5, job: borgExtract },
      { weight: 2, job: borgCreate },
      { weight: 2, job: policyUpdate },
    ],
  },
  {
    weight: 12,
    entityType: "database",
    name: (prefix, number) => `${nameFrom(databases, number)}@${prefix}-pg-${twoDigits(number)}`,
    regular: pgIncremental,
    weekly: pgFull,
    onDemand: [
      { weight: 4, job: pgRestore },
      { weight: 2, job: pgFull },
    ],
  },
  {
    weight: 6,
    entityType: "database",
    name: (prefix, number) => `${nameFrom(databases, number)}@${prefix}-maria-${twoDigits(number)}`,
    regular: xtrabackup,
    onDemand: [
      { weight: 2, job: xtrabackup },
      { weight: 1, job: policyUpdate },
    ],
  },
  {
    weight: 14,
    entityType: "volume",
    name: (prefix, number) => `${prefix}-nas:tank/${nameFrom(datasets, number)}-${twoDigits(number)}`,
    regular: zfsSnapshot,
    onDemand: [
      { weight: 5, job: zfsRollback },
      { weight: 3, job: zfsSnapshot },
      { weight: 1, job: zfsScrub },
    ],
  },
  {
    weight: 12,
    entityType: "virtual_machine",
    name: (prefix, number) => `${prefix}-vm-${100 + number}`,
    regular: vzdumpBackup,
    onDemand: [
      { weight: 3, job: vzdumpRestore },
      { weight: 2, job: vzdumpBackup },
    ],
  },
  {
    weight: 4,
    entityType: "bucket",
    name: (prefix, number) => `s3://example-${prefix}-${nameFrom(datasets, number)}-${twoDigits(number)}`,
    regular: rcloneSync,
    onDemand: [{ weight: 1, job: rcloneSync }],
  },
  {
    weight: 4,
    entityType: "repository",
    name: (prefix, number) => `rest:https://backup.example.com/${prefix}-${twoDigits(number)}`,
    regular: resticPrune,
    // A repository is copied to another site: it would be no protection if it burned with the host.
    weekly: rcloneSync,
    onDemand: [
      { weight: 2, job: resticCheck },
      { weight: 1, job: repositoryMove },
    ],
  },
  {
    weight: 3,
    entityType: "repository",
    name: (prefix, number) => `ssh://borg@backup.example.com/./${prefix}-${twoDigits(number)}`,
    regular: borgPrune,
    weekly: rcloneSync,
    onDemand: [
      { weight: 1, job: borgCompact },
      { weight: 1, job: repositoryMove },
    ],
  },
  {
    weight: 1,
    entityType: "repository",
    name: (prefix, number) => `pgbackrest:${prefix}-stanza-${twoDigits(number)}`,
    regular: pgExpire,
    weekly: rcloneSync,
    onDemand: [{ weight: 1, job: policyUpdate }],
  },
];

/** Reports on each site: every week how much is stored, every month whether what has to be protected is. */
export const siteReports = { weekly: usageReport, monthly: complianceReport } as const;
