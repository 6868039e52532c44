import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { open, owner, rows, totalOf, viewer, world } from "../shared-world";

export function tasks(): void {
  describe("tasks", () => {
    test("are searched and filtered in the address: Back undoes a filter, and another person sees the same", async () => {
      const { page } = await open("/tasks", viewer);
      await page.getByRole("button", { name: "Add filter" }).click();
      await page.getByRole("menuitem", { name: "Outcome" }).click();
      await page.getByRole("option", { name: "Error" }).click();
      await page.getByRole("option", { name: "Lost" }).click();
      await page.keyboard.press("Escape");
      const chip = page.getByRole("button", { name: "Remove filter: Outcome is Error, Lost" });
      await chip.waitFor();
      expect(new URL(page.url()).search).toBe("?outcome=error,lost");
      const total = await totalOf({ outcome: { $in: ["error", "lost"] } });
      await page.getByRole("navigation", { name: "Pages" }).getByText(`${total} tasks`).waitFor();
      const shared = await open("/tasks?outcome=error,lost", owner);
      await shared.page.getByRole("button", { name: "Remove filter: Outcome is Error, Lost" }).waitFor();
      await rows(shared.page, "Tasks").first().waitFor();
      expect(await shared.page.locator("tbody a").allInnerTexts()).toEqual(
        await page.locator("tbody a").allInnerTexts(),
      );
      await page.goBack();
      await chip.waitFor({ state: "hidden" });

      await world.beside.addTasks([{ primary_entity: { type: "host", id: "f", value: "=1+1" } }]);
      await page.getByRole("searchbox", { name: "Search by name" }).fill("=1+");
      await page.getByRole("navigation", { name: "Pages" }).getByText("1 task", { exact: false }).waitFor();
      await page.waitForURL(/q=/);
      await page.reload();
      await page.getByRole("navigation", { name: "Pages" }).getByText("1 task", { exact: false }).waitFor();
      expect(await page.getByRole("searchbox", { name: "Search by name" }).inputValue()).toBe("=1+");
      const downloading = page.waitForEvent("download");
      await page.getByRole("button", { name: "Download CSV" }).click();
      expect(readFileSync(await (await downloading).path(), "utf8")).toContain(",'=1+1,");

      await page.getByRole("searchbox", { name: "Search by name" }).fill("no such thing");
      await page.getByText("No task matches").waitFor();
      expect(new URL(page.url()).searchParams.get("q")).toBe("no such thing");
      await page.getByRole("button", { name: "Clear filters" }).click();
      await rows(page, "Tasks").first().waitFor();
    });

    test("are walked page by page, with few requests, to the last one and back", async () => {
      const { page, requests } = await open("/tasks?size=25", viewer);
      const pager = page.getByRole("navigation", { name: "Pages" });
      const answered = page.waitForResponse((response) => response.url().includes("start="));
      const watched = page.waitForRequest((request) => request.url().includes("/task-events"));
      await pager.getByRole("link", { name: "Last page" }).click();
      const last = Math.ceil((await totalOf({})) / 25);
      const field = pager.getByRole("textbox", { name: "Page" });
      await page.waitForURL(/page=/);
      expect(await field.inputValue()).toBe(String(last));
      await answered;
      await watched;
      const before = requests.length;
      await pager.getByRole("link", { name: "Previous page" }).click();
      await page.waitForURL((url) => url.searchParams.get("page") === String(last - 1));
      await rows(page, "Tasks").nth(24).waitFor();
      expect(await field.inputValue()).toBe(String(last - 1));
      expect(requests.slice(before).filter((one) => !one.includes("/assets/")).length).toBeLessThanOrEqual(3);
    });

    test("change in place while they run: new ones wait behind a button, and no row moves", async () => {
      const { token } = await world.beside.serviceToken("operator");
      const report = async (path: string, body: object, method = "POST") =>
        (await world.service.ask(path, { token, method, body })).body;
      const entity = { type: "host", value: "live-01" };
      const { id } = await report("/tasks", {
        category: "backup",
        type: "restic_backup",
        primary_entity: entity,
        can_abort: true,
      });
      const { page } = await open("/tasks?size=25", viewer);
      const first = rows(page, "Tasks").first();
      await first.getByText("live-01").waitFor();
      await page.locator('[data-stream="open"]').waitFor();
      expect(await first.getByRole("progressbar", { name: "Progress" }).getAttribute("aria-valuenow")).toBeNull();
      await first.getByText("running for").waitFor();
      await report(`/tasks/${id}`, { progress_percentage: 62, progress_message: "packing" }, "PATCH");
      for (const at of Array.from({ length: 50 }, (_, index) => index)) {
        const primary_entity = { type: "host", value: `new-${at}` };
        await report("/tasks", { category: "backup", type: "tar_create", status: "completed", primary_entity });
      }
      await first.locator('[aria-valuenow="62"]').waitFor();
      const button = page.getByRole("button", { name: "Show 50 new tasks" });
      await button.waitFor();
      expect(await first.getByRole("link").innerText()).toBe("live-01");
      await button.click();
      await first.getByText("new-49").waitFor();

      await page.goto(`${world.service.baseUrl}/console/tasks/${id}`);
      const abort = page.getByRole("button", { name: "Abort task" });
      await abort.waitFor();
      expect(await abort.isDisabled()).toBe(true);
      expect(await page.locator("#abort-reason").textContent()).toContain("tasks:abort");
      const operator = await open(`/tasks/${id}`, {
        email: "op@example.org",
        name: "Otto",
        roles: [{ role: "operator" }],
      });
      await operator.page.getByRole("button", { name: "Abort task" }).click();
      const dialog = operator.page.getByRole("dialog", { name: "Abort this task?" });
      await dialog.getByRole("button", { name: "Abort task" }).click();
      await operator.page.getByRole("status", { name: "State" }).getByText("Aborting").waitFor();
      await report(`/tasks/${id}`, { status: "aborted" }, "PATCH");
      await page.getByRole("status", { name: "State" }).getByText("Cancelled").waitFor();
    });

    test("that failed say what went wrong and what to do, with the log, which can be downloaded", async () => {
      const token = (await world.beside.serviceToken("reporter")).token;
      const error = {
        code: "repository_locked",
        message: "The repository is already locked by \u202eevil <b>x</b>",
        remedy: "Wait for the other run.",
      };
      const text = `${Array.from({ length: 300 }, (_, at) => `line ${at + 1}`).join("\n")}\nthe last line\n`;
      const { body } = await world.service.ask("/tasks", {
        token,
        method: "POST",
        body: { category: "backup", type: "restic_backup", status: "failed", error, log: { offset: 0, text } },
      });
      const { page } = await open(`/tasks/${body.id}`, viewer);
      const region = page.getByRole("region", { name: "What went wrong" });
      await region.getByText("already locked by \\u202eevil <b>x</b>").waitFor();
      await region.getByText("Wait for the other run.").waitFor();
      expect(await region.getByText("repository_locked").count()).toBe(1);
      const log = page.getByRole("log", { name: "Task log" });
      await log.getByText("the last line").waitFor();
      const follow = page.getByRole("switch", { name: "Follow" });
      expect(await follow.isChecked()).toBe(true);
      await page.evaluate("document.querySelector('[role=log]').scrollTo(0, 0)");
      await page.getByRole("button", { name: "Jump to newest" }).waitFor();
      expect(await follow.isChecked()).toBe(false);
      const downloading = page.waitForEvent("download");
      await page.getByRole("link", { name: "Download log" }).click();
      expect((await downloading).suggestedFilename()).toBe(`task-${body.id}.log`);
    });

    test("of the overview are counted: each part of a column leads to exactly the tasks that it counts", async () => {
      const { page } = await open("/", viewer);
      const figure = page.getByRole("figure", { name: "Tasks of the last 30 days by outcome" });
      const part = figure
        .locator("svg a")
        .filter({ has: page.locator(".fill-error") })
        .first();
      const [, count = ""] = /: ([\d,]+) error/.exec((await part.getAttribute("aria-label")) ?? "") ?? [];
      await part.click();
      await page.getByRole("heading", { level: 1, name: "Tasks" }).waitFor();
      expect(new URL(page.url()).searchParams.get("outcome")).toBe("error,lost");
      await page
        .getByRole("navigation", { name: "Pages" })
        .getByText(new RegExp(`· ${count} tasks?$`))
        .waitFor();
      await page.goBack();
      await page.getByRole("status", { name: "Protection" }).waitFor();
    });
  });
}
