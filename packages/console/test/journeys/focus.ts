import { test } from "bun:test";
import type { Page } from "playwright-core";
import { open, owner } from "../shared-world";

const focused = (page: Page, name: string) => page.getByRole("button", { name }).and(page.locator(":focus"));

export function focus(): void {
  test.each([
    ["/monitors", "Create monitor"],
    ["/administration/api-tokens", "Create token"],
    ["/administration/users", "Invite user"],
    ["/administration/notifications", "Create notification"],
    ["/entities", "Add a host"],
    ["/administration/keys", "Rotate key"],
    ["/administration/audit", "Show as API call"],
  ])("on %s the focus returns to %s when Esc closes its dialog", async (path, name) => {
    const { page } = await open(path, owner);
    await page.getByRole("button", { name }).focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.locator(":focus").waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await focused(page, name).waitFor();
  });

  test("a question that is answered returns the focus to the form, and the form to its button", async () => {
    const { page } = await open("/monitors", owner);
    await page.getByRole("button", { name: "Create monitor" }).click();
    const dialog = page.getByRole("dialog", { name: "Create monitor" });
    await dialog.getByLabel("Name").fill("Nightly");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Keep editing" }).click();
    await dialog.getByLabel("Name").and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Discard" }).click();
    await dialog.waitFor({ state: "detached" });
    await focused(page, "Create monitor").waitFor();
  });
}
