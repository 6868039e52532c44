import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import {
  ask,
  descriptionOf,
  isLong,
  measured,
  open,
  operator,
  owner,
  rows,
  totalOf,
  viewer,
  world,
} from "../shared-world";

const pagerOf = (page: Parameters<typeof rows>[0]) => page.getByRole("navigation", { name: "Pages" });

/** Measures in the page itself, where no poll of this test counts: from what is typed to a table that has only matches. */
const timeSearch = `globalThis.searched = new Promise((resolve) => {
  addEventListener("input", ({ timeStamp: typedAt, target }) => {
    const watch = new MutationObserver(() => {
      const rows = [...document.querySelectorAll('table[aria-label="Tasks"] tbody tr')];
      if (rows.length > 0 && rows.every((row) => row.innerText.includes(target.value))) {
        watch.disconnect();
        resolve(performance.now() - typedAt);
      }
    });
    watch.observe(document.body, { childList: true, subtree: true, characterData: true });
  }, { once: true });
}); undefined`;

export function tasks(): void {
  describe("tasks", () => {
    test("17: a filter is chosen from a menu, stands in the address, and Back removes it", async () => {
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
      await pagerOf(page).getByText(`${total} tasks`).waitFor();
      await page.goBack();
      await chip.waitFor({ state: "hidden" });
      expect(new URL(page.url()).search).toBe("");
    });

    test("18: a link with three filters shows another person of the unit the same rows and the same removable filters", async () => {
      const address = "/tasks?category=backup&outcome=error,lost,success&since=30d";
      const chips = ["Remove filter: Category is Backup", "Remove filter: Outcome is Error, Lost, Success"];
      const seen: unknown[] = [];
      for (const person of [viewer, owner]) {
        const { page } = await open(address, person);
        await rows(page, "Tasks").first().waitFor();
        for (const name of chips) await page.getByRole("button", { name }).waitFor();
        expect(await page.getByRole("combobox", { name: "Period" }).inputValue()).toBe("30d");
        seen.push(await rows(page, "Tasks").getByRole("link").allInnerTexts());
      }
      expect(seen[0]).toEqual(seen[1]);
    });

    test("16, 37: a search leaves only matches, also after a reload; its CSV has no cell that is a formula", async () => {
      const values = ["=1+1", "=1+2 and more", "+1+1", "-1+1", "@1+1"];
      await world.beside.addTasks(
        values.map((value, at) => ({ primary_entity: { type: "host", id: `f${at}`, value } })),
      );
      const { page } = await open("/tasks", viewer);
      await rows(page, "Tasks").first().waitFor();
      const search = page.getByRole("searchbox", { name: "Search by name" });
      await page.evaluate(timeSearch);
      await search.fill("=1+");
      const took = await page.evaluate<number>("searched");
      measured("16: from typing to the rows that match", took);
      // Beside other jobs a machine can be many times as slow.
      expect(took).toBeLessThan(isLong ? 1_000 : 30_000);
      await pagerOf(page).getByText("2 tasks").waitFor();
      expect(await rows(page, "Tasks").getByRole("link").allInnerTexts()).toEqual(["=1+2 and more", "=1+1"]);
      expect(new URL(page.url()).searchParams.get("q")).toBe("=1+");
      await page.reload();
      await pagerOf(page).getByText("2 tasks").waitFor();
      expect(await search.inputValue()).toBe("=1+");
      await search.fill("1+1");
      await pagerOf(page).getByText("4 tasks").waitFor();
      const button = page.getByRole("button", { name: "Download CSV" });
      expect(await button.getAttribute("title")).toBe("At most 10,000 rows");
      const downloading = page.waitForEvent("download");
      await button.click();
      const lines = readFileSync(await (await downloading).path(), "utf8")
        .trim()
        .split("\r\n");
      const cells = lines.slice(1).map((one) => one.split(",")[3]);
      expect(cells.sort()).toEqual(["'+1+1", "'-1+1", "'=1+1", "'@1+1"].sort());
      await page.getByText("Saved 4 tasks.").waitFor();

      await search.fill("no such thing");
      await page.getByText("No task matches").waitFor();
      await page.getByRole("button", { name: "Clear filters" }).click();
      await rows(page, "Tasks").first().waitFor();
    });

    test("19: are walked to the last page and back, with at most three requests per step", async () => {
      const { page, requests } = await open("/tasks?size=25", viewer);
      await rows(page, "Tasks").first().waitFor();
      const last = Math.ceil((await totalOf({})) / 25);
      const field = pagerOf(page).getByRole("textbox", { name: "Page" });
      for (const [name, reached] of [
        ["Last page", last],
        ["Previous page", last - 1],
      ] as const) {
        requests.length = 0;
        const listed = page.waitForResponse((response) => new URL(response.url()).pathname === "/tasks");
        const watched = page.waitForRequest((request) => request.url().includes("/task-events"));
        await pagerOf(page).getByRole("link", { name }).click();
        await Promise.all([listed, watched]);
        await page.locator('table[aria-busy="false"]').waitFor();
        expect(await field.inputValue()).toBe(String(reached));
        expect(requests.filter((one) => !one.includes("/assets/")).length).toBeLessThanOrEqual(3);
      }
    });

    test("20, 22: rows change in place while tasks run; new ones wait behind a button, and no row moves", async () => {
      const entity = { type: "host", value: "live-01" };
      const { id } = await ask("/tasks", { category: "backup", type: "restic_backup", primary_entity: entity });
      const { page } = await open("/tasks?size=25", viewer);
      const first = rows(page, "Tasks").first();
      await first.getByText("live-01").waitFor();
      await page.locator('[data-stream="open"]').waitFor();
      const bar = first.getByRole("progressbar", { name: "Progress" });
      expect(await bar.getAttribute("aria-valuenow")).toBeNull();
      await first.getByText(/running for \d+ (s|min)/).waitFor();
      const before = await rows(page, "Tasks").getByRole("link").allInnerTexts();
      await ask(`/tasks/${id}`, { progress_percentage: 62, progress_message: "packing" }, "PATCH");
      const reports = Array.from({ length: 50 }, (_, at) => {
        const task_id = crypto.randomUUID();
        const primary_entity = { type: "host", value: `new-${at}` };
        const body = { id: task_id, category: "backup", type: "tar_create", status: "completed", primary_entity };
        return { operation: "create", task_id, body };
      });
      await ask("/task-reports", { reports });
      await first.locator('[aria-valuenow="62"]').waitFor();
      const button = page.getByRole("button", { name: "Show 50 new tasks" });
      await button.waitFor();
      expect(await rows(page, "Tasks").getByRole("link").allInnerTexts()).toEqual(before);
      await button.click();
      await first.getByText(/^new-\d+$/).waitFor();
      expect(await page.getByText(/^new-\d+$/).count()).toBe(25);
      await ask(`/tasks/${id}`, { status: "completed" }, "PATCH");
    });

    test("11, 24: a viewer is said what is missing to abort; an operator aborts, or lets it run", async () => {
      const { id } = await ask("/tasks", { category: "backup", type: "restic_backup", can_abort: true });
      const watching = await open(`/tasks/${id}`, viewer);
      const abort = watching.page.getByRole("button", { name: "Abort task" });
      await abort.waitFor();
      expect(await abort.isDisabled()).toBe(true);
      expect(await descriptionOf(watching, "button", "Abort task")).toContain("tasks:abort");
      const { page } = await open(`/tasks/${id}`, operator);
      const state = page.getByRole("status", { name: "State" });
      const dialog = page.getByRole("dialog", { name: "Abort this task?" });
      await page.getByRole("button", { name: "Abort task" }).click();
      await dialog.getByRole("button", { name: "Keep running" }).click();
      await dialog.waitFor({ state: "hidden" });
      expect((await ask(`/tasks/${id}`)).status).toBe("in_progress");
      await page.getByRole("button", { name: "Abort task" }).click();
      await dialog.getByRole("button", { name: "Abort task" }).click();
      await state.getByText("Aborting").waitFor();
      await state.getByText(/asked \d+ s ago/).waitFor();
      await ask(`/tasks/${id}`, { status: "aborted" }, "PATCH");
      await state.getByText("Cancelled").waitFor();
      await watching.page.getByRole("status", { name: "State" }).getByText("Cancelled").waitFor();
    });

    test("23: a failed task says what went wrong and what to do, with its log, which can be searched and downloaded", async () => {
      const error = {
        code: "repository_locked",
        message: "The repository is already locked by \u202eevil <b>x</b>",
        remedy: "Wait for the other run.",
      };
      const text = `${Array.from({ length: 300 }, (_, at) => `line ${at + 1}`).join("\n")}\nthe last line\n`;
      const { id } = await ask("/tasks", {
        category: "backup",
        type: "restic_backup",
        status: "failed",
        error,
        log: { offset: 0, text },
      });
      const { page } = await open(`/tasks/${id}`, viewer);
      const region = page.getByRole("region", { name: "What went wrong" });
      await region.getByText("already locked by \\u202eevil <b>x</b>").waitFor();
      await region.getByText("Wait for the other run.").waitFor();
      expect(await region.getByText("repository_locked").count()).toBe(1);
      const log = page.getByRole("log", { name: "Task log" });
      await log.getByText("the last line").waitFor();
      expect((await log.innerText()).trim()).toEndWith("the last line");
      // An ended task is not followed.
      expect(await page.getByRole("switch", { name: "Follow" }).count()).toBe(0);
      await log.hover();
      await page.mouse.wheel(0, -2_000);
      await page.getByRole("button", { name: "Jump to the end" }).click();
      await page.getByRole("button", { name: "Jump to the end" }).waitFor({ state: "detached" });
      const downloading = page.waitForEvent("download");
      await page.getByRole("link", { name: "Download log" }).click();
      const file = await downloading;
      expect(file.suggestedFilename()).toBe(`task-${id}.log`);
      expect(readFileSync(await file.path(), "utf8")).toBe(text);
      await page.getByRole("searchbox", { name: "Search in log" }).fill("line 30");
      await page.getByText("2 lines").waitFor();
      expect(new URL(page.url()).searchParams.get("find")).toBe("line 30");
      const offset = text.indexOf("line 150");
      await page.goto(`${world.service.baseUrl}/console/tasks/${id}#b${offset}`);
      await page.reload();
      await log.locator(".log-found").getByText("line 150").waitFor();
    });

    test("23: the log of a running task is followed until the person scrolls up", async () => {
      const text = Array.from({ length: 300 }, (_, at) => `line ${at + 1}\n`).join("");
      const { id } = await ask("/tasks", { category: "backup", type: "tar_create", log: { offset: 0, text } });
      const { page } = await open(`/tasks/${id}`, viewer);
      const log = page.getByRole("log", { name: "Task log" });
      await log.getByText("line 300").waitFor();
      const follow = page.getByRole("switch", { name: "Follow" });
      expect(await follow.isChecked()).toBe(true);
      await log.hover();
      await page.mouse.wheel(0, -2_000);
      await page.getByRole("button", { name: "Jump to newest" }).waitFor();
      expect(await follow.isChecked()).toBe(false);
      await ask(`/tasks/${id}`, { status: "completed", progress_message: "Stored 12 files" }, "PATCH");
      await follow.waitFor({ state: "detached" });
      await page.goto(`${world.service.baseUrl}/console/tasks?type=tar_create`);
      await rows(page, "Tasks").first().waitFor();
      // Its progress says nothing of how it ended.
      expect(await page.getByText("Stored 12 files").count()).toBe(0);
    });

    test("a log with a gap shows what is missing, and its end", async () => {
      const { id } = await ask("/tasks", { category: "backup", type: "tar_create", log: { offset: 0, text: "one\n" } });
      const error = { code: "command_failed", message: "It failed.", remedy: "Read the end of the log." };
      await ask(`/task-reports`, {
        reports: [
          { operation: "log", task_id: id, body: { offset: 2_000_004, text: "FATAL: the reason\n", gap: true } },
          { operation: "update", task_id: id, body: { status: "failed", error } },
        ],
      });
      const { page } = await open(`/tasks/${id}`, viewer);
      const log = page.getByRole("log", { name: "Task log" });
      await log.getByText("FATAL: the reason").waitFor();
      expect((await log.innerText()).trim().split(/\n+/)).toEqual([
        "one",
        "[2.0 MB are missing here]",
        "FATAL: the reason",
      ]);
    });

    test("15: each part of a column of the overview leads to exactly the tasks that it counts", async () => {
      const { page } = await open("/", viewer);
      const figure = page.getByRole("figure", { name: "Tasks of the last 30 days by outcome" });
      const part = figure
        .locator("svg a")
        .filter({ has: page.locator('[fill$="-error)"]') })
        .first();
      const [, day = "", count = ""] =
        /^(.+): ([\d,]+) error/.exec((await part.getAttribute("aria-label")) ?? "") ?? [];
      await part.click();
      await page.getByRole("heading", { level: 1, name: "Tasks" }).waitFor();
      const { searchParams } = new URL(page.url());
      expect(searchParams.get("outcome")).toBe("error,lost");
      const from = new Date(searchParams.get("from") ?? "");
      expect(new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" }).format(from)).toBe(
        day,
      );
      await page.getByRole("button", { name: "Remove filter: Outcome is Error, Lost" }).waitFor();
      await pagerOf(page)
        .getByText(new RegExp(`· ${count} tasks?$`))
        .waitFor();
      await page.goBack();
      await page.getByRole("status", { name: "Protection" }).waitFor();
    });
  });
}
