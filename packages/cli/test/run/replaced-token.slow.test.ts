import { afterAll, expect, test } from "bun:test";
import { spooled, until } from "./runner";
import { openRunWorld } from "./service";

/** A second of a lease takes 20 ms here. */
const world = await openRunWorld({ patience: { leaseSecond: 20 } });
afterAll(world.close);

const begun = async (name: string) => {
  const child = world.start(["--name", name, "--lease", "200s"], ["sleep", "1"]);
  await until(() => world.taskNamed(name));
  child.kill("SIGKILL");
  await child.exited;
};

test.each(["owner", "reporter"] as const)(
  "a token (%s) that replaces another one takes its task over once it is lost, and not before",
  async (role) => {
    const { token } = await world.beside.serviceToken(role);
    await begun(role);
    const early = await world.deliver({ HOLDFAST_TOKEN: token });
    expect([early.exitCode, early.stdout.toString()]).toEqual([1, expect.stringContaining("held")]);
    expect((await world.taskNamed(role)).status).toBe("in_progress");
    expect(spooled(world.spool)).toHaveLength(1);
    await until(async () => (await world.taskNamed(role)).outcome === "lost");
    const late = await world.deliver({ HOLDFAST_TOKEN: token });
    expect([late.exitCode, late.stdout.toString()]).toEqual([0, expect.stringContaining("delivered")]);
    const task = await world.taskNamed(role);
    expect([task.status, task.outcome, task.error.code, task.attempt]).toEqual(["failed", "lost", "runner_lost", 2]);
    expect(spooled(world.spool)).toEqual([]);
  },
  120_000,
);

test("a task that another token holds is left to the token that began it", async () => {
  const { token } = await world.beside.serviceToken("reporter");
  await begun("foreign");
  expect((await world.deliver({ HOLDFAST_TOKEN: token })).stdout.toString()).toContain("held");
  expect((await world.deliver()).exitCode).toBe(0);
  expect((await world.taskNamed("foreign")).error.code).toBe("runner_lost");
});
