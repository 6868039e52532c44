/** A command that does a backup, and the tool that it is of. */
export interface BackupCommand {
  tool: string;
  command: string;
}

/** Beginnings of the task types of a tool, and a command of it. The first that fits counts. */
const commands: readonly (readonly [string, string, string])[] = [
  ["restic_restore", "restic", "restic restore latest --target /srv/restored"],
  ["restic_check", "restic", "restic check"],
  ["restic_prune", "restic", "restic prune"],
  ["restic_forget", "restic", "restic forget --keep-daily 7 --prune"],
  ["restic", "restic", "restic backup /srv"],
  ["borgmatic", "borgmatic", "borgmatic create"],
  ["borg_check", "borg", "borg check"],
  ["borg_prune", "borg", "borg prune --keep-daily 7"],
  ["borg", "borg", "borg create ::{now} /srv"],
  ["pgbackrest_restore", "pgbackrest", "pgbackrest --stanza=main restore"],
  ["pgbackrest", "pgbackrest", "pgbackrest --stanza=main backup"],
  ["pg_basebackup", "pg_basebackup", "pg_basebackup -D /mnt/backup/main"],
  ["pg_dump", "pg_dump", "pg_dump -Fc -f /mnt/backup/shop.dump shop"],
  ["mysqldump", "mysqldump", "mysqldump --result-file=/mnt/backup/shop.sql shop"],
  ["kopia", "kopia", "kopia snapshot create /srv"],
  ["rclone", "rclone", "rclone sync /srv remote:srv"],
  ["rsync", "rsync", "rsync -a /srv/ /mnt/backup/srv/"],
  ["tar", "tar", "tar -czf /mnt/backup/srv.tar.gz /srv"],
  ["zfs", "zfs", "zfs snapshot tank/srv@nightly"],
  ["vzdump", "vzdump", "vzdump 101 --storage backup"],
];

/** An example of what makes tasks of a type: a command of its tool, or a script where the tool is not known. */
export function commandOf(type: string): BackupCommand {
  const [, tool, command] = commands.find(([start]) => type === start || type.startsWith(`${start}_`)) ?? [
    "",
    "script",
    "/usr/local/bin/backup.sh",
  ];
  return { tool, command };
}
