import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { ask, expectOnly, heading, open, operator, owner, rows, totalOf, viewer } from "../shared-world";

const main = (page: Page) => page.getByRole("navigation", { name: "Main" });
const views = (page: Page) => main(page).getByRole("list", { name: "Saved views" });
const dialog = (page: Page, name: string) => page.getByRole("dialog", { name });
const total = (page: Page, count: number) =>
  page.getByRole("navigation", { name: "Pages" }).getByText(`${count} tasks`).waitFor();

async function choose(page: Page, view: string, action: string) {
  await views(page)
    .getByRole("button", { name: `Actions for ${view}` })
    .click();
  await page.getByRole("menuitem", { name: action }).click();
}

async function save(page: Page, name: string, isShared: boolean) {
  await page.getByRole("button", { name: "Save this view" }).click();
  const form = dialog(page, "Save this view");
  await form.getByLabel("Name").fill(name);
  const share = form.getByRole("checkbox", { name: /^Share it in / });
  if (isShared) await share.check();
  await form.getByRole("button", { name: "Save view" }).click();
  await form.waitFor({ state: "detached" });
  await views(page).getByRole("link", { name }).waitFor();
}

export function savedViews(): void {
  describe("saved views", () => {
    test("41: a filtered list is saved, stands in the navigation in every unit, and opens with its filters", async () => {
      const unit = (await ask("/organizational-units", { name: "Unit with views" })).id;
      const { page } = await open("/tasks", viewer);
      await rows(page, "Tasks").first().waitFor();
      const button = page.getByRole("button", { name: "Save this view" });
      expect(await button.isVisible()).toBe(false);
      await page.getByRole("link", { name: /^Errors/ }).click();
      await save(page, "What failed", false);
      await page.getByText('The view is saved. It is below "Tasks" in the navigation.').waitFor();

      await main(page).getByRole("link", { name: "Monitors" }).click();
      await heading(page, "Monitors").waitFor();
      expect(await views(page).count()).toBe(0);
      await page.goto(`${new URL(page.url()).origin}/console/tasks?unit=${unit}`);
      await views(page).getByRole("link", { name: "What failed" }).click();
      await page.getByRole("button", { name: "Remove filter: Outcome is Error, Lost" }).waitFor();
      const { searchParams } = new URL(page.url());
      expect([searchParams.get("unit"), searchParams.get("outcome")]).toEqual([unit, "error,lost"]);
      expect(await views(page).locator('[aria-current="page"]').innerText()).toBe("What failed");

      // Nobody else sees it.
      const other = await open("/tasks?outcome=error,lost", owner);
      await other.page.getByRole("button", { name: "Save this view" }).waitFor();
      expect(await views(other.page).count()).toBe(0);

      await choose(page, "What failed", "Delete");
      await dialog(page, "Delete this view?").getByRole("button", { name: "Delete view" }).click();
      await views(page).waitFor({ state: "detached" });
    });

    test("41: a shared view is there for everyone in the unit; who may not share can neither change it nor share another", async () => {
      const { page } = await open("/tasks?category=backup&outcome=success", operator);
      await save(page, "Good backups", true);
      const count = await totalOf({ category: "backup", outcome: "success" });

      const reader = (await open("/tasks?outcome=lost", viewer)).page;
      await save(reader, "Lost ones", false);
      await views(reader).getByRole("link", { name: "Good backups" }).click();
      await total(reader, count);
      await views(reader).getByRole("button", { name: "Actions for Good backups" }).click();
      for (const name of ["Rename", "Make private", "Delete"]) {
        const item = reader.getByRole("menuitem", { name });
        expect(await item.isDisabled()).toBe(true);
        expect(await item.getAttribute("title")).toBe("Your role lacks the permission views:write in this unit.");
      }
      await reader.keyboard.press("Escape");
      await views(reader).getByRole("button", { name: "Actions for Lost ones" }).click();
      expect(await reader.getByRole("menuitem", { name: "Share in this unit" }).isDisabled()).toBe(true);
      await reader.keyboard.press("Escape");

      await choose(page, "Good backups", "Rename");
      const form = dialog(page, "Rename view");
      await form.getByLabel("Name").fill("Good runs");
      await form.getByRole("button", { name: "Rename" }).click();
      await views(page).getByRole("link", { name: "Good runs" }).waitFor();
      await page.getByRole("button", { name: "Remove filter: Category is Backup" }).click();
      await choose(page, "Good runs", "Replace with the list shown");
      await views(page).locator('[aria-current="page"]').getByText("Good runs").waitFor();
      await choose(page, "Good runs", "Make private");
      await views(page).locator("[title=Private]").waitFor();
      await reader.reload();
      await views(reader).getByRole("link", { name: "Lost ones" }).waitFor();
      expect(await views(reader).getByRole("link").count()).toBe(1);
      for (const [tab, name] of [
        [page, "Good runs"],
        [reader, "Lost ones"],
      ] as const) {
        await choose(tab, name, "Delete");
        await dialog(tab, "Delete this view?").getByRole("button", { name: "Delete view" }).click();
        await views(tab).waitFor({ state: "detached" });
      }
    });

    test("41: what a name is refused for is said in the dialog, with what was typed", async () => {
      const { page, complaints } = await open("/entities?sort=value", viewer);
      await save(page, "By name", false);
      await page.getByRole("button", { name: "Save this view" }).click();
      const form = dialog(page, "Save this view");
      expect(await form.getByRole("checkbox").isDisabled()).toBe(true);
      await form.getByLabel("Name").fill("BY NAME");
      await form.getByRole("button", { name: "Save view" }).click();
      await form.getByRole("alert").getByText("There is a view of this page with that name.").waitFor();
      expect(await form.getByLabel("Name").inputValue()).toBe("BY NAME");
      expectOnly(complaints, /409/);
    });
  });
}
