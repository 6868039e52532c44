import { afterAll, expect, test } from "bun:test";
import { type EndedRun, spooled, until } from "./runner";
import { openRunWorld } from "./service";

/** A second of a lease takes 20 ms here. */
const world = await openRunWorld({ timeouts: { leaseSecondMs: 20 } });
afterAll(world.close);

/** Begins a task with the token of the host, and kills its runner. Its command goes with the folder. */
async function begin(name: string, leaseSeconds: number): Promise<void> {
  const command = ["sh", "-c", "while [ -e home ]; do sleep 0.1; done"];
  const child = world.start(["--name", name, "--lease", `${leaseSeconds}s`], command);
  await until(() => world.taskNamed(name));
  child.kill("SIGKILL");
  await child.exited;
}

/**
 * Begins a task, and delivers with another token while its lease runs. A slow machine may need longer for that than the
 * lease lasts, so it is tried again with longer ones.
 */
async function deliverEarly(role: string, token: string): Promise<{ name: string; early: EndedRun }> {
  for (let leaseSeconds = 200; ; leaseSeconds *= 4) {
    const name = `${role} ${leaseSeconds}`;
    await begin(name, leaseSeconds);
    const early = await world.deliver({ HOLDFAST_TOKEN: token });
    if (early.exitCode === 1 || leaseSeconds > 3_000) return { name, early };
  }
}

test.each(["owner", "reporter"] as const)(
  "a token (%s) that replaces another one takes its task over once it is lost, and not before",
  async (role) => {
    const { token } = await world.beside.serviceToken(role);
    const { name, early } = await deliverEarly(role, token);
    expect([early.exitCode, early.stdout.toString()]).toEqual([1, expect.stringContaining("held")]);
    expect(spooled(world.spool)).toHaveLength(1);
    await until(async () => (await world.taskNamed(name)).outcome === "lost", 100_000);
    const late = await world.deliver({ HOLDFAST_TOKEN: token });
    expect([late.exitCode, late.stdout.toString()]).toEqual([0, expect.stringContaining("delivered")]);
    const task = await world.taskNamed(name);
    expect([task.status, task.outcome, task.error.code, task.attempt]).toEqual(["failed", "lost", "runner_lost", 2]);
    expect(spooled(world.spool)).toEqual([]);
  },
  240_000,
);

test("a task that another token holds is left to the token that began it", async () => {
  const { token } = await world.beside.serviceToken("reporter");
  const { name, early } = await deliverEarly("foreign", token);
  expect(early.stdout.toString()).toContain("held");
  expect((await world.deliver()).exitCode).toBe(0);
  expect((await world.taskNamed(name)).error.code).toBe("runner_lost");
}, 240_000);
