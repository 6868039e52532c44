import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { ask, expectOnly, heading, open, owner, rows, totalOf, viewer, world } from "../shared-world";

const forEveryone = ["Overview", "Tasks", "Protected items", "Monitors", "Users", "Roles", "Organizational units"];

export function theShell(): void {
  describe("the shell", () => {
    test("10: shows a viewer what a viewer may open, and an owner everything; a viewer can still make a personal token", async () => {
      const names = (page: Page) => page.getByRole("navigation", { name: "Main" }).getByRole("link").allInnerTexts();
      const { page } = await open("/", viewer);
      await heading(page).waitFor();
      expect(await names(page)).toEqual(forEveryone);
      const mighty = await open("/", owner);
      await heading(mighty.page).waitFor();
      const mightier = ["API tokens", "Notifications", "Audit trail", "Signing keys"];
      expect(await names(mighty.page)).toEqual([...forEveryone, ...mightier]);
      expect(await page.getByRole("link", { name: "Skip to content" }).count()).toBe(1);
      for (const landmark of ["banner", "main"] as const) expect(await page.getByRole(landmark).count()).toBe(1);
      await page.goto(`${world.service.baseUrl}/console/administration/audit`);
      await page.getByText("It needs the permission audit-events:read in Root").waitFor();
      await page.goto(`${world.service.baseUrl}/console/account/tokens`);
      await page.getByRole("button", { name: "Create token" }).click();
      const dialog = page.getByRole("dialog", { name: "Create token" });
      await dialog.getByLabel("Name").fill("my laptop");
      await dialog.getByRole("button", { name: "Create token" }).click();
      await page.getByRole("dialog", { name: "Token created" }).getByRole("textbox", { name: "Token" }).waitFor();
    });

    test("12, 13, 25: switches the unit in the address, for this tab alone, and shows nothing of units without a role", async () => {
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
      await rows(second, "Tasks").first().waitFor();
      expect(await second.getByRole("button", { name: "Organizational unit: Root" }).isVisible()).toBe(true);

      const narrow = await open("/", {
        email: "hamburg@example.org",
        name: "Hanna",
        roles: [{ role: "admin", unitId: unit }],
      });
      await narrow.page.getByRole("button", { name: "Organizational unit: Hamburg" }).click();
      const switcher = narrow.page.getByRole("dialog", { name: "Switch organizational unit" });
      await switcher.getByRole("searchbox", { name: "Find a unit" }).waitFor();
      const tree = switcher.getByRole("tree", { name: "Organizational units" });
      await tree.getByRole("treeitem", { name: "Operations" }).waitFor();
      const { _embedded: below } = (
        await world.service.ask("/organizational-units?limit=1000", {
          token: (await world.beside.serviceToken("viewer", unit)).token,
        })
      ).body;
      const shown = await tree.getByRole("treeitem").allInnerTexts();
      expect(shown.sort()).toEqual(below.items.map(({ name }: { name: string }) => name).sort());

      await world.beside.addTasks([{ primary_entity: { type: "host", id: "s", value: "secret-of-root" } }]);
      const found = await ask(`/tasks?limit=1&filter=${encodeURIComponent('{"primary_entity.id":"s"}')}`);
      await narrow.page.goto(`${world.service.baseUrl}/console/tasks/${found._embedded.items[0].id}`);
      await heading(narrow.page, "Not there, or not yours").waitFor();
      expect(await narrow.page.content()).not.toContain("secret-of-root");
      expectOnly(narrow.complaints, /status of 404/);
    });

    test("leads to the overview, and says why, where a page is not allowed in the unit that is switched to", async () => {
      const { id: unit } = await ask("/organizational-units", { name: "Lookout" });
      const { page } = await open("/administration/audit", {
        email: "two@example.org",
        name: "Tom Two",
        roles: [
          { role: "viewer", unitId: unit },
          { role: "admin", unitId: await unitNamed("Hamburg") },
        ],
      });
      const unitOf = async (name: string) => {
        await page.getByRole("button", { name: /^Organizational unit: / }).click();
        await page.getByRole("treeitem", { name, exact: true }).click();
        await page.getByRole("button", { name: `Organizational unit: ${name}` }).waitFor();
      };
      await heading(page).waitFor();
      await unitOf("Hamburg");
      await page.getByRole("link", { name: "Audit trail" }).click();
      await rows(page, "Events").first().waitFor();
      await unitOf("Lookout");
      await heading(page, "Overview").waitFor();
      await page.getByText("Audit trail cannot be opened in Lookout").waitFor();
    });

    test("an account that can only report sees that, and its own account; one with a single unit has nothing to switch", async () => {
      const { page } = await open("/", { email: "rep@example.org", name: "Rita", roles: [{ role: "reporter" }] });
      await heading(page, "This account can report tasks, and nothing else").waitFor();
      expect(await page.getByRole("button", { name: /^Organizational unit/ }).count()).toBe(0);
      await page.getByRole("link", { name: "Your account" }).click();
      await heading(page, "Your account").waitFor();
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

async function unitNamed(name: string): Promise<string> {
  const filter = encodeURIComponent(JSON.stringify({ name: { $eq: name } }));
  return (await ask(`/organizational-units?filter=${filter}`))._embedded.items[0].id;
}
