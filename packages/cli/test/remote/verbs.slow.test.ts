import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connect } from "@holdfast/client";
import { markStale } from "../../../server/src/resources/entities/mark-stale";
import { localNote } from "../../src/connection/with-connection";
import { openRemoteWorld, type RemoteWorld } from "./remote-world";

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const absent = "11111111-1111-4111-8111-111111111111";

let world: RemoteWorld;
beforeAll(async () => {
  world = await openRemoteWorld({ tasks: 300 });
}, 60_000);
afterAll(() => world.close());

/** Forms of a command: through the service, and on the data beside it. */
const forms: [string, (...args: string[]) => Promise<string>][] = [
  ["through the service", (...args) => world.result(...args)],
  ["with --local", (...args) => world.result(...args, "--local")],
];

describe.each(forms)("%s,", (form, result) => {
  const json = async (...args: string[]) => JSON.parse(await result(...args, "-o", "json"));
  const name = (what: string) => `${what} ${form}`;

  test("units, roles, users and tokens are made, shown by name, changed and deleted", async () => {
    const unit = await result("unit", "create", "--name", name("North"));
    expect(unit).toMatch(uuid);
    await result("ou", "create", "--name", "Lab", "--parent", name("North"));
    expect(await json("unit", "show", `${name("North")}/Lab`)).toMatchObject({ name: "Lab", parent_id: unit });
    await result("unit", "update", `${name("North")}/Lab`, "--name", "Workshop");
    expect(await result("units", "--unit", name("north"))).toMatch(/^└─ Workshop +/m);

    const role = await result(
      "role",
      "create",
      "--name",
      name("crew"),
      "--permissions",
      "tasks:read,tasks:abort",
      "--ou",
      unit,
    );
    await result("role", "update", name("CREW"), "--permissions", "tasks:read");
    expect(await json("role", "show", role)).toMatchObject({
      permissions: ["tasks:read"],
      organizational_unit_id: unit,
    });

    const email = `${form.replace(/\W/g, "")}@example.org`;
    const user = await result(
      "user",
      "create",
      "--email",
      email,
      "--name",
      "Ida",
      "--role",
      name("crew"),
      "--unit",
      unit,
    );
    await result("user", "grant", email, "--role", "viewer", "--unit", "Workshop");
    await result("user", "revoke", email, "--role", name("crew"), "--unit", name("North"));
    await result("user", "update", email, "--name", "Ida Berg");
    expect(await json("users", "list", "--search", "ida b")).toMatchObject([{ id: user, roles: [{ role: "viewer" }] }]);
    expect(await result("user", "invite", email)).toMatch(/\/invitation#[\w-]{43}$/);
    await result("user", "disable", user);
    expect(await json("user", "show", email)).toMatchObject({ full_name: "Ida Berg", is_enabled: false });

    const token = await result(
      "token",
      "create",
      "--kind",
      "service",
      "--name",
      name("ci"),
      "--ou",
      unit,
      "--expires",
      "1h",
    );
    expect((await connect({ token }).caller.read()).organizational_unit.id).toBe(unit);
    await result("token", "update", name("ci"), "--name", name("cd"));
    const next = await result("token", "rotate", name("cd"), "--overlap", "1h");
    expect((await connect({ token: next }).caller.read()).token?.name).toBe(name("cd"));
    const ids = (await result("token", "list", "--search", name("cd"), "-o", "id")).split("\n");
    expect(ids).toHaveLength(2);
    for (const id of ids) await result("token", "revoke", id);
    expect((await json("token", "list", "--search", name("cd"))).map(({ state }: { state: string }) => state)).toEqual([
      "revoked",
      "revoked",
    ]);

    await result("user", "delete", email, "--yes");
    await result("role", "delete", name("crew"), "--yes");
    await result("unit", "delete", "Workshop", "--yes");
    expect(await json("unit", "list", "--search", "workshop")).toEqual([]);
  }, 60_000);

  test("monitors, entities and webhooks are made, changed and deleted; secrets are the only thing that is printed", async () => {
    const monitor = [
      "monitor",
      "create",
      "--name",
      name("Files"),
      "--cron",
      "30 2 * * *",
      "--time-zone",
      "Europe/Berlin",
    ];
    const url = await result(...monitor, "--entity", `host:${name("web")}`, "--type", "restic_backup");
    expect(url).toMatch(/\/ping\/[0-9a-f-]{36}$/);
    expect((await fetch(`${world.url}${new URL(url).pathname}`)).status).toBe(200);
    expect(await result("monitor", "rotate", name("Files"))).not.toBe(url);
    await result("monitor", "update", name("Files"), "--period", "1d", "--grace", "2h");
    await result("monitor", "disable", name("Files"), "--until", "7d");
    expect(await json("monitor", "show", name("Files"))).toMatchObject({
      state: "paused",
      schedule: { period_seconds: 86_400 },
      grace_seconds: 7_200,
    });
    await result("monitor", "disable", name("Files"));
    await result("monitor", "enable", name("Files"));
    await result("monitor", "update", name("Files"), "--no-schedule");
    expect(await json("monitors", "--search", name("Files"))).toMatchObject([{ paused_until: null, schedule: null }]);
    expect(await json("task", "list", "--monitor", name("Files"))).toMatchObject([{ outcome: "success" }]);

    await result("entity", "update", name("web"), "--mute", "7d");
    expect(await json("entity", "list", "--search", name("web"))).toEqual([]);
    await result("entity", "update", name("web"), "--no-mute", "--retire");
    const [{ id }] = await json("entities", "--all", "--search", name("web"));
    expect(await json("entity", "show", id)).toMatchObject({ is_retired: true, muted_until: null });
    expect(await json("task", "--entity", id)).toHaveLength(1);

    const target = ["--kind", "standard", "--target", "https://hooks.example.org/x"];
    expect(await result("webhook", "create", "--name", name("hook"), ...target)).toMatch(/^whsec_/);
    expect(await result("webhook", "rotate", name("hook"))).toMatch(/^whsec_/);
    await result(
      "webhook",
      "update",
      name("hook"),
      "--events",
      "task.failed,task.lost",
      "--filter",
      '{"category":"backup"}',
    );
    await result("webhook", "disable", name("hook"));
    expect(await json("webhook", "show", name("hook"))).toMatchObject({
      events: ["task.failed", "task.lost"],
      filter: { category: { $eq: "backup" } },
      is_enabled: false,
    });
    await result("webhook", "enable", name("hook"));
    const refused = await world.run(["webhook", "test", name("hook"), ...(form.includes("local") ? ["--local"] : [])]);
    expect([refused.exitCode, refused.stdout]).toEqual([1, ""]);
    expect(await json("webhook", "log", "--webhook", name("hook"))).toMatchObject([{ event: "webhook.test" }]);
    const [head = "", row = ""] = (await result("webhook", "log", "--webhook", name("hook"))).split("\n");
    expect(row.slice(head.indexOf("WEBHOOK"))).toStartWith(name("hook"));
    expect(await result("webhook", "log", "--webhook", name("hook"), "-o", "csv")).toContain(
      `,${name("hook")},webhook.test,`,
    );
    await result("webhook", "delete", name("hook"), "--yes");
    await result("monitor", "delete", name("Files"), "--yes");
  }, 60_000);

  test("tasks are listed, filtered, shown, counted, waited for and aborted", async () => {
    const failed = await json("task", "--status", "failed", "--limit", "all");
    expect(failed.length).toBeGreaterThan(0);
    expect(new Set(failed.map(({ status }: { status: string }) => status))).toEqual(new Set(["failed"]));
    const some = await json("tasks", "list", "--outcome", "error,missed", "--category", "backup", "--limit", "all");
    expect(some.length).toBeGreaterThan(0);
    const [first] = failed;
    const shown = await result("task", "show", first.id);
    expect(shown).toContain(`Error           ${first.error.code}: `);
    expect(await result("task", "--limit", "2", "-o", "id")).toMatch(/^\S+\n\S+$/);
    const counts = await json("task", "counts", "--by", "all", "--group", "status");
    const total = counts.reduce((sum: number, { count }: { count: number }) => sum + count, 0);
    expect((await result("task", "--limit", "all", "-o", "ndjson")).split("\n")).toHaveLength(total);

    const client = connect({ token: world.owner });
    const queued = await client.tasks.create({ category: "backup", type: "restic_backup", status: "queued" });
    await result("task", "abort", queued.id, "--reason", "not needed");
    expect(await json("task", "show", queued.id)).toMatchObject({ status: "aborted", abort: { reason: "not needed" } });
    const good = await client.tasks.create({ category: "backup", type: "restic_backup", status: "completed" });
    expect(await json("task", "wait", good.id)).toMatchObject([{ id: good.id, outcome: "success" }]);
    await expect(result("task", "wait", good.id, queued.id)).rejects.toThrow("1 of 2 tasks did not end with success");
    await expect(result("task", "wait", absent)).rejects.toThrow(`There is no task ${absent}`);
  }, 60_000);

  test("keys, audit events, discovery and any request are read", async () => {
    expect(await json("key", "list")).toMatchObject([{ is_signing: true, kid: expect.stringMatching(/^hf-/) }]);
    const [event] = await json("audit", "--operation", "create-organizational-unit", "--limit", "1");
    expect(await json("audit", "show", event.id)).toEqual(event);
    expect(await result("discover")).toMatch(/^tasks\n└─ v1\n {3}├─ list-tasks +GET +\/tasks$/m);
    expect(JSON.parse(await result("api", "GET", "/tasks", "--query", "limit=2"))).toMatchObject({ current_count: 2 });
    expect(await result("whoami")).toMatch(/^May +api-tokens:read, /m);
  }, 60_000);
});

test("a task is waited for until it ends, and --timeout gives up", async () => {
  const client = connect({ token: world.owner });
  const task = await client.tasks.create({ category: "backup", type: "restic_backup" });
  const late = await world.run(["task", "wait", task.id, "--timeout", "1s"]);
  expect([late.exitCode, late.stderr]).toEqual([1, expect.stringContaining("1 of 1 tasks have not ended in time")]);
  const waiting = world.run(["task", "wait", task.id, "-o", "id"]);
  await client.tasks.update(task.id, {
    status: "completed",
    outcome: "warning",
    error: { code: "x", message: "m", remedy: "r" },
  });
  expect(await waiting).toMatchObject({
    exitCode: 1,
    stdout: `${task.id}\n`,
    stderr: expect.stringContaining("(Incomplete)"),
  });
  expect((await world.run(["task", "wait", task.id, "--accept-warnings"])).exitCode).toBe(0);
}, 60_000);

test("a log is followed until the task has ended", async () => {
  const client = connect({ token: world.owner });
  const task = await client.tasks.create({ category: "backup", type: "tar_create", log: { offset: 0, text: "one\n" } });
  const following = world.commandLine.start(["task", "log", task.id, "--follow"], {
    environment: { HOLDFAST_TOKEN: world.owner },
  });
  const reader = following.stdout.getReader();
  expect(new TextDecoder().decode((await reader.read()).value)).toBe("one\n");
  await client.tasks.update(task.id, { status: "completed", log: { offset: 4, text: "two\n" } });
  expect(new TextDecoder().decode((await reader.read()).value)).toBe("two\n");
  expect(await following.exited).toBe(0);
}, 60_000);

test("an item is shown with its operations, and one of them is retired and brought back", async () => {
  const client = connect({ token: world.owner });
  const primary_entity = { type: "host", value: "with-operations" };
  const backup = { category: "backup", type: "restic_backup", primary_entity } as const;
  const error = { code: "other", message: "It failed.", remedy: "Look at it." };
  await client.tasks.create({ ...backup, operation: "etc", status: "failed", error });
  await client.tasks.create({ ...backup, operation: "home", status: "completed" });
  const shown = await world.result("entity", "show", "with-operations");
  expect(shown).toMatch(/^State +failing$/m);
  expect(shown).toMatch(/^Operation +etc: never, no good backup yet$/m);
  expect(shown).toMatch(/^Operation +home: unwatched, last good .+ UTC, .+$/m);
  await world.result("entity", "update", "with-operations", "--retire-operation", "etc");
  const retired = await world.result("entity", "show", "with-operations");
  expect(retired).toMatch(/^State +unwatched$/m);
  expect(retired).toMatch(/^Operation +etc: retired, no good backup yet$/m);
  await world.result("entity", "update", "with-operations", "--resume-operation", "etc");
  expect(await world.result("entity", "show", "with-operations")).toMatch(/^State +failing$/m);
}, 60_000);

test("the end of a log is shown, and a line where bytes are missing", async () => {
  const client = connect({ token: world.owner });
  const task = await client.tasks.create({
    category: "backup",
    type: "tar_create",
    log: { offset: 0, text: "one\nt" },
  });
  await client.tasks.update(task.id, { status: "completed", log: { offset: 1_000, text: "last\nwords\n", gap: true } });
  expect(await world.result("task", "log", task.id)).toBe("one\nt\n[995 bytes are missing here]\nlast\nwords");
  expect(await world.result("task", "log", task.id, "--tail", "6")).toBe("words");
  expect(await world.result("task", "log", task.id, "--tail", "2000")).toBe(
    "[995 bytes are missing here]\nlast\nwords",
  );
}, 60_000);

test("without a terminal, watching prints a line for every change, and a signal ends it well", async () => {
  const environment = { HOLDFAST_TOKEN: world.owner };
  const watching = world.commandLine.start(["task", "watch", "--type", "watched_type", "-o", "ndjson"], {
    environment,
  });
  const client = connect({ token: world.owner });
  const reader = watching.stdout.getReader();
  const line = reader.read();
  const task = await client.tasks.create({ category: "system", type: "watched_type", status: "queued" });
  expect(JSON.parse(new TextDecoder().decode((await line).value))).toMatchObject({ id: task.id, status: "queued" });
  watching.kill("SIGINT");
  expect(await watching.exited).toBe(0);
}, 60_000);

describe("status", () => {
  test("is 1 while something needs attention, and names it", async () => {
    const ended = await world.run(["status"]);
    expect([ended.exitCode, ended.stderr]).toEqual([1, ""]);
    expect(ended.stdout).toMatch(/^✗ \d+ of \d+ items need attention: /);
  });

  test("counts the states that the console counts, and names what is incomplete apart", async () => {
    const status = JSON.parse((await world.run(["status", "-o", "json"])).stdout);
    const { never, failing, missed, stale, incomplete, unwatched } = status.entities;
    expect(status.attention_count).toBe(never + failing + missed + stale);
    expect(JSON.stringify(status)).not.toMatch(/"_links"|"ping_url"/);
    const strict = JSON.parse((await world.run(["status", "--strict", "-o", "json"])).stdout);
    expect([strict.attention_count, strict.incomplete]).toEqual([
      never + failing + missed + stale + incomplete + unwatched,
      [],
    ]);
    const ids = (await world.run(["status", "-o", "id"])).stdout.trimEnd().split("\n");
    expect(ids).toEqual(status.attention.map(({ id }: { id: string }) => id));
    const [head, ...rows] = (await world.run(["status", "-o", "csv"])).stdout.trimEnd().split("\n");
    expect([head, rows.length]).toEqual(["id,name,type,state,last_good_backup,organizational_unit_id", ids.length]);
    const client = connect({ token: world.owner });
    const inState = async (state: string[]) =>
      (await client.monitors.list({ filter: { state: { $in: state } } }).page()).total_count;
    expect(status.monitors_in_trouble_count).toBe(await inState(["missed", "failed", "late"]));
  });

  test("is 0 with an incomplete backup, which counts with --strict", async () => {
    const unit = await world.result("unit", "create", "--name", "Half");
    const backup = { category: "backup", type: "tar_create", status: "completed" } as const;
    const error = { code: "files_unreadable", message: "Some files could not be read." };
    const client = connect({ token: world.owner }).in(unit);
    for (let index = 0; index < 12; index++) {
      const primary_entity = { type: "host", value: `half-${index}` };
      await client.tasks.create({ ...backup, outcome: "warning", error, primary_entity });
    }
    const calm = await world.run(["status", "--unit", "Half"]);
    expect([calm.exitCode, calm.stdout]).toEqual([
      0,
      expect.stringMatching(/^! Nothing needs attention\. The last backup of 12 items is incomplete\.\n/),
    ]);
    expect(calm.stdout).toMatch(/^Incomplete {2}half-\d+, .*\n {12}and 2 more: holdfast entity --state incomplete$/m);
    const strict = await world.run(["status", "--unit", "Half", "--strict"]);
    expect(strict.exitCode).toBe(1);
    expect(strict.stdout).toMatch(/^✗ 12 of 12 items need attention: 12 incomplete\.\n/);
    expect(strict.stdout).toContain("\nand 2 more: holdfast entity --state incomplete\n");
    await client.tasks.create({ category: "system", type: "check", status: "queued" });
    expect((await world.run(["status", "--unit", "Half"])).stdout).toMatch(/^Running {5}0, queued 1$/m);
  });

  test("is 1 with an item that is only stale: its last good backup is old, and nothing watches it", async () => {
    const unit = await world.result("unit", "create", "--name", "Silent");
    await world.result("unit", "update", "Silent", "--stale-after", "2");
    const day = 86_400_000;
    const report = (value: string, age_ms: number) =>
      connect({ token: world.owner })
        .in(unit)
        .tasks.create({
          category: "backup",
          type: "tar_create",
          status: "completed",
          primary_entity: { type: "host", value },
          age_ms,
        });
    const status = () => world.run(["status", "--unit", "Silent"]);
    await report("heard", day);
    expect([(await status()).exitCode, (await status()).stdout]).toEqual([
      0,
      expect.stringMatching(/^! Nothing needs attention\. No monitor watches 1 item: /),
    ]);
    await report("silent", 3 * day);
    // As the service does, which gives reports that were spooled a quarter of an hour after its start to arrive.
    const id = await world.result("entity", "list", "--unit", "Silent", "--search", "silent", "-o", "id");
    await world.commandLine.inDatabase((database) =>
      database.change((db) => markStale(db, new Map([[id, Date.now() - 2 * day]]))),
    );
    expect([(await status()).exitCode, (await status()).stdout]).toEqual([
      1,
      expect.stringMatching(/^✗ 1 of 2 items needs attention: 1 stale\.\n/),
    ]);
  });

  test("names tokens that expire soon, without changing the answer, to those who may list tokens", async () => {
    const unit = await world.result("unit", "create", "--name", "Tokens");
    const backup = { category: "backup", type: "tar_create", status: "completed" } as const;
    const primary_entity = { type: "host", value: "kept" };
    await connect({ token: world.owner })
      .in(unit)
      .tasks.create({ ...backup, primary_entity });
    const create = (name: string, life: string) =>
      world.result("token", "create", "--kind", "service", "--name", name, "--unit", "Tokens", "--expires", life);
    await create("short", "12h");
    await create("late", "40d");
    await create("soon", "5d");
    const status = () => world.run(["status", "--unit", "Tokens"]);
    expect((await status()).stdout).not.toContain("Expiring");
    await world.commandLine.inDatabase((database) =>
      database.change((db) => db.updateTable("api_tokens").set({ created_at: 0 }).where("name", "=", "soon").execute()),
    );
    const warned = await status();
    expect([warned.exitCode, warned.stdout]).toEqual([0, expect.stringMatching(/^! Nothing needs attention/)]);
    expect(warned.stdout).toMatch(
      /^Expiring {4}soon in [45]d.*\n {12}Renew them where they are used: holdfast token renew$/m,
    );
    const json = JSON.parse((await world.run(["status", "--unit", "Tokens", "-o", "json"])).stdout);
    expect(json).toMatchObject({ expiring_token_count: 1, expiring_tokens: [{ name: "soon", kind: "service" }] });
    const viewer = await world.tokenFor("viewer");
    expect((await world.run(["status", "--unit", "Tokens"], { HOLDFAST_TOKEN: viewer })).stdout).not.toContain("soon");
  });

  test("is 2 for a unit that does not exist", async () => {
    const ended = await world.run(["status", "--unit", "Typo"]);
    expect([ended.exitCode, ended.stdout]).toEqual([2, ""]);
  });

  test("is 0 if nothing needs attention, and 1 if nothing is known", async () => {
    const [empty, safe] = [
      await world.result("unit", "create", "--name", "Empty"),
      await world.result("unit", "create", "--name", "Safe"),
    ];
    expect(await world.run(["status", "--unit", empty])).toMatchObject({
      exitCode: 1,
      stdout: expect.stringMatching(/^✗ Nothing is protected/),
    });
    const client = connect({ token: world.owner }).in(safe);
    await client.tasks.create({
      category: "backup",
      type: "tar_create",
      status: "completed",
      primary_entity: { type: "host", value: "safe" },
    });
    const calm = await world.run(["status", "--unit", "Safe"]);
    expect([calm.exitCode, calm.stdout]).toEqual([0, expect.stringMatching(/^! Nothing needs attention/)]);
    const strict = await world.run(["status", "--unit", "Safe", "--strict", "-o", "json"]);
    expect([strict.exitCode, JSON.parse(strict.stdout)]).toMatchObject([
      1,
      { is_protected: false, needs_attention: true, entities: { unwatched: 1 } },
    ]);
  });

  test.each([
    ["nothing answers", { HOLDFAST_URL: "http://127.0.0.1:9" }, "cannot be reached: the connection is refused."],
    ["the host is not known", { HOLDFAST_URL: "http://holdfast.invalid" }, "the name of the host is not known."],
    ["the role may not see it", {}, "holdfast: This needs the permission "],
  ])(
    "is 3 where %s",
    async (_, environment, message) => {
      const token = await world.tokenFor("reporter");
      const ended = await world.run(["status"], { HOLDFAST_TOKEN: token, ...environment });
      expect([ended.exitCode, ended.stdout, ended.stderr]).toEqual([3, "", expect.stringContaining(message)]);
    },
    60_000,
  );
});

test.each([
  ["api-tokens:write", ["token", "create", "--kind", "service", "--name", "x", "--role", "viewer"]],
  ["monitors:write", ["monitor", "create", "--name", "x", "--period", "1h"]],
  ["keys:write", ["key", "rotate"]],
  ["audit-events:read", ["audit", "list"]],
])(
  "a command that needs %s says so to a role without it",
  async (permission, args) => {
    const ended = await world.run(args, { HOLDFAST_TOKEN: await world.tokenFor("viewer") });
    expect([ended.exitCode, ended.stderr]).toEqual([
      1,
      `holdfast: This needs the permission ${permission}. Ask an administrator for a role that has it. If yours has it (see: holdfast whoami), the service is older than this command: upgrade it.\n`,
    ]);
  },
  60_000,
);

test("an address with https where the service speaks http is named as such", async () => {
  const ended = await world.run(["unit"], {
    HOLDFAST_TOKEN: world.owner,
    HOLDFAST_URL: world.url.replace("http:", "https:"),
  });
  expect([ended.exitCode, ended.stderr]).toEqual([3, expect.stringContaining("does not speak TLS there.")]);
}, 60_000);

test("the outcome of an incomplete backup is found by both of its names, and shown by the one of the console", async () => {
  const error = { code: "files_unreadable", message: "Some files\ncould not be read." };
  const half = { category: "backup", type: "half_backup", status: "completed", outcome: "warning", error } as const;
  const { id } = await connect({ token: world.owner }).tasks.create(half);
  const list = ["task", "--type", "half_backup", "--outcome"];
  expect(await world.result(...list, "incomplete", "-o", "id")).toBe(id);
  expect(await world.result(...list, "warning")).toMatch(/ Incomplete /);
  expect(await world.result(...list, "warning", "-o", "csv")).toContain(",warning,");
  expect(await world.result("task", "show", id)).toMatch(
    /^Error +files_unreadable: Some files\n +could not be read\.$/m,
  );
  expect((await world.run([...list, "lost"])).stderr).toBe("No task matches.\n");
});

describe("which one is asked is always clear:", () => {
  const elsewhere = "http://127.0.0.1:9";

  test("without a profile and a token, the data of this machine, and a sentence says so", async () => {
    const { stdout, stderr, exitCode } = await (async () => {
      const environment = { HOLDFAST_URL: elsewhere };
      const child = world.commandLine.start(["unit", "list", "-o", "id"], { environment });
      return { stdout: await child.stdout.text(), stderr: await child.stderr.text(), exitCode: await child.exited };
    })();
    expect([exitCode, stderr]).toEqual([0, `${localNote}\n`]);
    expect(stdout).toContain("00000000-0000-0000-0000-000000000000");
  }, 60_000);

  test("a setting means the data, whatever token there is", async () => {
    const environment = { HOLDFAST_TOKEN: world.owner, HOLDFAST_URL: elsewhere };
    const local = await world.run(["unit", "list", "-o", "id", "--data-dir", world.commandLine.data], environment);
    expect([local.exitCode, local.stderr]).toEqual([0, ""]);
    const both = await world.run(["unit", "list", "--local", "--url", elsewhere], environment);
    expect([both.exitCode, both.stderr]).toEqual([2, expect.stringContaining("Leave one out.")]);
  });

  test("HOLDFAST_TOKEN and HOLDFAST_URL win over a profile, whose token goes to no other address", async () => {
    const input = await world.tokenFor("admin");
    expect((await world.commandLine.run(["login", "--profile", "here"], { input })).exitCode).toBe(0);
    expect((await world.run(["whoami", "-o", "json"], {})).stdout).toContain('"profile": "here"');
    expect((await world.run(["unit"], { HOLDFAST_TOKEN: world.owner, HOLDFAST_URL: elsewhere })).exitCode).toBe(3);
    expect(await world.run(["unit"], { HOLDFAST_URL: elsewhere })).toEqual({
      stdout: "",
      stderr: `holdfast: There is no token for ${elsewhere}. Log in with: holdfast login ${elsewhere}\n`,
      exitCode: 2,
    });
    expect((await world.run(["unit"], { HOLDFAST_URL: `${world.url}/` })).exitCode).toBe(0);
    expect((await world.run(["unit", "--profile", "there"], {})).stderr).toContain(
      "There is no profile there. There are: here.",
    );
    expect((await world.run(["logout", "--revoke"], {})).stderr).toContain("Its token is revoked.");
    expect((await world.run(["unit"], { HOLDFAST_TOKEN: input })).exitCode).toBe(3);
  }, 60_000);
});

test("wrong use is one sentence with what to do, before anything is asked", async () => {
  const cases: [string[], string][] = [
    [["taks"], "Unknown command 'taks'. Did you mean task? See: holdfast --help"],
    [["task", "lits"], "task has no verb 'lits'. Did you mean list? Its verbs are list, show, log, "],
    [["task", "foo", "bar"], "task has no verb 'foo'. Its verbs are list, show, log, "],
    [["token", "delete", "first"], "token has no verb 'delete'. Did you mean revoke? Its verbs are "],
    [["key", "delete", "x", "--yes"], "key has no verb 'delete'. Did you mean retire? Its verbs are "],
    [["task", "--status", "faild"], "Write one or more of queued, in_progress"],
    [["task", "--since", "yesterday"], "Write a timestamp such as"],
    [["task", "-o", "xml"], "Write one of table, json, ndjson, csv, id."],
    [["unit", "update", absent], "Name what is to change: --name, --parent or --stale-after."],
    [["unit", "--url", "backup.example.org"], "Write https://backup.example.org."],
    [["login", "localhost:18777"], "localhost:18777 is no address of a service. Write http://localhost:18777."],
    [["login", "127.0.0.1:18777"], "Write http://127.0.0.1:18777."],
    [["login", "ftp://foo"], "ftp://foo is no address of a service. Write one such as https://backup.example.org."],
    [["api", "GET", "https://elsewhere.example/tasks"], "Write a path such as /tasks, without the address."],
    [["token", "create", "--kind", "personal", "--name", "a", "--user", absent], "leave --user out, or use --local"],
    [
      ["monitor", "create", "--name", "a", "--cron", "* * * * *", "--period", "1d"],
      "Give --cron or --period, not both.",
    ],
  ];
  for (const [args, message] of cases) {
    expect({ args, ...(await world.run(args)) }).toEqual({
      args,
      stdout: "",
      stderr: expect.stringMatching(new RegExp(`^holdfast: .*${message.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}.*\n$`)),
      exitCode: 2,
    });
  }
}, 60_000);

test("a profile file that others can read is refused, and a token in a file is taken", async () => {
  const file = join(world.commandLine.folder, "token");
  writeFileSync(file, `${world.owner}\n`);
  const stderrWith = async (mode: number) => {
    chmodSync(file, mode);
    const { stdout, stderr } = await world.run(["whoami", "--token-file", file, "-o", "id"], {});
    expect(stdout).toMatch(/^[0-9a-f-]{36}\n$/);
    return stderr;
  };
  expect(await stderrWith(0o640)).toBe("");
  expect(await stderrWith(0o644)).toContain(`Everyone on this machine can read the token in ${file}. Run chmod 600 `);
  const folder = join(world.commandLine.folder, "open/holdfast");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "profiles.json"), JSON.stringify({ profiles: {} }));
  chmodSync(join(folder, "profiles.json"), 0o644);
  const environment = { XDG_CONFIG_HOME: join(world.commandLine.folder, "open") };
  expect((await world.run(["unit"], environment)).stderr).toContain("Run chmod 600 ");
}, 60_000);
