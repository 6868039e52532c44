import type { FaultCode } from "./faults";

/** Ending of a run of a story. */
export type PlotEnding = "success" | "warning" | "error" | "lost" | "missed";

/** Plot for something that is protected. Times are milliseconds. */
export interface Plot {
  /** Type of the tasks that run on it. */
  type: string;
  /** Interval between runs. */
  every: number;
  /** Age of the last run. */
  ago: number;
  /** Endings of the last runs, the newest last. Those before were good. */
  last: readonly PlotEnding[];
  fault?: FaultCode;
  /** True if the newest run is still under way. */
  isRunning?: true;
  /** Range of the number of runs; the minimum holds even where few tasks are asked for. */
  runs?: { max?: number; min?: number };
  monitor?: { name: string; slug?: string; grace: number; hasPeriod?: true; pausedFor?: number };
  mutedFor?: number;
  isRetired?: true;
  /** Restores that people have asked for: one of each way in which a task can wait, stop or not begin. */
  hasRestores?: true;
}

/** The monitor that `holdfast demo --live` pings. */
export const liveSlug = "field-laptops";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const week = 7 * day;

/** Something that has failed from its first backup on. A webhook reports it. */
export const troubled: Plot = {
  type: "borg_create",
  every: 2.5 * day,
  ago: 2.2 * day,
  last: ["error", "error", "error"],
  fault: "wrong_password",
  runs: { max: 3, min: 3 },
};

/**
 * Every state of monitors and of protected entities. The service judges monitors once it runs, and nothing runs here: so what
 * is good expects its next run hours or days from now, and what is late has days of grace left.
 */
export const plots: readonly Plot[] = [
  {
    type: "pgbackrest_incremental_backup",
    every: day,
    ago: 3 * hour,
    last: ["success"],
    monitor: { name: "Nightly database backup", grace: 4 * hour },
  },
  {
    type: "borg_create",
    every: day,
    ago: 6 * hour,
    last: ["success", "missed", "missed", "missed"],
    monitor: { name: "Nightly application backup", grace: 2 * hour },
  },
  {
    type: "xtrabackup_backup",
    every: day,
    ago: 5 * hour,
    last: ["success", "error"],
    fault: "log_overrun",
    monitor: { name: "Shop database backup", grace: 6 * hour },
  },
  {
    type: "vzdump_backup",
    every: week,
    ago: week + 50 * minute,
    last: ["success"],
    monitor: { name: "Weekly image of the virtual machine", grace: 3 * day },
  },
  {
    type: "restic_backup",
    every: week,
    ago: 35 * minute,
    last: ["success"],
    isRunning: true,
    monitor: { name: "Weekly full backup", grace: 12 * hour },
  },
  {
    type: "zfs_snapshot",
    every: day,
    ago: 9 * day,
    last: ["success"],
    monitor: { name: "Snapshots of the old file server", grace: 2 * hour, hasPeriod: true, pausedFor: 45 * day },
  },
  {
    type: "rclone_sync",
    every: day,
    ago: 2 * hour,
    last: ["success", "warning"],
    monitor: { name: "Copy of the bucket", grace: 8 * hour },
  },
  troubled,
  { type: "vzdump_backup", every: day, ago: 28 * hour, last: ["success", "lost"], mutedFor: 6 * day },
  { type: "borg_create", every: day, ago: 40 * day, last: ["success"], isRetired: true },
  { type: "restic_backup", every: day, ago: 4 * hour, last: ["success"], hasRestores: true },
  {
    type: "restic_backup",
    every: day,
    ago: 25 * minute,
    last: ["success"],
    monitor: { name: "Laptops of the field team", slug: liveSlug, grace: 6 * hour, hasPeriod: true },
  },
];
