import { afterAll, beforeAll, expect, test } from "bun:test";
import { connect } from "@holdfast/client";
import { openRemoteWorld, type RemoteWorld } from "./remote-world";

let world: RemoteWorld;
beforeAll(async () => {
  world = await openRemoteWorld({ tasks: 200 });
}, 60_000);
afterAll(() => world.close());

const query = "outcome=error,lost&since=30d";

test("a view is created, listed, shown by name, changed and deleted, through the service and with --local", async () => {
  for (const form of [[], ["--local"]]) {
    const result = (...args: string[]) => world.result("view", ...args, ...form);
    const id = await result("create", "--name", "failures", "--page", "tasks", "--query", query, "--shared");
    const [heading, row] = (await result("list", "--page", "tasks")).split("\n");
    expect(heading).toMatch(/^NAME +PAGE +SHARED +/);
    expect(row).toMatch(/^failures +tasks +true +/);
    expect(row).toContain(id);
    expect(await result("list", "--page", "monitors", "-o", "id")).toBe("");
    await result("update", "FAILURES", "--name", "lost ones", "--query", "outcome=lost");
    expect(JSON.parse(await result("show", "lost ones", "-o", "json"))).toMatchObject({ id, query: "outcome=lost" });
    await result("delete", "lost ones", "--yes");
    expect(await result("list", "-o", "id")).toBe("");
  }
}, 60_000);

test("task list --view has the tasks of the view, which other options narrow further", async () => {
  await world.result("view", "create", "--name", "good", "--page", "tasks", "--query", "outcome=success", "--shared");
  const holdfast = connect({ baseUrl: world.url, token: world.owner });
  const idsOf = async (filter: object) => {
    const tasks = await holdfast.tasks.list({ filter }).first(1000);
    return tasks.map(({ id }) => id).join("\n");
  };
  const list = (...args: string[]) => world.result("task", "list", "--limit", "all", "-o", "id", ...args);
  const all = await idsOf({ outcome: "success" });
  expect(all.split("\n").length).toBeGreaterThan(10);
  expect(await list("--view", "GOOD")).toBe(all);
  expect(await list("--view", "good", "--local")).toBe(all);
  expect(await list("--view", "good", "--category", "restore")).toBe(
    await idsOf({ outcome: "success", category: "restore" }),
  );
  expect(await list("--view", "good", "--outcome", "error")).toBe(await idsOf({ outcome: "error" }));
}, 60_000);

test("a private view counts before a shared one with the same name", async () => {
  const user = await world.result(
    "user",
    "create",
    "--email",
    "ida@example.org",
    "--name",
    "Ida",
    "--role",
    "operator",
  );
  const made = await world.commandLine.runHere(
    ["token", "create", "--local", "--kind", "personal", "--name", "mine", "--user", user],
    {},
  );
  const own = { HOLDFAST_TOKEN: made.stdout.trim() };
  const save = ["view", "create", "--name", "mine", "--page", "tasks", "--query"];
  const unit = await world.result("unit", "create", "--name", "Elbe");
  const below = await world.result(...save, "outcome=lost", "--shared", "--unit", "Elbe");
  const absent = await world.run(["task", "list", "--view", "mine"], own);
  expect([absent.exitCode, absent.stderr]).toEqual([
    1,
    'holdfast: There is no view "mine" of tasks in this organizational unit, or you may not see it. One of a unit below it has to be named by its id. See: holdfast view list\n',
  ]);
  expect((await world.run(["task", "list", "--view", below, "-o", "id"], own)).exitCode).toBe(0);
  const refused = await world.run(["view", "show", "nothing"], own);
  expect(refused.stderr).toContain('There is no view "nothing", or you may not see it. See: holdfast view list');

  expect((await world.run([...save, "outcome=warning"], own)).exitCode).toBe(0);
  await world.result(...save, "outcome=success", "--shared");
  const listed = await world.run(["task", "list", "--view", "mine", "--limit", "all", "-o", "json"], own);
  const outcomes = new Set(JSON.parse(listed.stdout).map(({ outcome }: { outcome: string }) => outcome));
  expect(outcomes).toEqual(new Set(["warning"]));
  const several = await world.run(["view", "show", "mine"], own);
  expect(several.stderr).toContain('There are several views "mine". Write the id of one: ');
  expect(several.stderr).toContain(`${below} (tasks, shared in ${unit})`);
  expect(several.stderr).toContain("(tasks, private)");
}, 60_000);

test("its errors name its options", async () => {
  const view = ["view", "create", "--name", "x", "--page"];
  const errors = [
    [
      [...view, "tasks", "--query", "outcome=eror", "--shared"],
      "--query has to be one of the page tasks. The value of outcome",
    ],
    [[...view, "tasks", "--query", ""], "Only a person has private views. --shared has to be"],
    [[...view, "keys", "--query", ""], "Write one of tasks, entities,"],
  ] as const;
  for (const [args, message] of errors) {
    const ended = await world.run(args);
    expect([ended.stdout, ended.stderr]).toEqual(["", expect.stringContaining(message)]);
  }
}, 60_000);
