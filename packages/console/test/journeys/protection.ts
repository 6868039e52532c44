import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { ask, heading, measured, open, operator, owner, rows, viewer, world } from "../shared-world";

const admin = { email: "adm@example.org", name: "Adam", roles: [{ role: "admin" as const }] };

export function protection(): void {
  describe("what is protected and watched", () => {
    test("27: a monitor is made with a cron expression, shows its next runs, and a ping makes a run on its page", async () => {
      const { page } = await open("/monitors", admin);
      await page.getByRole("button", { name: "Create monitor" }).click();
      const dialog = page.getByRole("dialog", { name: "Create monitor" });
      await dialog.getByLabel("Name").fill("Nightly photos");
      await dialog.getByRole("radio", { name: "Cron expression" }).check();
      await dialog.getByRole("textbox", { name: "Cron expression" }).fill("30 2 * * *");
      await dialog.getByRole("combobox", { name: "Time zone" }).fill("Europe/Berlin");
      await page.keyboard.press("Escape");
      const question = page.getByRole("dialog", { name: "Close without saving?" });
      await question.getByRole("button", { name: "Keep editing" }).click();
      await question.waitFor({ state: "detached" });
      const runs = dialog.getByRole("list", { name: "Next runs" }).getByRole("listitem");
      await runs.nth(4).filter({ hasText: "02:30" }).waitFor();
      expect(await runs.count()).toBe(5);
      await dialog.getByLabel("Item", { exact: true }).fill("photos-01");
      await dialog.getByLabel("Type", { exact: true }).fill("borg_create");
      await dialog.getByRole("button", { name: "Save monitor" }).click();
      const url = await page.getByRole("textbox", { name: "Ping URL" }).inputValue();
      await page
        .getByText(/holdfast run --monitor nightly-photos\S* -- borg create/)
        .first()
        .waitFor();
      const pingedAt = performance.now();
      expect((await fetch(url)).status).toBe(200);
      await page.getByRole("link", { name: /^Success,/ }).waitFor();
      await rows(page, "Runs").getByText("Success").waitFor();
      measured("27: from the ping to its task on the page", performance.now() - pingedAt);
      await page.getByRole("status", { name: "State" }).getByText("OK").waitFor();
      await page.getByRole("link", { name: "Show all tasks" }).click();
      await page.getByRole("navigation", { name: "Pages" }).getByText("1 task", { exact: false }).waitFor();
      await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Monitors" }).click();
      await rows(page, "Monitors").getByText("Nightly photos").waitFor();
    });

    test("26: the items that need attention come first; each says its state in words, and when the last good backup was", async () => {
      const { page } = await open("/entities", operator);
      const table = rows(page, "Protected items");
      await table.first().waitFor();
      const words = await table.locator("td:first-child").allInnerTexts();
      const bad = ["Never", "Failing", "Missed", "Stale"];
      const needing = words.filter((word) => bad.includes(word));
      expect(needing.length).toBeGreaterThan(0);
      expect(words.slice(0, needing.length)).toEqual(needing);
      expect(words.filter((word) => ![...bad, "Incomplete", "Unwatched", "Good"].includes(word))).toEqual([]);
      const good = await table.locator("td:nth-child(3)").allInnerTexts();
      expect(good.filter((text) => !/^(never|now|\d+ (s|min|h) ago|\d+ \w+.*)$/.test(text.trim()))).toEqual([]);
      expect(good.some((text) => text.trim() === "never")).toBe(true);

      const name = await table.first().getByRole("link").first().innerText();
      await table.first().getByRole("link").first().click();
      await heading(page, name).waitFor();
      await page.getByRole("button", { name: "Mute" }).click();
      await page.getByRole("button", { name: "Unmute" }).waitFor();
      await page.getByText("Muted", { exact: true }).waitFor();
      await page.getByRole("link", { name: "Protected items" }).last().click();
      await page.getByRole("link", { name: "muted", exact: true }).click();
      await table.filter({ hasText: name }).getByText("Muted").waitFor();
      await table.filter({ hasText: name }).getByRole("link").first().click();
      await page.getByRole("button", { name: "Unmute" }).click();
      await page.getByRole("button", { name: "Retire", exact: true }).click();
      await page.getByText("Retired", { exact: true }).waitFor();
      await page.getByRole("button", { name: "Bring back", exact: true }).click();
      await page.getByRole("button", { name: "Retire", exact: true }).waitFor();
    });

    test("the list of items is saved as CSV, and printed without what is only for the screen", async () => {
      const { page } = await open("/entities?state=failing", viewer);
      await rows(page, "Protected items").first().waitFor();
      const downloading = page.waitForEvent("download");
      await page.getByRole("button", { name: "Download CSV" }).click();
      const lines = readFileSync(await (await downloading).path(), "utf8")
        .trim()
        .split("\r\n");
      expect(lines[0]).toStartWith("id,item,type,");
      expect(lines.length - 1).toBe(await rows(page, "Protected items").count());
      await page.emulateMedia({ media: "print" });
      expect(await page.getByRole("banner").isVisible()).toBe(false);
      expect(await page.getByRole("navigation", { name: "Main" }).isVisible()).toBe(false);
      expect(await page.getByRole("table", { name: "Protected items" }).isVisible()).toBe(true);
      await page.emulateMedia({ media: null });
    });

    test("14: the verdict counts what needs attention, the list behind it is as long, and a running task changes nothing in it", async () => {
      const failed = { type: "host", value: "failing-14" };
      const error = { code: "other", message: "It failed.", remedy: "Look at it." };
      await ask("/tasks", { category: "backup", type: "tar_create", status: "failed", error, primary_entity: failed });
      const { page } = await open("/", operator);
      const verdict = page.getByRole("status", { name: "Protection" });
      const counts = await ask("/entity-counts?filter=%7B%22is_muted%22%3Afalse%2C%22is_retired%22%3Afalse%7D");
      const bad = counts._embedded.items
        .filter(({ state }: { state: string }) => ["never", "failing", "missed", "stale"].includes(state))
        .reduce((sum: number, { count }: { count: number }) => sum + count, 0);
      const sentence = new RegExp(`^${bad} of \\d+ protected items need attention`);
      await verdict.getByText(sentence).waitFor();
      const running = page.getByRole("region", { name: "Running now" });
      const count = async () => Number(/\d+/.exec(await running.getByRole("heading").innerText()));
      await running.getByRole("heading", { name: /\d/ }).waitFor();
      const before = await count();
      const { id } = await ask("/tasks", { category: "backup", type: "tar_create", primary_entity: failed });
      while ((await count()) <= before) await Bun.sleep(50);
      await page.reload();
      await running.getByRole("link", { name: "failing-14" }).waitFor();
      await verdict.getByText(sentence).waitFor();
      await page.getByRole("button", { name: /^Running tasks: \d+$/ }).waitFor();
      expect(await page.title()).toStartWith(`(${bad}) Overview`);
      await ask(`/tasks/${id}`, { status: "aborted" }, "PATCH");
      await verdict.getByRole("link", { name: "Show them" }).click();
      await page.getByRole("navigation", { name: "Pages" }).getByText(`· ${bad} items`).waitFor();
    });

    test("an item says which backup it is failing for, and a restore that did not succeed is not shown as one that did", async () => {
      const primary_entity = { type: "host", value: "failing-since" };
      const error = { code: "other", message: "It failed.", remedy: "Look at it." };
      const report = (category: string, status: string, rest = {}) =>
        ask("/tasks", { category, type: "some_work", status, primary_entity, ...rest });
      await report("backup", "completed");
      await report("backup", "failed", { error });
      await report("restore", "failed", { error });
      await report("system", "completed");
      const { page } = await open("/entities?q=failing-since", operator);
      await rows(page, "Protected items").getByText("(error)").waitFor();
      await page.getByRole("link", { name: "failing-since" }).click();
      await heading(page, "failing-since").waitFor();
      // The restore, and the backup before it: the last run is no other task.
      for (const fact of ["Last restore", "Last run"]) {
        await page.locator(`dt:text-is("${fact}") + dd`).getByText("(error)").waitFor();
      }
      const operation = rows(page, "Operations").filter({ hasText: "some_work" });
      await operation.getByText("Failing").waitFor();
      await operation.getByRole("button", { name: "Retire some_work" }).click();
      await operation.getByText("Retired", { exact: true }).waitFor();
      await operation.getByRole("button", { name: "Bring back some_work" }).click();
      await operation.getByText("Failing").waitFor();
      await page.getByText(/because the newest run ended as error/).waitFor();
      await page.getByRole("link", { name: "ended as error" }).click();
      await page.getByText("It failed.").first().waitFor();
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

    test("a host that is added is named in the command that reports its backups", async () => {
      const { page } = await open("/entities", owner);
      await page.getByRole("button", { name: "Add a host" }).click();
      const dialog = page.getByRole("dialog", { name: "Add a host" });
      await dialog.getByLabel("Name").fill("Olga's laptop");
      await dialog.getByRole("button", { name: "Continue" }).click();
      await dialog
        .getByText(String.raw`holdfast run --entity 'host:Olga'\''s laptop' -- restic backup`)
        .first()
        .waitFor();
      const notice = dialog.getByRole("note").filter({ hasText: "Other hosts cannot reach this service." });
      expect(await notice.innerText()).toContain(
        `Its address is ${world.service.baseUrl}, which is the machine that it`,
      );
      expect(await notice.innerText()).toContain("base_url_aliases");
    });

    test("tokens that expire soon stand on the overview of those who manage tokens, and of nobody else", async () => {
      const { id } = await world.beside.serviceToken("reporter");
      const soon = { name: "soon to end", created_at: 0, expires_at: Date.now() + 6 * 86_400_000 };
      await world.beside.database.change((db) => db.updateTable("api_tokens").set(soon).where("id", "=", id).execute());
      const { page } = await open("/", owner);
      await page.getByRole("heading", { name: /^Expiring API tokens/ }).waitFor();
      await page.getByText("soon to end").waitFor();
      const { page: other } = await open("/", viewer);
      await other.getByRole("status", { name: "Protection" }).waitFor();
      expect(await other.getByText("soon to end").count()).toBe(0);
    });

    test("a unit without tasks shows the first steps, with a token made on the spot, until a task comes", async () => {
      const { id: unit } = await ask("/organizational-units", { name: "Fresh unit" });
      const { page } = await open(`/?unit=${unit}`, owner);
      await heading(page, "Overview").waitFor();
      await page
        .getByText(/copy the executable holdfast.*holdfast run -- restic/s)
        .first()
        .waitFor();
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
