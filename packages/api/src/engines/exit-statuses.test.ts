import { expect, test } from "bun:test";
import { judgeExitStatus } from "./exit-statuses";

test.each([
  ["ping_run", 0, "success", ""],
  ["ping_run", 1, "error", "command_failed"],
  ["ping_run", 3, "error", "command_failed"],
  ["ping_run", 127, "error", "tool_missing"],
  ["ping_run", 137, "error", "killed"],
  ["restic_backup", 3, "warning", "files_unreadable"],
  ["restic_forget", 3, "error", "command_failed"],
  ["restic_backup", 11, "error", "repository_locked"],
  ["restic", 3, "error", "command_failed"],
  ["borg_create", 1, "warning", "command_failed"],
  ["borg_create", 100, "warning", "files_changed"],
  ["borg_create", 107, "warning", "files_unreadable"],
  ["borg_create", 2, "error", "command_failed"],
  ["borg_create", 73, "error", "repository_locked"],
  ["borgmatic_create", 1, "error", "command_failed"],
  ["pgbackrest_full_backup", 50, "error", "stanza_busy"],
  ["rclone_sync", 9, "warning", "nothing_transferred"],
  ["rclone_sync", 5, "error", "host_unreachable"],
  ["rsync_copy", 24, "warning", "files_changed"],
  ["rsync_copy", 12, "error", "connection_closed"],
  ["tar_create", 1, "warning", "files_changed"],
  ["tar_extract", 1, "error", "command_failed"],
  ["tar_create", 2, "error", "command_failed"],
  ["constructor_x", 1, "error", "command_failed"],
] as const)("%s that ends with %i: %s %s", (type, status, outcome, code) => {
  expect(judgeExitStatus(type, status)).toEqual({ outcome, code, isInterrupted: false });
});

test.each([
  ["restic_backup", 130],
  ["ping_run", 143],
  ["rsync_copy", 20],
  ["pgbackrest_full_backup", 63],
] as const)("%s that ends with %i was stopped on its host", (type, status) => {
  expect(judgeExitStatus(type, status)).toEqual({ outcome: "error", code: "interrupted", isInterrupted: true });
});
