/** Why a task failed. In the message, {entity} stands for what the task worked on. */
export interface Fault {
  code: string;
  message: string;
  remedy: string;
}

const declared = {
  repository_locked: {
    message: "The repository is locked by another process since 6h12m (exit code 11).",
    remedy:
      "Wait for the other run to end. If none is running, remove the stale lock with restic unlock or borg break-lock.",
  },
  repository_full: {
    message: "write /srv/backup: no space left on device",
    remedy: "Prune old snapshots, or give the repository more room, then run the backup again.",
  },
  host_unreachable: {
    message: "dial tcp: connect to {entity}: no route to host",
    remedy: "Check that the host is switched on and that the firewall lets the runner through.",
  },
  wrong_password: {
    message: "Fatal: wrong password or no key found (exit code 12).",
    remedy: "Put the repository's current password into the runner's configuration.",
  },
  pack_damaged: {
    message: "Pack 7f3c91d2: content hash does not match, 3 blobs are damaged.",
    remedy: "Run restic check --read-data, repair the packs, and look at the health of the disk below.",
  },
  index_missing: {
    message: "The index names packs that are not in the repository: 2 packs are missing.",
    remedy: "Run restic repair index, then back up everything again so that missing data is added.",
  },
  target_full: {
    message: "The target has 18.4 GiB left and the data needs 61.0 GiB.",
    remedy: "Choose a target with more room, or restore fewer paths.",
  },
  connection_closed: {
    message: "Connection closed by remote host. Is borg working on the server?",
    remedy: "Look at the server's sshd log, and set ServerAliveInterval on the client.",
  },
  archive_missing: {
    message: "The archive that was asked for is not in the repository any more.",
    remedy: "List the archives and choose one that retention has kept.",
  },
  wal_not_archived: {
    message: "ERROR: [082]: WAL segment was not archived before the 60000ms timeout",
    remedy: "Check archive_command on {entity} and that the repository host answers.",
  },
  database_unreachable: {
    message: "Could not connect to {entity}: connection refused (port closed).",
    remedy: "Start the database, or correct its host and port in the policy.",
  },
  stanza_busy: {
    message: "ERROR: [050]: unable to acquire lock: is another pgBackRest process running?",
    remedy: "Let the other run end, or move one of the two schedules.",
  },
  target_not_empty: {
    message: "ERROR: [040]: the data directory is not empty",
    remedy: "Restore with --delta, or empty the directory first.",
  },
  log_overrun: {
    message: "The redo log was overwritten faster than it could be copied.",
    remedy: "Enlarge innodb_redo_log_capacity, or back up at a quieter hour.",
  },
  dataset_missing: {
    message: "cannot open '{entity}': dataset does not exist",
    remedy: "Remove the dataset from the policy, or create it again.",
  },
  pool_full: {
    message: "cannot create snapshot '{entity}': out of space",
    remedy: "Destroy old snapshots or raise the quota; keep a tenth of the pool free.",
  },
  dataset_busy: {
    message: "cannot roll back '{entity}': dataset is busy",
    remedy: "Stop what uses the dataset, unmount it, and roll back again.",
  },
  newer_snapshots: {
    message: "cannot roll back '{entity}': more recent snapshots exist",
    remedy: "Clone the older snapshot instead, or accept that the newer ones are destroyed.",
  },
  pool_damaged: {
    message: "The scrub found 14 checksum errors that could not be repaired.",
    remedy: "Run zpool status -v, restore the files that it names, and replace the failing disk.",
  },
  guest_agent_silent: {
    message: "The guest agent of {entity} did not answer fsfreeze within 60 s.",
    remedy: "Restart qemu-guest-agent in the guest, or back it up without freezing.",
  },
  guest_locked: {
    message: "{entity} is locked (migrate).",
    remedy: "Wait until the migration is over, or unlock the guest with qm unlock.",
  },
  bucket_forbidden: {
    message: "AccessDenied: the key may not list {entity} (403).",
    remedy: "Renew the access key and allow it to list and read the bucket.",
  },
  too_many_requests: {
    message: "SlowDown: please reduce your request rate (503).",
    remedy: "Lower --tpslimit and --checkers, or ask the provider for a higher limit.",
  },
  mail_refused: {
    message: "550 5.1.1 The recipient's mail server refused the report.",
    remedy: "Correct the list of recipients of the report.",
  },
  policy_conflict: {
    message: "Another policy covers {entity} already.",
    remedy: "Take it out of one of the two policies.",
  },
  signature_invalid: {
    message: "The downloaded package has no valid signature.",
    remedy: "Download it again. If it happens twice, do not install it and find out why.",
  },
  files_unreadable: {
    message: "The snapshot is incomplete: 27 files could not be read (permission denied).",
    remedy: "Run as a user who may read them, or exclude what needs no backup.",
  },
  runner_lost: {
    message: "Nothing was heard from the runner for 15 minutes.",
    remedy: "Check that the runner's host is up, then start the task again.",
  },
  not_started_in_time: {
    message: "No runner took the task within 6 hours.",
    remedy: "Start a runner for this organizational unit, or give it more room to run tasks at once.",
  },
  expected_run_missing: {
    message: "A run of {entity} was due and did not come within the hour after.",
    remedy: "Check the schedule on the host: cron, the systemd timer, or the clock.",
  },
} as const satisfies Record<string, Omit<Fault, "code">>;

export type FaultCode = keyof typeof declared;

export function faultOf(code: FaultCode): Fault {
  return { code, ...declared[code] };
}
