import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { type BackupHost, makeBackupHost } from "../run-a-backup";
import { go, heading, isLong, measured, open, rows, totalOf } from "../shared-world";

const operator = { email: "watch@example.org", name: "Wanda", roles: [{ role: "operator" as const }] };
let host: BackupHost;

/** Follows a bar until it has risen, and gives what it showed. */
async function risesOf(bar: Locator): Promise<number[]> {
  const seen: number[] = [];
  while (new Set(seen).size < 2) {
    const value = await bar.getAttribute("aria-valuenow", { timeout: 60_000 });
    seen.push(...(value === null ? [] : [Number(value)]));
    await Bun.sleep(250);
  }
  return seen;
}

/** Notes every text that an element shows from now on: one that is there for a moment is missed by what looks now and then. */
async function noteTexts(page: Page, name: string): Promise<() => Promise<string[]>> {
  await page.evaluate(`globalThis.texts = []; new MutationObserver(() => {
    for (const one of document.querySelectorAll('[role="status"][aria-label=${JSON.stringify(name)}]')) texts.push(one.innerText);
  }).observe(document.body, { childList: true, subtree: true, characterData: true }); undefined`);
  return () => page.evaluate<string[]>("texts");
}

export function backups(): void {
  describe("a real backup with restic", () => {
    beforeAll(async () => {
      host = await makeBackupHost();
    });
    afterAll(() => host.remove());

    test("21: its bar rises on its row and on its page without a reload, and its end shows the outcome at once", async () => {
      const list = await open("/tasks?size=25", operator);
      const single = await open("/account/profile", operator, { width: 1280, height: 901 });
      await list.page.locator('[data-stream="open"]').waitFor();
      await heading(single.page, "Your account").waitFor();
      const child = host.backUp("photos", 40, 2_000);
      await list.page.getByRole("button", { name: /^Show \d+ new task/ }).click({ timeout: 60_000 });
      const row = rows(list.page, "Tasks").filter({ hasText: "photos" });
      const href = (await row.getByRole("link").getAttribute("href")) ?? "";
      await go(single.page, href.replace("/console", ""));
      await heading(single.page, "photos").waitFor();
      const [onRow, onPage] = await Promise.all([
        risesOf(row.getByRole("progressbar", { name: "Progress" })),
        risesOf(single.page.getByRole("progressbar", { name: "Progress" })),
      ]);
      expect(onRow).toEqual(onRow.toSorted((one, other) => one - other));
      expect(onPage).toEqual(onPage.toSorted((one, other) => one - other));
      await child.exited;
      const endedAt = performance.now();
      await Promise.all([
        row.getByText("Success").waitFor({ timeout: 60_000 }),
        single.page.getByRole("status", { name: "State" }).getByText("Success").waitFor({ timeout: 60_000 }),
      ]);
      const took = performance.now() - endedAt;
      measured("21: from the end of the backup to its outcome on both pages", took);
      expect(took).toBeLessThan(isLong ? 3_000 : 30_000);
      expect(child.exitCode).toBe(0);
    }, 180_000);

    test("24: is stopped by a person, and says when it has stopped", async () => {
      const child = host.backUp("films", 10, 100);
      while ((await totalOf({ "primary_entity.value": "films" })) === 0) await Bun.sleep(250);
      const { page } = await open("/tasks?q=films", operator);
      await rows(page, "Tasks").filter({ hasText: "films" }).getByRole("link").click();
      const abort = page.getByRole("button", { name: "Abort task" });
      await abort.click({ timeout: 60_000 });
      const shown = await noteTexts(page, "State");
      await page.getByRole("dialog").getByRole("button", { name: "Abort task" }).click();
      const state = page.getByRole("status", { name: "State" });
      await state.getByText("Cancelled").waitFor({ timeout: 60_000 });
      expect((await shown()).join()).toContain("Aborting");
      await child.exited;
      expect(child.exitCode).not.toBe(0);
    }, 180_000);
  });
}
