import { expect, test } from "bun:test";
import { type AddRequest, addFlags } from "./add-flags";
import { recogniseCommand } from "./recognise";

function added(command: string, more: Partial<AddRequest> & { environment?: Record<string, string> } = {}): string {
  const { environment = {}, ...request } = more;
  const found = recogniseCommand({ argv: command.split(" "), environment, host: "h1", folder: "/here" });
  const wish: AddRequest = { progress: "auto", version: [3, 2, 7], stdin: "null", stdout: "file", ...request };
  return addFlags(found, wish).argv.join(" ");
}

test.each([
  ["nice borg --lock-wait 5 create r::a /", "nice borg --lock-wait 5 create --log-json --progress r::a /"],
  ["rclone copy a b", "rclone copy --use-json-log --stats=5s --stats-log-level=NOTICE a b"],
  ["sudo rsync -a a b", "sudo rsync --info=progress2 -a a b"],
  ["pg_basebackup -D x", "pg_basebackup -P -D x"],
])("auto adds what is exact to %s, wherever stdout leads", (command, expected) => {
  expect(added(command)).toBe(expected);
  expect(added(command, { progress: "off" })).toBe(command);
});

test("what is not exact is added where people read it, or with --progress on", () => {
  const command = "restic -r x backup /";
  const json = "restic -r x backup --json /";
  const readByPrograms = ["file", "pipe"] as const;
  expect(readByPrograms.map((stdout) => added(command, { stdout }))).toEqual([command, command]);
  const readByPeople = ["terminal", "socket", "null"] as const;
  expect(readByPeople.map((stdout) => added(command, { stdout }))).toEqual([json, json, json]);
  expect(added(command, { progress: "on" })).toBe(json);
});

test.each([
  "restic backup --json /",
  "restic backup -q /",
  "restic -v backup /",
  "restic backup -vv /",
  "restic prune",
  "borg create --log-json r::a /",
  "borg -p create r::a /",
  "borg --debug create r::a /",
  "borg create --json r::a /",
  "borg list r",
  "borg serve",
  "rclone copy -P a b",
  "rclone copy -vv a b",
  "rclone copy --stats 1s a b",
  "rclone --log-file x copy a b",
  "rclone copy --dry-run a b",
  "rclone lsd a:",
  "rsync -av a b",
  "rsync -aP a b",
  "rsync -a --info=name a b",
  "rsync -ai a b",
  "rsync -aq a b",
  "rsync a/",
  "pg_basebackup -P -D x",
  "pg_basebackup -v -D x",
  "pg_dump x",
  "pgbackrest --stanza=main backup",
  "tar cf x y",
  "./backup.sh",
])("nothing is added to %s", (command) => {
  expect(added(command, { progress: "on" })).toBe(command);
});

test("nothing is added where versions, variables, prompts or languages speak against it", () => {
  const on = { progress: "on" } as const;
  expect(added("restic restore x", { ...on, version: [0, 16, 5] })).toBe("restic restore x");
  expect(added("restic restore x", { ...on, version: [0, 17, 0] })).toBe("restic restore --json x");
  expect(added("restic backup x", { ...on, version: undefined })).toBe("restic backup --json x");
  expect(added("rsync -a a b", { ...on, version: [3, 0, 9] })).toBe("rsync -a a b");
  expect(added("rsync -a a b", { ...on, version: undefined })).toBe("rsync -a a b");
  expect(added("borg create r::a /", { ...on, stdin: "terminal" })).toBe("borg create r::a /");
  expect(added("borg create r::a /", { ...on, environment: { LANG: "de_DE.ISO-8859-1" } })).toBe("borg create r::a /");
  expect(added("rclone copy a b", { ...on, environment: { RCLONE_STATS: "1s" } })).toBe("rclone copy a b");
  expect(added("pg_basebackup -D x", { ...on, environment: { LANG: "de_DE.UTF-8" } })).toBe("pg_basebackup -D x");
  expect(added("pg_basebackup -D x", { ...on, environment: { LANG: "en_GB.UTF-8" } })).toBe("pg_basebackup -P -D x");
});
