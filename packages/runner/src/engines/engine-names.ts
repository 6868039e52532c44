/** The engines whose ways the runner knows; `other` stands for every other command. */
export const engineNames = [
  "restic",
  "borg",
  "pgbackrest",
  "rclone",
  "postgres",
  "rsync",
  "tar",
  "borgmatic",
  "kopia",
  "other",
] as const;

export type EngineName = (typeof engineNames)[number];
