import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { connect } from "@holdfast/client";
import { buildProgram } from "../../src/command-line";
import { type DescribedCommand, describeCommand } from "../../src/grammar/describe-commands";
import { defaultTimeouts } from "../../src/supervisor/timeouts";
import { openRemoteWorld, type RemoteWorld } from "./remote-world";

let world: RemoteWorld;
beforeAll(async () => {
  world = await openRemoteWorld({ tasks: 300 });
}, 60_000);
afterAll(() => world.close());

const json = async (...args: string[]) => JSON.parse(await world.result(...args, "-o", "json"));

describe("a noun without a verb", () => {
  test.each(["task", "monitor", "entity", "webhook", "user", "role", "token", "key", "audit"])(
    "shows what is named after %s, as show does",
    async (noun) => {
      const [id = ""] = (await world.result(noun, "list", "-o", "id", "--limit", "1")).split("\n");
      const shown = await json(noun, "show", id);
      expect(await json(noun, id)).toEqual(shown);
      expect(JSON.parse(await world.result(noun, "-o", "json", id))).toEqual(shown);
      expect(await world.result(noun, id, "-o", "id")).toBe(id);
    },
  );

  test("shows what is named by a name, and takes the options of show", async () => {
    const [monitor] = await json("monitor", "list", "--limit", "1");
    expect(await json("monitors", monitor.slug)).toMatchObject({ id: monitor.id });
    expect(await json("unit", "Root", "--local")).toMatchObject({ name: "Root" });
    expect(await json("users", "--local", (await json("user", "list"))[0].email)).toHaveProperty("email");
  });

  test("says that nothing has the name, and which verbs there are", async () => {
    expect(await world.run(["monitor", "nosuch"])).toEqual({
      stdout: "",
      stderr:
        'holdfast: There is no monitor "nosuch", or you may not see it. See: holdfast monitor list (The verbs of monitor are list, show, suggest, create, update, enable, disable, rotate, delete.)\n',
      exitCode: 1,
    });
  });

  test("lists what waits in the spool", async () => {
    const folder = join(world.commandLine.folder, "spool");
    mkdirSync(folder, { recursive: true });
    const environment = { HOLDFAST_SPOOL: folder };
    const empty = { stdout: "", stderr: "", exitCode: 0 };
    expect(await world.run(["spool"], environment)).toEqual(empty);
    expect(await world.run(["spool", "--spool-dir", folder], {})).toEqual(empty);
    expect(await world.run(["spool", "foo"], environment)).toEqual({
      stdout: "",
      stderr: "holdfast: spool has no verb 'foo'. Its verbs are list, deliver. See: holdfast spool --help\n",
      exitCode: 2,
    });
  });
});

const long = "x".repeat(300);
const cut = `${"x".repeat(79)}…`;

describe("a refusal of the service names the flag:", () => {
  const monitor = ["monitor", "create", "--name", "a"];
  const webhook = ["webhook", "create", "--name", "a", "--kind"];
  test.each([
    [[...webhook, "standard", "--target", "foo"], "--target has to be an address that begins with https://."],
    [[...webhook, "slack"], "--target has to be given for slack."],
    [
      [...webhook, "standard", "--target", "https://127.0.0.1/"],
      "--target has to be an address on the internet, which ",
    ],
    [[...webhook, "slack", "--filter", '{"nosuch":1}'], "--filter has to be a filter of tasks, such as "],
    [[...monitor, "--period", "1s"], "--period, in seconds, has to be 60 to 31536000."],
    [[...monitor, "--cron", "* * * * *", "--time-zone", "Foo"], '--time-zone: There is no time zone "Foo". Give '],
    [[...monitor, "--cron", "77 * * * *"], '--cron: In the field minute, "77" is no minute. '],
    [[...monitor, "--cron", long], "--cron has to be at most 200 characters."],
    [[...monitor, "--grace", "9999w"], "--grace, in seconds, has to be "],
    [[...monitor, "--slug", "A B"], "--slug has to be 1 to 100 characters of a-z, 0-9, _ and -."],
    [[...monitor, "--entity", `host:${long.repeat(4)}`], "--entity has to be "],
    [["token", "rotate", "owner", "--overlap", "999d"], "--overlap, in seconds, has to be "],
    [["task", "list", "--since", "9999999w"], "--since has to be an RFC 3339 timestamp such as "],
    [
      ["role", "create", "--name", "a", "--permissions", "tasks:read", "--description", long.repeat(20)],
      "--description ",
    ],
  ])("case %#", async (args, message) => {
    for (const where of [[], ["--local"]]) {
      const { stderr, exitCode } = await world.run([...args, ...where]);
      expect({ stderr: stderr.slice(0, `holdfast: ${message}`.length), exitCode }).toEqual({
        stderr: `holdfast: ${message}`,
        exitCode: 1,
      });
    }
  });

  test("what the operator does in place of people names it, too", async () => {
    const args = ["user", "create", "--email", "a@example.org", "--name", "a\u0001", "--local"];
    expect((await world.run(args)).stderr).toBe("holdfast: --name has to be 1 to 200 characters on one line.\n");
  });

  test("people who hold a role above a unit are found for what is made in it", async () => {
    await world.result("unit", "create", "--name", "Moor");
    const person = ["--email", "above@example.org", "--name", "Above"];
    await world.result("user", "create", ...person, "--role", "viewer", "--unit", "Root", "--local");
    const recipients = ["--target", "https://chat.example.org/x", "--recipients", "above@example.org"];
    expect((await world.run([...webhook, "slack", ...recipients, "--unit", "Moor"])).stderr).toBe(
      "holdfast: --recipients has to be left out for all kinds but mail.\n",
    );
  });

  test("holdfast api keeps the names of the API", async () => {
    const body = JSON.stringify({ name: "a", kind: "standard", url: "foo", events: ["task.failed"] });
    expect((await world.run(["api", "POST", "/webhooks", "--body", body])).stderr).toBe(
      'holdfast: The field "url" has to be an address that begins with https://.\n',
    );
  });
});

test.each([
  [["monitor", "create", "--name", long], `holdfast: Option '--name <name>' argument '${cut}' is invalid. `],
  [["monitor", "create", `--name=${long}`], `holdfast: Option '--name <name>' argument '${cut}' is invalid. `],
  [["monitor", "show", long], `holdfast: There is no monitor "${cut}", or you may not see it. `],
  [["task", "list", long, "x"], `holdfast: task has no verb '${cut}'. `],
  [[long], `holdfast: Unknown command '${cut}'. `],
  [["task", "list", `--${long}`], `holdfast: Unknown option '--${cut.slice(2)}'. `],
  [["role", "show", `a"${long}`], `holdfast: There is no role "a\\"${cut.slice(3)}". `],
  [["unit", "--url", long], `holdfast: ${cut} is no address of a service. Write `],
])("what a message repeats is cut, case %#", async (args, message) => {
  const { stderr } = await world.run(args);
  expect(stderr.slice(0, message.length)).toBe(message);
  expect(stderr).not.toContain("x".repeat(81));
});

test("help marks the options that a command needs", async () => {
  const everyCommand = (command: DescribedCommand): DescribedCommand[] => [
    command,
    ...command.commands.flatMap(everyCommand),
  ];
  const marked = everyCommand(describeCommand(await buildProgram(defaultTimeouts)))
    .map(({ path, options }) => [
      path.join(" "),
      options.filter(({ description }) => /\(required\)$/.test(description)).map(({ long }) => long),
    ])
    .filter(([, options]) => options?.length);
  expect(Object.fromEntries(marked)).toEqual({
    "task prune": ["--older-than-days"],
    "monitor create": ["--name"],
    "webhook create": ["--name", "--kind"],
    "user create": ["--email", "--name"],
    "user grant": ["--role"],
    "user revoke": ["--role"],
    "role create": ["--name", "--permissions"],
    "unit create": ["--name"],
    "unit rename": ["--name"],
    "unit move": ["--parent"],
    "token create": ["--kind", "--name"],
    "token update": ["--name"],
    "view create": ["--name", "--page", "--query"],
    "database move": ["--from", "--to"],
  });
  expect((await world.run(["monitor", "create", "--help"])).stdout).toMatch(/--name <name> +Its name\. \(required\)\n/);
});

test("monitors in trouble are listed first", async () => {
  const order = ["missed", "failed", "late", "waiting", "ok", "paused"];
  const states = async (...args: string[]) =>
    (await json("monitor", "list", ...args)).map(({ state }: { state: string }) => order.indexOf(state));
  const shown = await states();
  expect(new Set(shown).size).toBeGreaterThan(2);
  expect(shown).toEqual(shown.toSorted());
  expect(shown).toEqual(await states("--sort", "state"));
  expect(await states("--sort", "name")).not.toEqual(shown);
});

describe("show prints words", () => {
  const names = async (noun: string, id: string) =>
    (await world.result(noun, "show", id)).split("\n").map((line) => line.split("  ")[0]);
  const first = async (noun: string, ...more: string[]) =>
    (await world.result(noun, "list", "-o", "id", "--limit", "1", ...more)).split("\n")[0] ?? "";

  test.each(["task", "monitor", "entity", "webhook", "user", "role", "token", "key", "audit"])(
    "of the noun %s, without names of fields and JSON",
    async (noun) => {
      const shown = await world.result(noun, "show", await first(noun));
      expect(shown.split("\n").length).toBeGreaterThanOrEqual(5);
      expect(shown).not.toMatch(
        /[{}[\]]|"\w+":|\w_(id|ids|timestamp|seconds)\b|^(is|has) |^(primary|organizational) /im,
      );
      expect(shown).not.toMatch(/\d{4}-\d\d-\d\dT\d\d/);
    },
  );

  test("a task: the operation that it is a run of, unless that is its type", async () => {
    const report = { category: "backup", type: "restic_backup", status: "completed" };
    const create = async (more: object): Promise<string> =>
      JSON.parse(await world.result("api", "POST", "/tasks", "--body", JSON.stringify({ ...report, ...more }))).id;
    const operation = "restic_backup /etc → nas:/restic";
    expect(await world.result("task", await create({ operation }))).toMatch(
      new RegExp(`^Operation +${operation}$`, "m"),
    );
    expect(await world.result("task", await create({ operation: report.type }))).not.toContain("Operation");
  });

  test("a monitor: state, schedule, runs and unit come before ids", async () => {
    await world.result("monitor", "create", "--name", "Words", "--cron", "30 2 * * *", "--entity", "host:web-1");
    expect(await names("monitor", "words")).toEqual([
      ...["Monitor", "State", "Protects", "Runs are expected", "Next run", "May begin late by", "Last runs"],
      ...["Its runs are", "A run may take", "Unit", "Slug", "Ping URL", "Created", "Id"],
    ]);
    const shown = await world.result("monitor", "words");
    expect(shown).toMatch(/^Protects +host web-1$/m);
    expect(shown).toMatch(/^May begin late by +1h$/m);
    expect(shown).toMatch(/^Unit +Root$/m);
    await world.result("monitor", "disable", "words");
    expect(await world.result("monitor", "words")).toMatch(/^State +paused$/m);
  });

  test("an entity: its monitors by name, its evidence with the task", async () => {
    const watched = await json("entity", "list", "--state", "good", "--limit", "1");
    const monitor = await json("monitor", watched[0].monitor_ids[0]);
    const shown = await world.result("entity", watched[0].id);
    expect(shown).toContain(`Watched by        ${monitor.name}`);
    expect(shown).toMatch(/^Last good backup +\d{4}-\d\d-\d\d \d\d:\d\d UTC, .* ago \(task [0-9a-f-]{36}\)$/m);
  });

  test("a user: roles and units by name; a webhook: its filter in words", async () => {
    const email = "words@example.org";
    await world.result(
      "user",
      "create",
      "--email",
      email,
      "--name",
      "Wor Ds",
      "--role",
      "viewer",
      "--unit",
      "Root",
      "--local",
    );
    expect(await world.result("user", email)).toMatch(/^Roles +viewer in Root$/m);
    const filtered = (await json("webhook", "list")).find(({ filter }: { filter: unknown }) => filter !== null);
    expect(await world.result("webhook", filtered.id)).toMatch(/^Of tasks +[A-Z][a-z]+/m);
  });

  test("other formats stay as they are", async () => {
    const id = await first("monitor");
    expect(Object.keys(await json("monitor", id))).toContain("organizational_unit_id");
    expect(await world.result("monitor", id, "-o", "csv")).toContain("organizational_unit_id");
  });
});

describe("monitor suggest", () => {
  const hour = 3_600_000;
  /** Reports runs of an item every six hours, the last of which was an hour ago. */
  async function runOften(item: string, count: number): Promise<void> {
    const client = connect({ token: world.owner });
    for (let ago = count - 1; ago >= 0; ago--) {
      await client.tasks.create({
        category: "backup",
        type: "tar_create",
        operation: "tar_create /srv",
        status: "completed",
        primary_entity: { type: "folder", value: item },
        age_ms: (6 * ago + 1) * hour,
      });
    }
  }
  const ours = async (...args: string[]) =>
    (await json("monitor", "suggest", ...args)).filter(({ operation }: { operation: string }) =>
      operation.startsWith("tar_create"),
    );

  test("lists what is trusted, in the time zone of this machine unless another is given, and mentions the rest", async () => {
    await runOften("web-1/srv", 20);
    await runOften("web-2/srv", 5);
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const [one, ...others] = await ours();
    expect(others).toEqual([]);
    expect(one).toMatchObject({ primary_entity: { value: "web-1/srv" }, confidence: "high" });
    expect([zone, "UTC"]).toContain(one.monitor.schedule.time_zone);
    const [elsewhere] = await ours("--time-zone", "Asia/Kolkata");
    expect(elsewhere.monitor.schedule.time_zone).toBe("Asia/Kolkata");
    const all = ["--confidence", "high,medium,low"];
    expect((await ours(...all)).map(({ confidence }: { confidence: string }) => confidence)).toEqual(["high", "low"]);
    const { stdout, stderr } = await world.run(["monitor", "suggest"]);
    expect(stdout).toMatch(/^ITEM +OPERATION +EXPECTED +GRACE +CONFIDENCE +UNIT +WHY$/m);
    expect(stdout).toMatch(
      /^web-1\/srv +tar_create \/srv +\d+ \S+ \* \* \*.* +15m +high +Root +20 of the last 20 runs /m,
    );
    expect(stderr).toMatch(/^\d+ more (has|have) a low confidence\. To see (it|them): --confidence high,medium,low\n$/);
    expect((await world.run(["monitor", "suggest", "--time-zone", "Mars/Base"])).stderr).toBe(
      'holdfast: There is no time zone "Mars/Base". Give a name of the IANA database, such as Europe/Berlin.\n',
    );
  });

  test("creates them, and says which it could not", async () => {
    const created = await world.run(["monitor", "suggest", "--create", "-o", "id"]);
    expect(created).toMatchObject({ stderr: expect.stringMatching(/Created (\d+) of \1 monitors\.\n$/), exitCode: 0 });
    const monitor = await json("monitor", "web-1-srv-tar_create-srv");
    expect(monitor).toMatchObject({ operation: "tar_create /srv", state: "waiting" });
    expect(created.stdout.split("\n")).toContain(monitor.id);
    expect(await ours()).toEqual([]);
    expect(await world.result("monitor", "web-1-srv-tar_create-srv")).toMatch(/^Follows +tar_create \/srv$/m);
    expect((await world.run(["monitor", "suggest"])).stderr).toContain(
      "Nothing that runs regularly is without a monitor.",
    );
    const viewer = { HOLDFAST_TOKEN: await world.tokenFor("viewer") };
    const refused = await world.run(["monitor", "suggest", "--create", "--confidence", "low"], viewer);
    expect([refused.exitCode, refused.stdout]).toEqual([1, ""]);
    expect(refused.stderr).toMatch(/create-monitors|monitors:write/);
  });
});
