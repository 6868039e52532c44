import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { ask, expectOnly, heading, open, owner, rows, totalOf, viewer, world } from "../shared-world";

export function theShell(): void {
  describe("the shell", () => {
    test("shows a viewer what a viewer may open, and an owner everything", async () => {
      const names = (page: Page) => page.getByRole("navigation", { name: "Main" }).getByRole("link").allInnerTexts();
      const { page } = await open("/", viewer);
      await heading(page).waitFor();
      expect(await names(page)).toEqual([
        "Overview",
        "Tasks",
        "Protected items",
        "Monitors",
        "Users",
        "Roles",
        "Organizational units",
      ]);
      const mighty = await open("/", owner);
      await heading(mighty.page).waitFor();
      expect(await names(mighty.page)).toEqual([
        "Overview",
        "Tasks",
        "Protected items",
        "Monitors",
        "Users",
        "Roles",
        "Organizational units",
        "API tokens",
        "Notifications",
        "Audit trail",
        "Signing keys",
      ]);
      await page.goto(`${world.service.baseUrl}/console/administration/audit`);
      await page.getByText("audit-events:read").waitFor();
      await page.goto(`${world.service.baseUrl}/console/account/tokens`);
      await page.getByRole("button", { name: "Create token" }).click();
      const dialog = page.getByRole("dialog", { name: "Create token" });
      await dialog.getByLabel("Name").fill("my laptop");
      await dialog.getByRole("button", { name: "Create token" }).click();
      await page.getByRole("dialog", { name: "Token created" }).getByRole("textbox", { name: "Token" }).waitFor();
    });

    test("switches the unit in the address, for this tab alone, and offers none that the person holds no role in", async () => {
      const { page, context } = await open("/tasks", owner);
      const second = await context.newPage();
      await second.goto(`${world.service.baseUrl}/console/tasks`);
      await page.getByRole("button", { name: "Organizational unit: Root" }).click();
      const dialog = page.getByRole("dialog", { name: "Switch organizational unit" });
      await dialog.getByRole("searchbox", { name: "Find a unit" }).fill("Hamburg");
      await dialog.getByRole("treeitem", { name: "Hamburg" }).click();
      await page.getByRole("button", { name: "Organizational unit: Hamburg" }).waitFor();
      const unit = new URL(page.url()).searchParams.get("unit") ?? "";
      const total = await totalOf({}, unit);
      await page.getByRole("navigation", { name: "Pages" }).getByText(`${total} tasks`).waitFor();
      expect(await second.getByRole("button", { name: "Organizational unit: Root" }).isVisible()).toBe(true);

      const narrow = await open("/", {
        email: "hamburg@example.org",
        name: "Hanna",
        roles: [{ role: "admin", unitId: unit }],
      });
      await narrow.page.getByRole("button", { name: "Organizational unit: Hamburg" }).click();
      const tree = narrow.page.getByRole("tree", { name: "Organizational units" });
      await tree.getByRole("treeitem", { name: "Operations" }).waitFor();
      expect(await tree.getByRole("treeitem").first().innerText()).toBe("Hamburg");
      expect(await tree.getByRole("treeitem", { name: /Root|Europe|Lyon/ }).count()).toBe(0);

      await world.beside.addTasks([{ primary_entity: { type: "host", id: "s", value: "secret-of-root" } }]);
      const found = await ask(`/tasks?limit=1&filter=${encodeURIComponent('{"primary_entity.id":"s"}')}`);
      await narrow.page.goto(`${world.service.baseUrl}/console/tasks/${found._embedded.items[0].id}`);
      await heading(narrow.page, "Not there, or not yours").waitFor();
      expect(await narrow.page.content()).not.toContain("secret-of-root");
      expectOnly(narrow.complaints, /status of 404/);
    });

    test("keeps the rows and says so while the service is away, and continues when it is back", async () => {
      const { page, complaints } = await open("/tasks", owner);
      await rows(page, "Tasks").first().waitFor();
      const away = (url: URL) => ["/users", "/readyz"].includes(url.pathname);
      await page.route(away, (route) => route.abort());
      await page.getByRole("link", { name: "Users" }).click();
      await page.getByRole("alert").filter({ hasText: "Holdfast does not answer" }).first().waitFor();
      await page.getByRole("link", { name: "Tasks", exact: true }).click();
      expect(await rows(page, "Tasks").count()).toBe(50);
      await page.unroute(away);
      await page.getByRole("button", { name: "Try now" }).click();
      await page.getByText("Holdfast does not answer").waitFor({ state: "hidden" });
      await page.getByRole("link", { name: "Users" }).click();
      await rows(page, "Users").first().waitFor();
      expectOnly(complaints, /ERR_FAILED/);
    });

    test("asks before a page is left on which something is not saved, and loads nothing again meanwhile", async () => {
      const id = await world.beside.addUser({ email: "dirty@example.org", name: "Dirk", roles: [{ role: "viewer" }] });
      const { page } = await open(`/administration/users/${id}`, owner);
      await page.getByLabel("Full name").fill("Dirk with a longer name");
      await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Roles" }).click();
      const dialog = page.getByRole("dialog", { name: "Leave without saving?" });
      await dialog.getByRole("button", { name: "Stay" }).click();
      expect(await page.getByLabel("Full name").inputValue()).toBe("Dirk with a longer name");
      await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Roles" }).click();
      await dialog.getByRole("button", { name: "Leave" }).click();
      await heading(page, "Roles").waitFor();
    });
  });
}
