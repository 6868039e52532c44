import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { connect } from "@holdfast/client";
import { openRelay } from "./relay";
import { openRemoteWorld, profilesFile, type RemoteWorld } from "./remote-world";
import { play } from "./screen";

let world: RemoteWorld;
beforeAll(async () => {
  world = await openRemoteWorld({ tasks: 60 });
}, 60_000);
afterAll(() => world.close());

test("login asks for the token without showing it, keeps it for its owner alone, and whoami says who, where, until when and what", async () => {
  const login = world.onTerminal(["login", world.url], { environment: {} });
  await login.until("(it is not shown): ");
  login.type(`${world.owner}\r`);
  expect([await login.exited, login.written().includes(world.owner.slice(20, 40))]).toEqual([0, false]);
  expect(login.written()).toContain(`Logged in to ${world.url} as the service token owner, until `);
  expect(statSync(profilesFile(world)).mode & 0o777).toBe(0o600);

  const whoami = world.onTerminal(["whoami"], { environment: { NO_COLOR: "1" } });
  expect(await whoami.exited).toBe(0);
  const { lines } = play(whoami.written());
  expect(lines.map((line) => line.split(/ {2,}/)[0]).filter((word) => word !== "")).toEqual(
    expect.arrayContaining(["Who", "Where", "Unit", "With", "Until", "May"]),
  );
  const json = JSON.parse((await world.run(["whoami", "-o", "json"], {})).stdout);
  expect(json).toMatchObject({ kind: "service", url: world.url, profile: "default" });
  expect(json.permissions).toContain("tasks:read");

  const out = await world.run(["logout"], {});
  expect([out.exitCode, JSON.parse(readFileSync(profilesFile(world), "utf8")).profiles]).toEqual([0, {}]);
}, 60_000);

test("login reads standard input where it is no terminal, and one that is refused is not kept", async () => {
  rmSync(profilesFile(world), { force: true });
  const refused = await world.commandLine.run(["login", world.url], { input: `${world.owner.slice(0, -4)}AAAA\n` });
  expect([refused.exitCode, refused.stdout, existsSync(profilesFile(world))]).toEqual([3, "", false]);
  const taken = await world.commandLine.run(["login"], { input: `${world.owner}\n` });
  expect([taken.exitCode, taken.stdout]).toEqual([0, ""]);
  expect((await world.run(["profiles", "-o", "json"], {})).stdout).toContain(`"url": "${world.url}"`);
  expect((await world.run(["profiles"], {})).stdout).not.toContain(world.owner);
  rmSync(profilesFile(world));
}, 60_000);

test("a list is coloured on a terminal, not with NO_COLOR, not in a pipe, and fits the width", async () => {
  const coloured = world.onTerminal(["task", "--limit", "5"], { columns: 90 });
  const plain = world.onTerminal(["task", "--limit", "5"], {
    columns: 90,
    environment: { HOLDFAST_TOKEN: world.owner, NO_COLOR: "1" },
  });
  expect([await coloured.exited, await plain.exited]).toEqual([0, 0]);
  expect([coloured.written().includes("\x1b["), plain.written().includes("\x1b[")]).toEqual([true, false]);
  expect(Math.max(...play(coloured.written()).lines.map((line) => Bun.stringWidth(line)))).toBeLessThanOrEqual(90);
  expect((await world.run(["task", "--limit", "5"])).stdout).not.toContain("\x1b");
}, 60_000);

test.each([
  ["q", "q"],
  ["Ctrl-C", "\x03"],
])(
  "task --watch redraws with progress bars, and %s leaves the screen as it was",
  async (_, key) => {
    const client = connect({ token: world.owner });
    const task = await client.tasks.create({
      category: "backup",
      type: "restic_backup",
      name: "Watched",
      progress_percentage: 10,
    });
    const watch = world.onTerminal(["task", "--watch", "--type", "restic_backup", "--status", "in_progress"], {
      columns: 160,
    });
    await watch.until("10 %");
    await client.tasks.update(task.id, { progress_percentage: 60, progress_message: "halfway there" });
    await watch.until("halfway there");
    expect(watch.written()).toContain("█████████▌░░░░░░");
    watch.type(key);
    expect(await watch.exited).toBe(0);
    expect(play(watch.written())).toEqual({ lines: [""], isCursorShown: true, isMain: true });
    await client.tasks.update(task.id, { status: "completed" });
  },
  60_000,
);

test("a signal ends task --watch with a clean screen, too", async () => {
  const watch = world.onTerminal(["task", "watch"]);
  await watch.until("q ends");
  process.kill(watch.pid, "SIGTERM");
  expect(await watch.exited).toBe(0);
  expect(play(watch.written())).toEqual({ lines: [""], isCursorShown: true, isMain: true });
}, 60_000);

test("task --watch says that the connection is lost, and continues when the service is back", async () => {
  const target = Number(new URL(world.url).port);
  const relay = await openRelay(target, 0);
  const environment = { HOLDFAST_TOKEN: world.owner, HOLDFAST_URL: `http://127.0.0.1:${relay.port}` };
  const watch = world.onTerminal(["task", "watch", "--type", "relayed"], { columns: 120, environment });
  await watch.until("0 tasks, 0 of those shown");
  expect(watch.written().indexOf("reading…")).toBeLessThan(watch.written().indexOf("0 tasks"));
  await relay.close();
  await watch.until("\x1b[31mno connection since ");
  const again = await openRelay(target, relay.port);
  await connect({ token: world.owner }).tasks.create({ category: "system", type: "relayed", status: "queued" });
  await watch.until("1 tasks, 1 of those shown not ended   ");
  watch.type("q");
  expect(await watch.exited).toBe(0);
  await again.close();
}, 120_000);

test("on 80 columns a list of tasks has items, errors and short ids, by which tasks are shown", async () => {
  const client = connect({ token: world.owner });
  const error = { code: "repository_locked", message: "The repository is locked by another process." };
  const primary_entity = { type: "host", value: "narrow-web-01" };
  const task = await client.tasks.create({
    category: "backup",
    type: "narrow_backup",
    status: "failed",
    error,
    primary_entity,
  });
  const list = world.onTerminal(["task", "--type", "narrow_backup"], {
    columns: 80,
    environment: { HOLDFAST_TOKEN: world.owner, NO_COLOR: "1" },
  });
  expect(await list.exited).toBe(0);
  const [head = "", row = ""] = play(list.written()).lines;
  expect(head).toMatch(/^CREATED \(UTC\) +TYPE +ITEM +STATE +ID +ERROR/);
  expect([row, Bun.stringWidth(row)]).toEqual([expect.stringContaining("narrow-web-01"), expect.any(Number)]);
  expect(Bun.stringWidth(row)).toBeLessThanOrEqual(80);
  const short = task.id.slice(0, 8);
  expect(row).toMatch(new RegExp(` ${short} +The repository`));
  const beginning = task.id.slice(0, 8);
  expect(JSON.parse(await world.result("task", "show", beginning, "-o", "json"))).toMatchObject({ id: task.id });
  expect(await world.result("task", "show", beginning.toUpperCase(), "-o", "id")).toBe(task.id);
  expect(await world.result("task", "--type", "narrow_backup", "-o", "id")).toBe(task.id);
  const unknown = await world.run(["task", "show", "ffffff"]);
  expect([unknown.exitCode, unknown.stderr]).toEqual([
    1,
    expect.stringContaining("none of the newest 1,000 begins so."),
  ]);
  const id = `${task.id.slice(0, 35)}${task.id.endsWith("0") ? "1" : "0"}`;
  await client.tasks.create({ id, category: "system", type: "narrow_other", status: "queued" });
  const several = await world.run(["task", "abort", task.id.slice(0, 35)]);
  expect([several.exitCode, several.stderr]).toEqual([1, expect.stringMatching(/The ids of \d+ tasks begin with /)]);
}, 60_000);

test("deleting asks on a terminal, and needs --yes without one", async () => {
  await world.result("unit", "create", "--name", "Doomed");
  const kept = world.onTerminal(["unit", "delete", "Doomed"]);
  await kept.until("Delete Doomed? [y/N] ");
  kept.type("\r");
  expect([await kept.exited, kept.written().includes("Nothing was deleted.")]).toEqual([1, true]);
  const interrupted = world.onTerminal(["unit", "delete", "Doomed"]);
  await interrupted.until("[y/N] ");
  interrupted.type("\x03");
  expect([await interrupted.exited, play(interrupted.written()).isCursorShown]).toEqual([1, true]);
  expect(await world.run(["unit", "delete", "Doomed"])).toEqual({
    stdout: "",
    stderr: "holdfast: Without a terminal that could ask, deleting needs --yes.\n",
    exitCode: 2,
  });
  const gone = world.onTerminal(["unit", "delete", "Doomed"]);
  await gone.until("[y/N] ");
  gone.type("y\r");
  expect(await gone.exited).toBe(0);
  expect((await world.run(["unit", "show", "Doomed"])).exitCode).toBe(1);
}, 60_000);

test("task counts are a small chart on a terminal, and a table in a pipe", async () => {
  const chart = world.onTerminal(["task", "counts", "--by", "month", "--group", "outcome"]);
  expect(await chart.exited).toBe(0);
  expect(play(chart.written()).lines.join("\n")).toMatch(/^\d{4}-\d\d +\d+ {2}[█▓▒░#+=·]+\n[\s\S]*█ Success \d+/m);
  expect(await world.result("task", "counts", "--by", "month")).toMatch(/^FROM +OUTCOME +TASKS\n/);
}, 60_000);

test("T34: a log cannot steer the terminal: its control characters are shown there, and come as they are in a pipe", async () => {
  const client = connect({ token: world.owner });
  const text = "start\n\x1b[2J\x1b[H\x1b]0;owned\x07\u009b31mred\r\nback\b\b\u202etxt\n";
  const task = await client.tasks.create({ category: "backup", type: "tar_create", log: { offset: 0, text } });
  await client.tasks.update(task.id, { status: "completed" });
  const shown = world.onTerminal(["task", "log", task.id], {
    environment: { HOLDFAST_TOKEN: world.owner, NO_COLOR: "1" },
  });
  expect(await shown.exited).toBe(0);
  expect(play(shown.written()).lines).toEqual([
    "start",
    "\\x1b[2J\\x1b[H\\x1b]0;owned\\x07\\x9b31mred",
    "back\\x08\\x08\\u202etxt",
    "",
  ]);
  expect((await world.run(["task", "log", task.id])).stdout).toBe(text);
}, 60_000);
