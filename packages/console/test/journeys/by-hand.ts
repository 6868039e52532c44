import { describe, expect, test } from "bun:test";
import { go, heading, open, owner, rows, totalOf, viewer, world } from "../shared-world";

/** Where a dialog with a form is opened: the page, the button, the dialog, and a field to type into. */
const typed = [
  ["/entities", "Add a host", "Add a host", "Name"],
  ["/monitors", "Create monitor", "Create monitor", "Name"],
  ["/monitors", "Create ping key", "Create ping key", "Name"],
  ["/administration/notifications", "Create notification", "Create notification", "Name"],
  ["/administration/users", "Invite user", "Invite user", "Full name"],
  ["/administration/roles", "Create role", "Create role", "What it is for"],
  ["/administration/organizational-units", "Create unit", "Create unit", "Name"],
  ["/administration/api-tokens", "Create token", "Create token", "Name"],
  ["/account/security", "Turn on one-time codes", "Turn on one-time codes", "Current password"],
] as const;

export function byHand(): void {
  describe("by keyboard and for programs", () => {
    test("a slash leads to the search, arrows through the rows, Enter opens one, and Escape closes a dialog; a switch turns keys off", async () => {
      const { page } = await open("/tasks", viewer);
      await rows(page, "Tasks").nth(2).waitFor();
      const focused = () =>
        page.evaluate<string>(
          "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent",
        );
      await page.keyboard.press("/");
      expect(await focused()).toBe("Search by name");
      const names = await rows(page, "Tasks").getByRole("link").allInnerTexts();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowDown");
      expect(await focused()).toBe(names[1] ?? "");
      await page.keyboard.press("Enter");
      await heading(page, names[1] ?? "").waitFor();
      await page.getByRole("button", { name: "Show as API call" }).click();
      await page.getByRole("dialog", { name: "API call" }).waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog", { name: "API call" }).waitFor({ state: "hidden" });

      await page.getByRole("button", { name: "Account: Vera Viewer" }).focus();
      await page.keyboard.press("Enter");
      await page.getByRole("menuitem", { name: "Your account" }).waitFor();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowDown");
      expect(await focused()).toBe("Dark");
      await page.keyboard.press("Enter");
      await page.locator('html[data-mantine-color-scheme="dark"]').waitFor();
      await page.keyboard.press("Home");
      await page.keyboard.press("Enter");
      await heading(page, "Your account").waitFor();
      await page.getByRole("combobox", { name: "Colours" }).selectOption({ label: "Light" });
      await page.locator('html[data-mantine-color-scheme="light"]').waitFor();
      await page.getByRole("switch", { name: "Keyboard shortcuts" }).uncheck();
      await page.getByRole("switch", { name: "Show all times in UTC" }).check();
      await page.getByRole("link", { name: "Tasks" }).click();
      await rows(page, "Tasks").first().waitFor();
      await page.keyboard.press("/");
      expect(await focused()).not.toBe("Search by name");
      await page.evaluate("localStorage.clear()");
    });

    test("what was typed into a dialog is not lost to Escape or to a click beside it, unless that is confirmed", async () => {
      const { page } = await open("/administration/keys", owner);
      for (const [path, button, title, field] of typed) {
        await go(page, path);
        await page.getByRole("main").getByRole("button", { name: button, exact: true }).first().click();
        const dialog = page.getByRole("dialog", { name: title, exact: true });
        await dialog.getByLabel(field, { exact: true }).fill("typed");
        await page.keyboard.press("Escape");
        const question = page.getByRole("dialog", { name: "Close without saving?" });
        await question.getByRole("button", { name: "Keep editing" }).click();
        await question.waitFor({ state: "detached" });
        expect(await dialog.getByLabel(field, { exact: true }).inputValue()).toBe("typed");
        await page.mouse.click(4, 400);
        await question.getByRole("button", { name: "Discard" }).click();
        await dialog.waitFor({ state: "detached" });
      }
    });

    test("the menu of help leads to places that the service itself serves", async () => {
      const { page } = await open("/administration/keys", viewer);
      await page.getByRole("button", { name: "Help" }).click();
      await page.getByRole("menuitem", { name: "Filter a list" }).waitFor();
      const links = await page
        .locator('[role="menuitem"][href]')
        .evaluateAll((items) => items.map((item) => item.getAttribute("href") ?? ""));
      const docs = await (await fetch(`${world.service.baseUrl}/docs`)).text();
      const places = links.filter((link) => link.includes("#")).map((link) => new URL(link).hash.slice(1));
      expect(places.filter((place) => !docs.includes(`id="${place}"`))).toEqual([]);
      expect(places.length).toBeGreaterThan(5);
      const others = links.filter((link) => !link.includes("#"));
      const statuses = await Promise.all(others.map(async (link) => (await fetch(link)).status));
      expect(statuses).toEqual([200, 200]);
    });

    test('"Show as API call" is a call that works, and gives what the page shows', async () => {
      const { page } = await open("/tasks?outcome=error,lost&since=30d", owner);
      await rows(page, "Tasks").first().waitFor();
      await page.getByRole("button", { name: "Show as API call" }).click();
      const dialog = page.getByRole("dialog", { name: "API call" });
      const call = await dialog.getByRole("textbox", { name: "curl" }).inputValue();
      await dialog.getByRole("button", { name: "Copy call" }).waitFor();
      const { token } = await world.beside.serviceToken("viewer");
      const env = { ...process.env, HOLDFAST_TOKEN: token };
      const answer = JSON.parse(await Bun.spawn(["bash", "-c", `${call} -sS`], { env }).stdout.text());
      expect(answer.total_count).toBeGreaterThan(0);
      await page.keyboard.press("Escape");
      await page.getByRole("navigation", { name: "Pages" }).getByText(`· ${answer.total_count} task`).waitFor();
      expect(answer.total_count).toBeLessThanOrEqual(await totalOf({ outcome: { $in: ["error", "lost"] } }));
    });
  });
}
