import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { makeFolder } from "../../server/test/harness";
import { type ConsoleWorld, openConsole, type Visit } from "./open-console";
import { isLong, measured, viewer } from "./shared-world";

const count = 1_000_000;

/** Fills a folder with so many tasks. */
async function makeTasks(): Promise<string> {
  const folder = makeFolder();
  const main = `${import.meta.dir}/../../cli/src/main.ts`;
  const child = Bun.spawn([process.execPath, main, "demo", "--tasks", String(count), "--data-dir", folder], {
    stdout: "ignore",
    stderr: "ignore",
  });
  await child.exited;
  return folder;
}

/** Notes how long the browser is busy without a pause, from now on. */
async function followBusyTimes(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(
    "window.busy = []; new PerformanceObserver((list) => list.getEntries().forEach((one) => busy.push(one.duration))).observe({ type: 'longtask' })",
  );
  return () => page.evaluate<number>("Math.max(0, ...window.busy.splice(0))");
}

// Behind the long run as a whole: there is no small part of a million. The journeys walk the same pages with few tasks.
describe.if(isLong)("with 1,000,000 tasks", () => {
  let world: ConsoleWorld;
  let visit: Visit;
  beforeAll(async () => {
    world = await openConsole({ isFast: true, folder: await makeTasks() });
  }, 1_200_000);
  afterAll(() => world.close());

  /** Does something, and gives how long it took, how long the browser was busy at most, and how many requests were made. */
  async function step(name: string, act: () => Promise<void>, busy: () => Promise<number>) {
    await visit.page.waitForTimeout(1_000);
    await busy();
    visit.requests.length = 0;
    const begun = performance.now();
    await act();
    const took = performance.now() - begun;
    const requests = visit.requests.filter((one) => !one.includes("/assets/")).length;
    await visit.page.waitForTimeout(500);
    const longest = await busy();
    measured(`${name} (${requests} requests, longest task ${Math.round(longest)} ms)`, took);
    return { took, requests, longest };
  }

  test("19: the last page and the one before it show their rows within 2 s, with at most three requests each", async () => {
    visit = await world.open("/tasks", viewer);
    const { page } = visit;
    const table = page.getByRole("table", { name: "Tasks" });
    await table.locator("tbody tr").first().waitFor();
    const busy = await followBusyTimes(page);
    const pager = page.getByRole("navigation", { name: "Pages" });
    const field = pager.getByRole("textbox", { name: "Page" });
    await pager.getByText("of 20,000 · 1,000,000 tasks").waitFor();
    const walk = (link: string) => async () => {
      const before = await table.locator("tbody tr a").first().getAttribute("href");
      await pager.getByRole("link", { name: link }).click();
      await table.locator(`tbody tr a[href="${before}"]`).waitFor({ state: "detached" });
      await table.and(page.locator('[aria-busy="false"]')).waitFor();
    };
    const last = await step("19: last page", walk("Last page"), busy);
    expect(await field.inputValue()).toBe("20000");
    expect(await table.locator("tbody tr").count()).toBe(50);
    const previous = await step("19: previous page", walk("Previous page"), busy);
    expect(await field.inputValue()).toBe("19999");
    for (const { took, requests, longest } of [last, previous]) {
      expect(took).toBeLessThan(2_000);
      expect(requests).toBeLessThanOrEqual(3);
      expect(longest).toBeLessThan(200);
    }
    await page.goto("about:blank");
    await visit.leave();
  }, 120_000);

  test("40: the first pages cost the same as with few tasks: a fixed number of requests, and no long task in the browser", async () => {
    visit = await world.open("/account/profile", viewer);
    const { page } = visit;
    await page.getByRole("heading", { level: 1 }).waitFor();
    const busy = await followBusyTimes(page);
    const overview = await step(
      "overview",
      async () => {
        await page.getByRole("link", { name: "Overview" }).click();
        await page.getByRole("status", { name: "Protection" }).waitFor();
        await page.getByRole("figure").nth(1).waitFor();
        await page.getByRole("region", { name: "Latest failures" }).getByRole("listitem").first().waitFor();
      },
      busy,
    );
    const list = await step(
      "list of tasks",
      async () => {
        await page.getByRole("link", { name: "Tasks", exact: true }).click();
        await page.getByRole("table", { name: "Tasks" }).locator("tbody tr").nth(49).waitFor();
      },
      busy,
    );
    const items = await step(
      "protected items",
      async () => {
        await page.getByRole("link", { name: "Protected items" }).click();
        await page.getByRole("table", { name: "Protected items" }).locator("tbody tr").first().waitFor();
      },
      busy,
    );
    expect(overview.requests).toBeLessThanOrEqual(9);
    expect(list.requests).toBeLessThanOrEqual(5);
    expect(items.requests).toBeLessThanOrEqual(3);
    for (const { longest } of [overview, list, items]) expect(longest).toBeLessThan(200);
    await visit.leave();
  }, 120_000);
});
