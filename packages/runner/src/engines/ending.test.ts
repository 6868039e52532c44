import { expect, test } from "bun:test";
import { engines } from ".";
import { endingOf } from "./ending";
import type { EndedRun } from "./engine";
import { engineNames } from "./engine-names";
import { recogniseCommand } from "./recognise";

/** Ends a run of a command that has written this to stderr. */
function end(
  command: string,
  exitCode: number | null,
  stderr = "",
  { inside, ...more }: Partial<EndedRun> & { inside?: "restic" } = {},
) {
  const { engine, invocation, recognition } = recogniseCommand({
    argv: command.split(" "),
    environment: {},
    host: "h1",
    folder: "/here",
    ...(inside === undefined ? {} : { engine: inside }),
  });
  const reader = engine.createReader({ invocation, hasAdditions: false });
  reader.stderr.read(new TextEncoder().encode(stderr));
  reader.stderr.end();
  const run = {
    invocation,
    recognition,
    exitCode,
    signal: null,
    diagnostics: reader.diagnostics,
    stoppedFor: null,
    passedOn: [],
  };
  return endingOf(engine, { ...run, ...more });
}

function ends(...args: Parameters<typeof end>): string {
  const { status, outcome, error } = end(...args);
  return [status, outcome, ...(error === null ? [] : [error.code])].join(" ");
}

const commands = {
  restic: "restic backup /",
  borg: "borg create r::a /",
  pgbackrest: "pgbackrest backup",
  rclone: "rclone copy a b",
  postgres: "pg_dump x",
  rsync: "rsync a b",
  tar: "tar cf a b",
  borgmatic: "borgmatic",
  kopia: "kopia snapshot create /",
  other: "./backup.sh",
};

test("restic inside a script: its words make a warning of 3, and the script's own 3 is a failure", () => {
  const unread = "error: open /srv/a: permission denied\nWarning: at least one source file could not be read\n";
  const skipped = "/nosuch does not exist, skipping\n";
  const inside = { inside: "restic" } as const;
  expect(ends("./backup.sh", 3, unread, inside)).toBe("completed warning files_unreadable");
  expect(ends("./backup.sh", 3, "", inside)).toBe("failed error command_failed");
  expect(ends("./backup.sh", 1, unread, inside)).toBe("failed error files_unreadable");
  expect(ends("./backup.sh", 0, skipped, inside)).toBe("completed warning source_missing");
  expect(ends("restic forget --prune", 3, "")).toBe("failed error command_failed");
});

/** As Python writes it where a program listens at /dev/log no more. */
const loggingError = `--- Logging error ---
Traceback (most recent call last):
  File "/usr/lib/python3.11/logging/handlers.py", line 1010, in emit
    self._connect_unixsocket(self.address)
ConnectionRefusedError: [Errno 111] Connection refused
Call stack:
  File "/usr/bin/borgmatic", line 33, in <module>
    sys.exit(load_entry_point('borgmatic==1.7.7', 'console_scripts', 'borgmatic')())
Message: 'x.yaml: Error running configuration file'
Arguments: ()
`;

test("borgmatic: that a message could not be sent to syslog says nothing about the backup", () => {
  const failed = "c.yaml: Error running configuration file\nRepository /r does not exist.\n";
  expect(ends("borgmatic", 1, `${loggingError}${failed}${loggingError}`)).toBe("failed error repository_missing");
  expect(ends("borgmatic", 1, `${loggingError}c.yaml: Error running hooks\n${loggingError}`)).toBe(
    "failed error command_failed",
  );
  expect(end("borgmatic", 1, `hook failed\n${loggingError}`).error?.message).toBe("hook failed");
  expect(ends("borgmatic", 0, loggingError)).toBe("completed success");
});

test("0 is success, and a code that no engine is known to have is never one", () => {
  for (const name of engineNames) {
    expect([name, ends(commands[name], 0)]).toEqual([name, "completed success"]);
    for (const code of [77, 108, 111, 119, 200, 254]) {
      expect([name, code, ends(commands[name], code)]).toEqual([name, code, "failed error command_failed"]);
    }
  }
});

test("every engine: signals, tools that are missing, and what we stopped", () => {
  for (const name of engineNames) {
    const command = commands[name];
    expect([
      ends(command, null, "", { signal: "SIGKILL" }),
      ends(command, 137),
      ends(command, null, "", { signal: "SIGINT" }),
      ends(command, 143),
      ends(command, 2, "", { passedOn: ["SIGTERM"] }),
      ends(command, 0, "", { passedOn: ["SIGTERM"] }),
      ends(command, null, "", { signal: "SIGSEGV" }),
      ends(command, 127),
      ends(command, 126),
      ends(command, 1, "", { stoppedFor: "abort" }),
      ends(command, null, "", { stoppedFor: "abort", signal: "SIGKILL" }),
      ends(command, 0, "", { stoppedFor: "abort" }),
      ends(command, 1, "", { stoppedFor: "timeout" }),
      ends(command, null, "", { stoppedFor: "stall", signal: "SIGKILL" }),
    ]).toEqual([
      "failed error killed",
      "failed error killed",
      "aborted error interrupted",
      "aborted error interrupted",
      "aborted error interrupted",
      "completed success",
      "failed error command_failed",
      "failed error tool_missing",
      "failed error tool_not_executable",
      "aborted cancelled",
      "aborted cancelled",
      "completed success",
      "failed error time_exceeded",
      "failed error no_progress",
    ]);
  }
});

test.each([
  ["restic backup /", 10, "", "failed error repository_missing"],
  ["restic backup /", 11, "", "failed error repository_locked"],
  ["restic backup /", 12, "", "failed error wrong_password"],
  ["restic forget --prune", 3, "", "failed error command_failed"],
  ["restic check", 1, "Fatal: repository contains errors\n", "failed error pack_damaged"],
  ["restic restore x", 1, "write /x: no space left on device\n", "failed error target_full"],
  ["restic backup /", 1, "Fatal: dial tcp: lookup nas: no such host\n", "failed error host_unreachable"],
  ["restic backup /", 1, "Fatal: client.MakeBucket: Access Denied.\n", "failed error bucket_forbidden"],
  ["borg create r::a /", 100, "", "completed warning files_changed"],
  ["borg create r::a /", 105, "", "completed warning files_unreadable"],
  ["borg create r::a /", 1, "", "completed warning command_failed"],
  ["borg create r::a /", 1, "Traceback (most recent call last):\n  x\nKeyError: 1\n", "failed error command_failed"],
  ["borg create r::a /", 13, "", "failed error repository_missing"],
  ["borg create r::a /", 52, "", "failed error wrong_password"],
  ["borg create r::a /", 73, "", "failed error repository_locked"],
  ["borg check r", 1, "Finished full repository check, errors found.\n", "failed error pack_damaged"],
  ["borg create r::a /", 2, "Got Ctrl-C / SIGINT.\n", "aborted error interrupted"],
  ["pgbackrest backup", 56, "ERROR: [056]: unable to find primary cluster\n", "failed error database_unreachable"],
  ["pgbackrest backup", 82, "", "failed error wal_not_archived"],
  ["pgbackrest restore", 40, "", "failed error target_not_empty"],
  ["pgbackrest backup", 63, "", "aborted error interrupted"],
  ["rclone copy a b", 9, "", "completed warning nothing_transferred"],
  ["rclone copy a b", 8, "", "failed error command_failed"],
  ["rsync a b", 24, 'file has vanished: "/a/x"\n', "completed warning files_changed"],
  ["rsync a b", 20, "", "aborted error interrupted"],
  ["rsync a h:b", 255, "ssh: Could not resolve hostname h\n", "failed error host_unreachable"],
  ["rsync a h:b", 12, "", "failed error connection_closed"],
  ["rsync a b", 23, "rsync: [receiver] mkstemp failed: No space left on device (28)\n", "failed error repository_full"],
  ["tar cf a b", 1, "tar: b: file changed as we read it\n", "completed warning files_changed"],
  ["tar xf a", 1, "", "failed error command_failed"],
  ["tar cf a b", 2, "", "failed error command_failed"],
])("%s with exit code %d and %j is %s", (command, code, stderr, expected) => {
  expect(ends(command, code, stderr)).toBe(expected);
});

test("the message is the engine's own line, at most 2,000 characters, and the remedy is the engine's", () => {
  const locked = end("restic backup /", 1, "scan\nunable to create lock: repository is already locked by PID 1\nbye\n");
  expect(locked.error).toEqual({
    code: "repository_locked",
    message: "unable to create lock: repository is already locked by PID 1",
    remedy: "Wait until the other run has ended. If there is none, remove the stale lock with `restic unlock`.",
  });
  expect(end("./x", 3, `\u001b[31merror: ${"x".repeat(9000)}\u001b[0m\n`).error?.message).toHaveLength(2000);
  expect(end("./x", 3, "error: one\nthen two\n").error?.message).toBe("error: one");
  expect(end("./x", 3).error?.message).toBe("The exit code was 3.");
});

test("pgBackRest tells of its progress in JSON and in text", () => {
  const { poll } = engines.pgbackrest;
  const invocation = recogniseCommand({
    argv: "pgbackrest --stanza main --config=/c --repo1-path=/r --repo1-retention-full=2 --repo=1 --type=full backup".split(
      " ",
    ),
    environment: {},
    host: "h1",
    folder: "/here",
  }).invocation;
  expect(poll?.args(invocation, [2, 48])).toEqual(
    "info --output=json --stanza main --config=/c --repo1-path=/r --repo=1".split(" "),
  );
  const json = JSON.stringify([
    { status: { lock: { backup: { held: true, size: 4_194_304, "size-cplt": 1_048_576 } } } },
  ]);
  expect(poll?.read(json)).toEqual({ percentage: 25, message: "1.0 MiB of 4.0 MiB" });
  expect(poll?.read("status: ok (backup/expire running - 12.34% complete)")).toEqual({ percentage: 12 });
  expect([poll?.read("[]"), poll?.read("[{"), poll?.read("")]).toEqual([undefined, undefined, undefined]);
});
