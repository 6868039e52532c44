import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { ask, open, operator, viewer } from "../shared-world";
import { differenceOf, grainOf } from "./grain";

const day = 86_400_000;

/** Answers the counts of the last 30 days with so many tasks of each outcome, all of them of yesterday. */
async function countTasks(page: Page, counts: Readonly<Record<string, number>>): Promise<void> {
  await page.route(/\/task-counts\?.*interval=day/, async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    const yesterday = new Date(new Date(Date.now() - day).setHours(0, 0, 0, 0));
    body._embedded.items = Object.entries(counts).map(([outcome, count]) => ({
      start_timestamp: yesterday.toISOString(),
      end_timestamp: new Date(yesterday.getTime() + day).toISOString(),
      outcome: outcome === "running" ? null : outcome,
      count,
    }));
    await route.fulfill({ response, json: body });
  });
}

async function showFigure(page: Page, counts: Readonly<Record<string, number>>) {
  await countTasks(page, counts);
  await page.reload();
  const figure = page.getByRole("figure", { name: "Tasks of the last 30 days by outcome" });
  await figure.getByRole("link").first().waitFor();
  await figure.scrollIntoViewIfNeeded();
  return figure;
}

export function figures(): void {
  describe("the figures of the overview", () => {
    test("failures have a scale of their own, both scales say what they count, and a column tells its counts when it is pointed at or has the focus", async () => {
      const { page } = await open("/", viewer);
      const figure = await showFigure(page, { success: 3_267, error: 88 });
      await figure.getByText("4,000 tasks").waitFor();
      await figure.getByText("100 incomplete, failed or missed").waitFor();
      const failures = figure.getByRole("link", { name: /: 88 error$/ });
      const { height = 0 } = (await failures.boundingBox()) ?? {};
      expect(height).toBeGreaterThan(30);
      const tip = figure.getByRole("tooltip");
      expect(await tip.count()).toBe(0);
      await failures.hover();
      expect(await tip.innerText()).toMatch(/3,267 success\s+88 error/);
      await page.mouse.move(0, 0);
      await tip.waitFor({ state: "detached" });
      await failures.focus();
      expect(await tip.innerText()).toContain("88 error");
      await page.keyboard.press("Escape");
      await tip.waitFor({ state: "detached" });
    });

    test.each(["deuteranopia", "forced colours"] as const)(
      "each outcome has a pattern of its own, which is told apart with %s",
      async (eyes) => {
        const { page, context } = await open("/", viewer);
        const all = { success: 9, warning: 8, error: 7, missed: 6, cancelled: 5, running: 4 };
        const figure = await showFigure(page, all);
        const browser = await context.newCDPSession(page);
        if (eyes === "deuteranopia") await browser.send("Emulation.setEmulatedVisionDeficiency", { type: eyes });
        else await page.emulateMedia({ forcedColors: "active" });
        const marks = await figure.locator(".legend-mark").all();
        const grains: Uint8Array[] = [];
        for (const mark of marks) grains.push(grainOf(await mark.screenshot()));
        await browser.send("Emulation.setEmulatedVisionDeficiency", { type: "none" });
        await page.emulateMedia({ forcedColors: null });
        expect(grains).toHaveLength(Object.keys(all).length);
        const alike = grains.flatMap((one, at) =>
          grains.slice(at + 1).flatMap((other, next) => {
            const difference = differenceOf(one, other);
            return difference < 8 ? [`${at} and ${at + 1 + next}: ${difference}`] : [];
          }),
        );
        expect(alike).toEqual([]);
      },
    );
  });

  test("nothing on the overview moves while tasks begin and end", async () => {
    const start = async (value: string) => {
      const body = { category: "backup", type: "tar_create", primary_entity: { type: "host", value } };
      return (await ask("/tasks", body)).id;
    };
    const first = await start("stays-in-place");
    const { page } = await open("/", operator);
    const running = page.getByRole("region", { name: /^Running now · \d/ });
    const name = running.getByRole("link", { name: "stays-in-place" });
    await name.waitFor();
    const placesOf = async () => [await running.boundingBox(), await name.boundingBox()];
    const before = await placesOf();
    const count = async () => Number(/\d+/.exec(await running.getByRole("heading").innerText()));
    const total = await count();
    const others = await Promise.all(["comes-and-goes-1", "comes-and-goes-2"].map(start));
    while ((await count()) < total + others.length) await Bun.sleep(50);
    expect(await placesOf()).toEqual(before);
    for (const id of others) await ask(`/tasks/${id}`, { status: "completed" }, "PATCH");
    while ((await count()) > total) await Bun.sleep(50);
    expect(await placesOf()).toEqual(before);
    await ask(`/tasks/${first}`, { status: "completed" }, "PATCH");
  });
}
