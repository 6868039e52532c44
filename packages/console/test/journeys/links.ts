import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { ask, heading, open, operator, owner, viewer } from "../shared-world";

const fact = (page: Page, name: string) => page.locator(`dt:text-is("${name}") + dd`);
const error = { code: "other", message: "It failed.", remedy: "Look at it." };

export function links(): void {
  describe("no page is a dead end", () => {
    test("a task leads to its item and its monitor, these lead to each other, and a monitor to who changed it", async () => {
      const primary_entity = { type: "host", value: "linked-host" };
      const body = { name: "Linked monitor", category: "backup", type: "tar_create", grace_seconds: 3600 };
      const schedule = { period_seconds: 86_400 };
      const monitor = await ask("/monitors", { ...body, schedule, primary_entity });
      const run = { category: "backup", type: "tar_create", status: "completed", monitor_id: monitor.id };
      const task = await ask("/tasks", { ...run, primary_entity });
      const { page } = await open(`/tasks/${task.id}`, owner);
      await fact(page, "Item").getByRole("link", { name: "linked-host" }).click();
      await heading(page, "linked-host").waitFor();
      await fact(page, "Watched by").getByRole("link", { name: "Linked monitor" }).click();
      await heading(page, "Linked monitor").waitFor();
      await page.getByText("Created by owner token").waitFor();
      await fact(page, "Item").getByRole("link", { name: "linked-host" }).click();
      await heading(page, "linked-host").waitFor();
      await page.goBack();
      await page.goBack();
      await page.goBack();
      await fact(page, "Monitor").getByRole("link", { name: "Linked monitor" }).click();
      await heading(page, "Linked monitor").waitFor();
    });

    test("a missed run has a panel in its colour, which names the monitor that expected it", async () => {
      const missed = await ask(`/tasks?limit=100&filter=${encodeURIComponent(JSON.stringify({ outcome: "missed" }))}`);
      const { id, monitor_id } = missed._embedded.items.find((one: { monitor_id?: string }) => one.monitor_id);
      const { name } = await ask(`/monitors/${monitor_id}`);
      const { page } = await open(`/tasks/${id}`, viewer);
      const panel = page.getByRole("region", { name: "What was missed" });
      await panel.waitFor();
      expect(await panel.getAttribute("class")).toContain("look-missed");
      await panel.getByRole("link", { name }).click();
      await heading(page, name).waitFor();
      // The audit trail is not for everybody.
      expect(await page.getByText("Created by").count()).toBe(0);
    });

    test("an incomplete run says in amber what is incomplete; red is for errors", async () => {
      const report = (outcome: object) => ask("/tasks", { category: "backup", type: "tar_create", error, ...outcome });
      const incomplete = await report({ status: "completed", outcome: "warning" });
      const failed = await report({ status: "failed" });
      const { page } = await open(`/tasks/${incomplete.id}`, operator);
      const amber = page.getByRole("region", { name: "What is incomplete" });
      await amber.waitFor();
      expect(await amber.getAttribute("class")).toContain("look-incomplete");
      await page.goto(page.url().replace(incomplete.id, failed.id));
      const red = page.getByRole("region", { name: "What went wrong" });
      await red.waitFor();
      expect(await red.getAttribute("class")).toContain("look-error");
    });

    test("a role, a user and a unit say who changed them, with the audit events behind that", async () => {
      const role = await ask("/roles", { name: "changed role", permissions: ["tasks:read"] });
      const { id: unit } = await ask("/organizational-units", { name: "Changed unit" });
      await ask(`/roles/${role.id}`, { description: "Changed since." }, "PATCH");
      const { page } = await open(`/administration/roles/${role.id}`, owner);
      await page.getByText("Changed by owner token").waitFor();
      await page.goto(page.url().replace(/roles\/.*/, `organizational-units?selected=${unit}`));
      await page.getByText("Created by owner token").waitFor();
      const users = await ask("/users?limit=100");
      const { id: user } = users._embedded.items.find(({ email }: { email: string }) => email === owner.email);
      await ask(`/users/${user}`, { full_name: owner.name }, "PATCH");
      await page.goto(page.url().replace(/organizational-units.*/, `users/${user}`));
      await page.getByText("Changed by owner token").waitFor();
      await page.getByRole("link", { name: "Show all changes" }).click();
      await heading(page, "Audit trail").waitFor();
      expect(new URL(page.url()).searchParams.get("object")).toBe(user);
    });
  });
}
