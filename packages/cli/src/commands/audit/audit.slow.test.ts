import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { defaultRoles } from "@holdfast/api/conventions/permissions";
import { listSigningKeys } from "@holdfast/server/access/tokens/signing-keys";
import { openCommandLine } from "../../../test/open-command-line";

const { folder, data, run: holdfast, runHere, inDatabase, remove } = openCommandLine();
const root = "00000000-0000-0000-0000-000000000000";
const secrets: string[] = [];
let file: string;

/** Runs a command that has to succeed, whatever it has to say besides. */
async function result(...args: string[]): Promise<string> {
  const { stdout, stderr, exitCode } = await runHere(args);
  expect({ args, exitCode, stderr: exitCode === 0 ? "" : stderr }).toEqual({ args, exitCode: 0, stderr: "" });
  return stdout.trimEnd();
}

/** One of each command that changes something, in this order. */
beforeAll(async () => {
  const unit = await result("ou", "create", "--name", "Berlin");
  await result("ou", "rename", unit, "--name", "Berlin-Mitte");
  const other = await result("ou", "create", "--name", "Paris");
  await result("ou", "move", other, "--parent", unit);
  await result("ou", "delete", other, "--yes");
  const user = await result("user", "create", "--email", "ada@example.org", "--name", "Ada", "--role", "admin");
  await result("user", "disable", user);
  await result("user", "enable", user);
  await result("user", "grant", user, "--role", "viewer", "--ou", unit);
  await result("user", "revoke", user, "--role", "viewer", "--ou", unit);
  secrets.push((await result("user", "invite", user)).split(/[/#=]/).at(-1) ?? "");
  secrets.push(await result("token", "create", "--kind", "service", "--name", "nightly", "--role", "owner"));
  const [token] = JSON.parse(await result("token", "list", "--json"));
  await result("token", "revoke", token.id);
  const kid = await result("key", "rotate");
  await result("key", "retire", kid);
  const task = { category: "backup", type: "restic_backup", status: "completed" };
  const old = { ...task, created_timestamp: "2001-01-01T00:00:00Z" };
  const tasks = [old, old, task].map((one) => `${JSON.stringify(one)}\n`).join("");
  writeFileSync(join(folder, "tasks.ndjson"), tasks);
  await result("task", "import", "tasks.ndjson");
  await result("task", "prune", "--older-than-days", "400");
  await result("key", "reseal");
  file = join(folder, "audit.ndjson");
  writeFileSync(file, `${await result("audit", "export")}\n`);
}, 120_000);
afterAll(remove);

const lines = () => readFileSync(file, "utf8").trimEnd().split("\n");

test("T26: every command that changes something is told of, with who, what, before and after", () => {
  const events = lines()
    .slice(0, -1)
    .map((line) => JSON.parse(line));
  expect(events.map(({ operation }) => operation)).toEqual([
    "create-organizational-unit",
    "update-organizational-unit",
    "create-organizational-unit",
    "update-organizational-unit",
    "update-organizational-unit",
    "update-organizational-unit",
    "delete-organizational-unit",
    "create-user",
    "update-user",
    "update-user",
    "update-user",
    "update-user",
    "update-user",
    "update-user",
    "invite-user",
    "create-api-token",
    "revoke-api-token",
    "rotate-key",
    "retire-key",
    "import-tasks",
    "prune-tasks",
    "reseal-keys",
  ]);
  expect(new Set(events.map(({ actor }) => JSON.stringify(actor)))).toEqual(
    new Set(['{"kind":"command_line","user_id":null,"token_id":null,"address":null,"name":null}']),
  );
  expect(events[1]).toMatchObject({ before: { name: "Berlin" }, after: { name: "Berlin-Mitte" } });
  const [disabled, , , granted, , revoked] = events.filter(({ operation }) => operation === "update-user");
  expect(disabled).toMatchObject({ before: { is_enabled: true }, after: { is_enabled: false } });
  const held = [{ role_id: defaultRoles.viewer.id, organizational_unit_ids: [events[0].object.id] }];
  expect(granted).toMatchObject({ before: null, after: { access_control_configuration: held } });
  expect(revoked).toMatchObject({ before: { access_control_configuration: held }, after: null });
  const [imported, pruned] = events.filter(({ operation }) => operation.endsWith("-tasks"));
  expect(imported).toMatchObject({ organizational_unit_id: root, after: { tasks: 3 } });
  expect(pruned).toMatchObject({ before: { month: "2001-01", tasks: 2 }, after: { older_than_days: 400 } });
});

test("T24: no secret that a command printed stands in the export", () => {
  const text = readFileSync(file, "utf8");
  expect(secrets.map((secret) => secret.length > 20)).toEqual([true, true]);
  expect(secrets.filter((secret) => text.includes(secret.split(".").at(-1) ?? ""))).toEqual([]);
});

test("what is whole is said to be, in the database and in the file, by itself, with the keys and against the database", async () => {
  const database = await holdfast(["audit", "verify"]);
  const count = lines().length - 1;
  expect(database).toEqual({
    stdout:
      `The audit trail is whole: ${count} events, the last with the hash ${JSON.parse(lines()[count - 1] ?? "").hash}. It was not compared ` +
      `with what this machine has seen, because there is no file ${join(data, "audit.anchor")} yet: a running service makes it.\n`,
    stderr: "",
    exitCode: 0,
  });
  const keys = await inDatabase((open) => open.snapshot((db) => listSigningKeys(db, Date.now())));
  writeFileSync(join(folder, "jwks.json"), JSON.stringify({ keys: keys.map(({ publicKey }) => publicKey) }));
  const elsewhere = { HOLDFAST_DATA_DIR: join(folder, "elsewhere") };
  const alone = await holdfast(["audit", "verify", file], { environment: elsewhere });
  expect([alone.exitCode, alone.stderr]).toEqual([
    0,
    "Whether that is a key of your control plane is not known. Give its keys with --jwks, or its database with --compare.\n",
  ]);
  const trusted = await holdfast(["audit", "verify", "-", "--jwks", "jwks.json"], {
    environment: elsewhere,
    input: readFileSync(file, "utf8"),
  });
  expect(trusted).toEqual({ stdout: alone.stdout, stderr: "", exitCode: 0 });
  expect(await holdfast(["audit", "verify", file, "--compare"])).toEqual(trusted);
});

test("T26: what was tampered with ends with exit code 1 and a sentence that names the event", async () => {
  const at = lines().findIndex((line) => line.includes("Ada"));
  const altered = lines().with(at, (lines()[at] ?? "").replace("Ada", "Eve"));
  const input = `${altered.join("\n")}\n`;
  expect(await holdfast(["audit", "verify", "-"], { input })).toEqual({
    stdout: "",
    stderr: `holdfast: Event ${at + 1} was altered: its content does not have the hash that was noted for it.\n`,
    exitCode: 1,
  });
  writeFileSync(join(folder, "none.json"), '{"keys":[]}');
  const stranger = await holdfast(["audit", "verify", file, "--jwks", "none.json"]);
  expect([stranger.exitCode, stranger.stderr]).toEqual([
    1,
    expect.stringContaining("which is not one of the given keys"),
  ]);
  // The last line is the trailer.
  const number = lines().length - 1;
  const last = await inDatabase((open) =>
    open.change(async (db) => {
      const row = await db
        .selectFrom("audit_events")
        .selectAll()
        .where("number", "=", number)
        .executeTakeFirstOrThrow();
      await db.deleteFrom("audit_events").where("number", "=", number).execute();
      return row;
    }),
  );
  const missing = `holdfast: Event ${number} is missing: the audit trail has to end with event ${number}.\n`;
  expect(await holdfast(["audit", "verify"])).toEqual({ stdout: "", stderr: missing, exitCode: 1 });
  const { stdout, stderr, exitCode } = await holdfast(["audit", "export"]);
  expect([stderr, exitCode, stdout.includes("trailer")]).toEqual([missing, 1, false]);
  await inDatabase((open) => open.change((db) => db.insertInto("audit_events").values(last).execute()));
  expect((await holdfast(["audit", "verify"])).exitCode).toBe(0);
});

test("a command that cannot be told of does nothing", async () => {
  const removeHead = () =>
    inDatabase((open) =>
      open.change(async (db) => {
        const row = await db.selectFrom("audit_head").selectAll().executeTakeFirstOrThrow();
        await db.deleteFrom("audit_head").execute();
        return row;
      }),
    );
  const head = await removeHead();
  const failed = await holdfast(["ou", "create", "--name", "Untold"]);
  expect([failed.exitCode, failed.stdout, failed.stderr]).toEqual([
    1,
    "",
    "holdfast: Nothing was done, because the audit event could not be written: the sealed end of the audit trail is missing. See: holdfast audit verify\n",
  ]);
  await inDatabase((open) => open.change((db) => db.insertInto("audit_head").values(head).execute()));
  expect(await result("ou", "list")).not.toContain("Untold");
});

test("a file that is not there, and options that need one, are refused", async () => {
  const absent = await holdfast(["audit", "verify", "absent.ndjson"]);
  expect([absent.exitCode, absent.stderr]).toEqual([
    1,
    expect.stringContaining("The file absent.ndjson cannot be read"),
  ]);
  const lonely = await holdfast(["audit", "verify", "--compare"]);
  expect([lonely.exitCode, lonely.stderr]).toEqual([
    2,
    "holdfast: --jwks and --compare are for a file: name one. See: holdfast audit verify --help\n",
  ]);
});
