import { describe, expect, test } from "bun:test";
import { ask, heading, open, operator, rows } from "../shared-world";

const error = { code: "other", message: "It failed.", remedy: "Look at it." };

export function strips(): void {
  describe("the strip of an item", () => {
    test("ends with its last backup, and has restores and checks as small marks below", async () => {
      const primary_entity = { type: "host", value: "strip-of-backups" };
      const report = (category: string, status: string, rest = {}) =>
        ask("/tasks", { category, type: "some_work", status, primary_entity, ...rest });
      await report("backup", "completed");
      await report("backup", "failed", { error });
      await report("restore", "completed");
      const { id } = await report("system", "completed");

      const { page } = await open("/entities?q=strip-of-backups", operator);
      const inList = rows(page, "Protected items").filter({ hasText: "strip-of-backups" });
      await inList.getByRole("list", { name: "Last 2 runs: 1 success, 1 error" }).waitFor();
      expect(await inList.locator(".strip li:last-child a").getAttribute("aria-label")).toStartWith("Error, ");

      await page.getByRole("link", { name: "strip-of-backups" }).click();
      await heading(page, "strip-of-backups").waitFor();
      const summary = "Last 2 runs: 1 success, 1 error; 2 other runs below";
      const strip = page.getByRole("list", { name: summary });
      await strip.waitFor();
      const bars = await strip.locator("li:not(.strip-other) a").evaluateAll((all) => all.map((one) => one.ariaLabel));
      expect(bars.map((label) => label?.split(",")[0])).toEqual(["Success", "Error"]);

      await page.goto(page.url().replace(/entities\/.*/, `tasks/${id}`));
      await page.getByRole("list", { name: summary }).waitFor();
      const others = await strip.locator(".strip-other a").evaluateAll((all) => all.map((one) => one.ariaLabel));
      expect(others.map((label) => label?.split(",")[0])).toEqual(["Restore: Success", "System: Success"]);
    });

    test("of several operations shows the one that decides how the item stands", async () => {
      const primary_entity = { type: "host", value: "strip-of-two" };
      const report = (operation: string, status: string, rest = {}) =>
        ask("/tasks", { category: "backup", type: "some_work", operation, status, primary_entity, ...rest });
      await report("files", "failed", { error });
      await report("database", "completed");
      const { page } = await open("/entities?q=strip-of-two", operator);
      const row = rows(page, "Protected items").filter({ hasText: "strip-of-two" });
      await row.getByText("Failing").waitFor();
      await row.getByRole("list", { name: "Last run: 1 error" }).waitFor();
    });

    test("no longer says that a task runs once it has ended", async () => {
      const primary_entity = { type: "host", value: "strip-of-running" };
      const { id } = await ask("/tasks", { category: "backup", type: "some_work", primary_entity });
      const { page } = await open(`/tasks/${id}`, operator);
      await page.getByRole("list", { name: "Last run: 1 running" }).waitFor();
      await ask(`/tasks/${id}`, { status: "completed" }, "PATCH");
      await page.getByRole("list", { name: "Last run: 1 success" }).waitFor();
      expect(await page.getByText("1 running").count()).toBe(0);
    });
  });
}
