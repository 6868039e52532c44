import { describe, expect, test } from "bun:test";
import { ask, heading, open, owner, rows, viewer, world } from "../shared-world";

export function protection(): void {
  describe("what is protected and watched", () => {
    test("a monitor is made with a cron expression, shows its next runs, and a ping makes a run on its page", async () => {
      const { page } = await open("/monitors", owner);
      await page.getByRole("button", { name: "Create monitor" }).click();
      const dialog = page.getByRole("dialog", { name: "Create monitor" });
      await dialog.getByLabel("Name").fill("Nightly photos");
      await dialog.getByRole("radio", { name: "Cron expression" }).check();
      await dialog.getByRole("textbox", { name: "Cron expression" }).fill("30 2 * * *");
      await dialog.getByRole("combobox", { name: "Time zone" }).selectOption("Europe/Berlin");
      const runs = dialog.getByRole("list", { name: "Next runs" }).getByRole("listitem");
      await runs.nth(4).filter({ hasText: "02:30" }).waitFor();
      await dialog.getByLabel("Item", { exact: true }).fill("photos-01");
      await dialog.getByRole("button", { name: "Save monitor" }).click();
      const url = await page.getByRole("textbox", { name: "Ping URL" }).inputValue();
      expect((await fetch(url)).status).toBe(200);
      await page.getByRole("link", { name: /^Success,/ }).waitFor();
      await page.getByRole("status", { name: "State" }).getByText("OK").waitFor();
      const main = page.getByRole("navigation", { name: "Main" });
      await main.getByRole("link", { name: "Monitors" }).click();
      await rows(page, "Monitors").getByText("Nightly photos").waitFor();

      await main.getByRole("link", { name: "Protected items" }).click();
      await heading(page, "Protected items").waitFor();
      const states = rows(page, "Protected items").locator("td:first-child");
      await states.first().waitFor();
      // One that is muted stands among those of its state.
      const words = (await states.allInnerTexts()).filter((word) => word !== "Muted");
      const needing = words.filter((word) => ["Never", "Failing", "Missed"].includes(word));
      expect(needing.length).toBeGreaterThan(0);
      expect(words.slice(0, needing.length)).toEqual(needing);
      await page.getByRole("searchbox", { name: "Search by name" }).fill("photos-01");
      const row = rows(page, "Protected items").filter({ hasText: "photos-01" });
      await row.getByText("Good").waitFor();
      await row.getByRole("link", { name: "photos-01" }).click();
      await page.getByRole("button", { name: "Mute" }).click();
      await page.getByRole("button", { name: "Unmute" }).waitFor();
    });

    test("the verdict counts what needs attention, and a running task changes nothing in it", async () => {
      const { page } = await open("/", viewer);
      const verdict = page.getByRole("status", { name: "Protection" });
      const counts = await ask("/entity-counts?filter=%7B%22is_muted%22%3Afalse%2C%22is_retired%22%3Afalse%7D");
      const bad = counts._embedded.items
        .filter(({ state }: { state: string }) => ["never", "failing", "missed"].includes(state))
        .reduce((sum: number, { count }: { count: number }) => sum + count, 0);
      await verdict.getByText(new RegExp(`^${bad} of \\d+ protected items need attention`)).waitFor();
      expect(await page.getByRole("region", { name: "Running now" }).getByRole("link").count()).toBeGreaterThan(0);
      expect(await page.title()).toStartWith(`(${bad}) Overview`);
    });

    test("a ping key is made, shown once, and makes a monitor with its first ping", async () => {
      const { page } = await open("/monitors", owner);
      await page.getByRole("button", { name: "Create ping key" }).click();
      const dialog = page.getByRole("dialog", { name: "Create ping key" });
      await dialog.getByLabel("Name").fill("all hosts");
      await dialog.getByRole("button", { name: "Create ping key" }).click();
      const once = page.getByRole("dialog", { name: "Ping key created" });
      const key = await once.getByRole("textbox", { name: "Ping key" }).inputValue();
      await once.getByRole("checkbox", { name: "I have stored this key" }).check();
      await once.getByRole("button", { name: "Done" }).click();
      expect((await fetch(`${world.service.baseUrl}/ping/${key}/from-a-key?create=1`)).status).toBe(201);
      await page.getByRole("searchbox", { name: "Search by name" }).fill("from-a-key");
      await rows(page, "Monitors").getByText("from-a-key").waitFor();
      await page.getByRole("button", { name: "Actions for all hosts" }).click();
      await page.getByRole("menuitem", { name: "Delete" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete ping key" }).click();
      await page.getByRole("button", { name: "Actions for all hosts" }).waitFor({ state: "detached" });
      expect((await fetch(`${world.service.baseUrl}/ping/${key}/from-a-key`)).status).toBe(404);
    });

    test("a unit without tasks shows the first steps, with a token made on the spot, until a task comes", async () => {
      const { id: unit } = await ask("/organizational-units", { name: "Fresh unit" });
      const { page } = await open(`/?unit=${unit}`, owner);
      await heading(page, "Overview").waitFor();
      await page.getByRole("tab", { name: "Ping URL" }).click();
      await page.getByRole("button", { name: "Create a ping URL" }).click();
      await page.getByText(`curl -fsS -m 10 --retry 5 ${world.service.baseUrl}/ping/`).first().waitFor();
      await page.getByRole("tab", { name: "curl" }).first().click();
      await page.getByRole("button", { name: "Create a reporter token" }).click();
      const token = await page.getByRole("textbox", { name: "Token" }).inputValue();
      const body = { category: "backup", type: "tar_create", primary_entity: { type: "host", value: "web-01" } };
      const made = await world.service.ask("/tasks", { token, method: "POST", body: { ...body, status: "completed" } });
      expect([made.status, made.body.organizational_unit_id]).toEqual([201, unit]);
      await page.reload();
      await page.getByRole("status", { name: "Protection" }).waitFor();
      expect(await page.getByText("Report a first backup").count()).toBe(0);
    });
  });
}
