import type { EngineName } from "./engines/engine-names";

/** Who reports a code. The demonstration data also shows failures of tools that the runner does not know. */
type Reporter = "runner" | "service" | "demonstration";

/** Cause and remedy of a code. Every run that fails the same way has the same code, cause and remedy. */
interface ErrorCodeEntry {
  reportedBy: Reporter;
  cause: string;
  remedy: string;
  /** Where an engine needs other steps. */
  remedyFor?: Partial<Record<EngineName, string>>;
}

const table = {
  repository_locked: {
    reportedBy: "runner",
    cause: "Another run holds the lock of the repository, or a run that was killed has left it behind.",
    remedy: "Wait until the other run has ended. If there is none, remove the lock that it left.",
    remedyFor: {
      restic: "Wait until the other run has ended. If there is none, remove the stale lock with `restic unlock`.",
      borg: "Wait until the other run has ended. If there is none, remove the stale lock with `borg break-lock`.",
      borgmatic:
        "Wait until the other run has ended. If there is none, remove the stale lock with `borgmatic break-lock`.",
    },
  },
  stanza_busy: {
    reportedBy: "runner",
    cause: "Another pgBackRest command works on the stanza.",
    remedy: "Wait until the other run has ended, or move one of the two schedules.",
  },
  wrong_password: {
    reportedBy: "runner",
    cause: "The password or key that the engine was given does not open the repository.",
    remedy: "Give the runner the repository's current password.",
    remedyFor: {
      restic: "Put the repository's current password where RESTIC_PASSWORD_FILE or RESTIC_PASSWORD_COMMAND finds it.",
      borg: "Put the repository's current passphrase where BORG_PASSCOMMAND or BORG_PASSPHRASE finds it.",
      borgmatic:
        "Put the repository's current passphrase into encryption_passphrase of borgmatic's configuration, or where its encryption_passcommand finds it.",
      pgbackrest: "Set repo-cipher-pass to the passphrase with which the stanza was made.",
    },
  },
  password_missing: {
    reportedBy: "runner",
    cause: "The engine was given no password, and there is no terminal to ask for one.",
    remedy: "Give the password in the environment or in a file that this user may read.",
    remedyFor: {
      restic: "Set RESTIC_PASSWORD_FILE or RESTIC_PASSWORD_COMMAND for this user.",
      borg: "Set BORG_PASSCOMMAND or BORG_PASSPHRASE for this user, and see that the command works without a terminal.",
      borgmatic: "Set encryption_passcommand or encryption_passphrase in borgmatic's configuration.",
      postgres: "Put the password into ~/.pgpass of this user, or name the file in PGPASSFILE.",
    },
  },
  repository_missing: {
    reportedBy: "runner",
    cause: "There is no repository at the address.",
    remedy: "Correct the address and see that its disk is mounted. If the repository is new, initialise it first.",
    remedyFor: {
      restic: "Correct the address and see that its disk is mounted. If the repository is new, run `restic init`.",
      borg: "Correct the address and see that its disk is mounted. If the repository is new, run `borg init`.",
      pgbackrest: "Correct repo1-path and see that its disk is mounted. If it is new, run `pgbackrest stanza-create`.",
      rclone: "Correct the path and the name of the remote; `rclone listremotes` shows those that this user has.",
    },
  },
  repository_full: {
    reportedBy: "runner",
    cause: "The disk or the quota of the repository is used up.",
    remedy: "Make room, or give the repository more, then run the backup again.",
    remedyFor: {
      restic: "Make room with `restic forget --prune`, or give the repository more, then run the backup again.",
      borg: "Make room with `borg prune` and `borg compact`, or give the repository more, then run the backup again.",
      pgbackrest: "Lower repo1-retention-full and run `pgbackrest expire`, or give the repository more room.",
    },
  },
  pack_damaged: {
    reportedBy: "runner",
    cause: "Data in the repository is not what was written there.",
    remedy: "Check the disk below the repository, then check and repair the repository, and make a full backup.",
    remedyFor: {
      restic:
        "Check the disk below, run `restic check --read-data` and `restic repair packs`, then back up everything.",
      borg: "Check the disk below, run `borg check --verify-data` and `borg check --repair`, then back up everything.",
      pgbackrest: "Check the disk below, run `pgbackrest verify`, then make a backup with --type=full.",
    },
  },
  index_missing: {
    reportedBy: "runner",
    cause: "The index of the repository does not agree with the data in it.",
    remedy: "Repair the index, then make a full backup, so that missing data is added.",
    remedyFor: {
      restic: "Run `restic repair index`, then back up everything, so that missing data is added.",
      borg: "Run `borg check --repair`, then back up everything, so that missing data is added.",
    },
  },
  archive_missing: {
    reportedBy: "runner",
    cause: "The archive or snapshot that was asked for is not in the repository.",
    remedy: "List what is there, and choose one that retention has kept.",
    remedyFor: {
      restic: "List what is there with `restic snapshots`, and choose one that retention has kept.",
      borg: "List what is there with `borg list`, and choose one that retention has kept.",
      pgbackrest: "List what is there with `pgbackrest info`, and choose a set that retention has kept.",
    },
  },
  archive_exists: {
    reportedBy: "runner",
    cause: "The repository has an archive of that name.",
    remedy: "Make the name different for each run: add {now} to the archive's name.",
  },
  source_missing: {
    reportedBy: "runner",
    cause: "A folder or file that was to be saved does not exist.",
    remedy: "Correct the paths of the command, and see that the disks are mounted that they lie on.",
  },
  files_unreadable: {
    reportedBy: "runner",
    cause: "Some files could not be read, so they are not in the backup.",
    remedy: "Run as a user who may read them, or exclude them.",
  },
  files_changed: {
    reportedBy: "runner",
    cause: "Files changed or vanished while they were read, so their copies may not be whole.",
    remedy: "Back up from a snapshot of the file system, or stop what writes these files meanwhile.",
  },
  nothing_transferred: {
    reportedBy: "runner",
    cause: "No file had to be copied, and --error-on-no-transfer asks to be warned of that.",
    remedy: "See that the source is still written to. If no change is usual, leave out --error-on-no-transfer.",
  },
  host_unreachable: {
    reportedBy: "runner",
    cause: "The host of the repository cannot be found or reached.",
    remedy: "Check its name, the network and the firewall between.",
  },
  connection_closed: {
    reportedBy: "runner",
    cause: "The connection to the repository broke during the run.",
    remedy: "Look at the log of the server, and at the network between.",
    remedyFor: {
      borg: "Look at the server's sshd log, and set ServerAliveInterval for this host in ~/.ssh/config.",
      rsync: "Look at the server's sshd log, and set ServerAliveInterval for this host in ~/.ssh/config.",
    },
  },
  bucket_forbidden: {
    reportedBy: "runner",
    cause: "The storage refused the access.",
    remedy: "Renew the access key, and allow it to list, read and write there.",
    remedyFor: {
      borg: "Allow the path in --restrict-to-path of this key on the server, and make the repository's files its user's.",
      pgbackrest: "Renew the access key, or make the repository's files those of the user who runs pgBackRest.",
    },
  },
  too_many_requests: {
    reportedBy: "runner",
    cause: "The storage refused requests because there were too many of them.",
    remedy: "Use fewer connections at once, or ask the provider for a higher limit.",
    remedyFor: {
      restic: "Lower the connections of the backend, such as -o s3.connections=2, or ask for a higher limit.",
      rclone: "Lower --tpslimit, --transfers and --checkers, or ask the provider for a higher limit.",
    },
  },
  database_unreachable: {
    reportedBy: "runner",
    cause: "The database server does not accept the connection.",
    remedy: "Start the database, or correct host, port and user; see that pg_hba.conf lets this host in.",
  },
  database_missing: {
    reportedBy: "runner",
    cause: "The server has no database of that name.",
    remedy: "Correct the name of the database; `psql -l` shows those that there are.",
  },
  wal_not_archived: {
    reportedBy: "runner",
    cause: "PostgreSQL did not archive the write-ahead log that the backup needs.",
    remedy: "Check archive_mode and archive_command with `pgbackrest check`, and the log of the server.",
  },
  restore_incomplete: {
    reportedBy: "runner",
    cause: "Some statements failed, although pg_restore went to the end.",
    remedy:
      "Read the errors in the log. Restore into an empty database, or with --clean --if-exists, and use --exit-on-error.",
  },
  target_not_empty: {
    reportedBy: "runner",
    cause: "The place to restore to is not empty, or a server runs on it.",
    remedy: "Choose an empty place, or empty it first.",
    remedyFor: { pgbackrest: "Stop PostgreSQL there. Then restore with --delta, or empty the data directory." },
  },
  target_full: {
    reportedBy: "runner",
    cause: "The disk that was restored to is full.",
    remedy: "Choose a target with more room, or restore fewer paths.",
  },
  version_unsupported: {
    reportedBy: "runner",
    cause: "A newer version of the engine made the repository or serves it.",
    remedy: "Install the newer version of the engine on this host.",
  },
  wrong_usage: {
    reportedBy: "runner",
    cause: "The engine does not understand the command.",
    remedy: "Read the first line of the log, and correct the command or the configuration file.",
  },
  tool_missing: {
    reportedBy: "runner",
    cause: "The command was not found.",
    remedy: "Install it, or write its whole path: cron and systemd search fewer folders than a shell.",
  },
  tool_not_executable: {
    reportedBy: "runner",
    cause: "The command was found, and may not be run by this user.",
    remedy: "Make the file executable with chmod +x, and see that its disk is not mounted with noexec.",
  },
  killed: {
    reportedBy: "runner",
    cause: "KILL ended the command, often because the machine ran out of memory.",
    remedy: "Look for the out-of-memory killer with `journalctl -k`. Give the host more memory, or the run less work.",
    remedyFor: {
      restic: "Look for the out-of-memory killer with `journalctl -k`. A stale lock may be left: see `restic unlock`.",
    },
  },
  interrupted: {
    reportedBy: "runner",
    cause: "A person, a shutdown or another program on the host stopped the command with a signal.",
    remedy: "See who stopped it, or whether the host was shut down, and run it again.",
  },
  time_exceeded: {
    reportedBy: "runner",
    cause: "The run took longer than --timeout allows, and was stopped.",
    remedy: "See in the log where the time went, or allow more with --timeout.",
  },
  no_progress: {
    reportedBy: "runner",
    cause: "Nothing moved for as long as --stall allows, and the run was stopped.",
    remedy: "See in the log what it waited for, such as a lock, a prompt or the network; or allow more with --stall.",
  },
  command_failed: {
    reportedBy: "runner",
    cause: "The command ended with an exit code or words that say no more than that it failed.",
    remedy: "Read the end of the log.",
  },
  runner_lost: {
    reportedBy: "service",
    cause: "Nothing was heard of the runner for as long as its lease, or its host says that it was killed.",
    remedy: "See whether its host is up and can reach this service. The task follows if its runner reports again.",
  },
  no_end_signal: {
    reportedBy: "service",
    cause: "A run pinged its start, and no ping has said how it ended.",
    remedy: "See on its host whether the run was killed, or whether its last ping could not be sent.",
  },
  abort_unconfirmed: {
    reportedBy: "service",
    cause: "The runner was asked to abort, and has not been heard of since.",
    remedy: "See on its host whether the work has stopped. The task follows if its runner reports again.",
  },
  not_started_in_time: {
    reportedBy: "service",
    cause: "No runner claimed the queued task in time.",
    remedy: "See whether a runner for it is up, and report the work as a new task.",
  },
  holdfast_backup_failed: {
    reportedBy: "service",
    cause: "Holdfast could not back up its own database.",
    remedy:
      "Do what the message says, and run the backup by hand on the host of the service: holdfast database backup.",
  },
  expected_run_missing: {
    reportedBy: "service",
    cause: "A monitor expected a run, and none came.",
    remedy: "Check the schedule on the host: cron, the systemd timer, or the clock.",
  },
  log_overrun: {
    reportedBy: "demonstration",
    cause: "The redo log was overwritten before it was copied.",
    remedy: "Enlarge innodb_redo_log_capacity, or back up at a quieter hour.",
  },
  dataset_missing: {
    reportedBy: "demonstration",
    cause: "The dataset does not exist.",
    remedy: "Remove the dataset from the policy, or create it again.",
  },
  pool_full: {
    reportedBy: "demonstration",
    cause: "The pool has no room for a snapshot.",
    remedy: "Destroy old snapshots or raise the quota; keep a tenth of the pool free.",
  },
  dataset_busy: {
    reportedBy: "demonstration",
    cause: "The dataset is in use.",
    remedy: "Stop what uses the dataset, unmount it, and roll back again.",
  },
  newer_snapshots: {
    reportedBy: "demonstration",
    cause: "Newer snapshots exist than the one to roll back to.",
    remedy: "Clone the older snapshot instead, or accept that the newer ones are destroyed.",
  },
  pool_damaged: {
    reportedBy: "demonstration",
    cause: "A scrub found errors that it could not repair.",
    remedy: "Run zpool status -v, restore the files that it names, and replace the failing disk.",
  },
  guest_agent_silent: {
    reportedBy: "demonstration",
    cause: "The guest agent did not answer.",
    remedy: "Restart qemu-guest-agent in the guest, or back it up without freezing.",
  },
  guest_locked: {
    reportedBy: "demonstration",
    cause: "The guest is locked by other work on it.",
    remedy: "Wait until that is over, or unlock the guest with qm unlock.",
  },
  mail_refused: {
    reportedBy: "demonstration",
    cause: "A mail server refused the report.",
    remedy: "Correct the list of recipients of the report.",
  },
  policy_conflict: {
    reportedBy: "demonstration",
    cause: "Two policies cover the same thing.",
    remedy: "Take it out of one of the two policies.",
  },
  signature_invalid: {
    reportedBy: "demonstration",
    cause: "The downloaded package has no valid signature.",
    remedy: "Download it again. If it happens twice, do not install it and find out why.",
  },
} as const satisfies Record<string, ErrorCodeEntry>;

export type ErrorCode = keyof typeof table;

/** Every code with its cause and remedies, in the order in which the reference shows them. */
export const errorCodes: Record<ErrorCode, ErrorCodeEntry> = table;

/** Remedy for a failure of an engine. */
export function remedyOf(code: ErrorCode, engine: EngineName): string {
  const { remedy, remedyFor } = errorCodes[code];
  return remedyFor?.[engine] ?? remedy;
}
