import { describe, expect, test } from "bun:test";
import { ask, expectOnly, heading, isLong, open, owner, rows, viewer, world } from "../shared-world";

/** Time for which the service is away, in milliseconds; it takes a moment to start in any case. */
const absence = isLong ? 20_000 : 0;

export function badDays(): void {
  describe("on a bad day", () => {
    test("38: the rows stay while the service is stopped, an alert says so, and everything continues without a reload", async () => {
      const { page, complaints } = await open("/tasks?size=25", viewer);
      await rows(page, "Tasks").nth(24).waitFor();
      await page.locator('[data-stream="open"]').waitFor();
      await page.evaluate("window.isTheSamePage = true");
      const before = await rows(page, "Tasks").getByRole("link").allInnerTexts();
      const start = await world.stopService();
      try {
        await page.getByRole("alert").filter({ hasText: "Holdfast does not answer" }).waitFor();
        await page.getByText(/Trying again/).waitFor();
        await Bun.sleep(absence);
        expect(await rows(page, "Tasks").getByRole("link").allInnerTexts()).toEqual(before);
      } finally {
        // The journeys after this one need it, too.
        await start();
      }
      await page.getByText("Holdfast does not answer").waitFor({ state: "hidden", timeout: 60_000 });
      await page.locator('[data-stream="open"]').waitFor({ timeout: 60_000 });
      const primary_entity = { type: "host", value: "after the start" };
      await ask("/tasks", { category: "backup", type: "tar_create", status: "completed", primary_entity });
      await page.getByRole("button", { name: /^Show \d+ new task/ }).click({ timeout: 60_000 });
      await rows(page, "Tasks").first().getByText("after the start").waitFor();
      expect(await page.evaluate<boolean>("window.isTheSamePage")).toBe(true);
      expectOnly(complaints, /ERR_(CONNECTION|INCOMPLETE|EMPTY|NETWORK|FAILED)|status of 50[23]/);
    }, 180_000);

    test("a page that was not loaded yet waits for the service, says that it does not answer, and of no update", async () => {
      const { page, complaints } = await open("/administration/users", owner);
      await rows(page, "Users").first().waitFor();
      // Other journeys have put its file into the cache of the browser.
      let isStopped = true;
      await page.route(
        (url) => /\/console\/assets\/keys-page-[^/]+\.js$/.test(url.pathname),
        (route) => (isStopped ? route.abort("connectionrefused") : route.continue()),
      );
      const start = await world.stopService();
      try {
        await page.getByRole("link", { name: "Signing keys" }).click();
        await heading(page, "Holdfast does not answer").waitFor();
        await page.getByRole("button", { name: "Try again" }).waitFor();
        await page.getByText(/Trying again/).waitFor();
        const counts = [page.getByRole("alert"), page.getByRole("main"), page.getByText("Holdfast was updated")];
        expect(await Promise.all(counts.map((one) => one.count()))).toEqual([1, 1, 0]);
      } finally {
        isStopped = false;
        await start();
      }
      await heading(page, "Signing keys").waitFor({ timeout: 60_000 });
      await rows(page, "Keys").first().waitFor();
      expect(await page.getByText("Holdfast was updated").count()).toBe(0);
      expectOnly(complaints, /ERR_(CONNECTION|INCOMPLETE|EMPTY|NETWORK|FAILED)|status of 50[23]|A part of the console/);
    }, 180_000);

    test("another version: the page is loaded again by itself, but not over what was typed", async () => {
      const { page, complaints } = await open("/administration/users", owner);
      await rows(page, "Users").first().waitFor();
      // A file of this version is gone, as after an upgrade. The page that is loaded then knows those of the new one.
      const isGone = (url: URL) => /\/console\/assets\/keys-page-[^/]+\.js$/.test(url.pathname);
      let loads = 0;
      page.on("request", (request) => {
        loads += Number(request.isNavigationRequest());
      });
      const goes = () => page.route(isGone, (route) => (loads > 0 ? route.continue() : route.fulfill({ status: 404 })));
      await page.getByRole("link", { name: "Olga Owner" }).click();
      await page.getByLabel("Full name").fill("Olga with a longer name");
      await goes();
      await page.getByRole("link", { name: "Signing keys" }).click();
      await page.getByRole("dialog", { name: "Leave without saving?" }).getByRole("button", { name: "Stay" }).click();
      expect(await page.getByLabel("Full name").inputValue()).toBe("Olga with a longer name");
      await page.getByRole("button", { name: "Discard" }).click();
      await page.getByRole("link", { name: "Signing keys" }).click();
      await page.getByText("Holdfast was updated").first().waitFor();
      await heading(page, "Signing keys").waitFor();
      await page.getByText("Holdfast was updated. The page was loaded again.").waitFor();
      expectOnly(complaints, /status of 404|A part of the console is not there/);
    });

    test("too fast: a request that is refused with a pause is sent again after it, which is said once it lasts", async () => {
      const { page, complaints } = await open("/administration/roles", owner);
      await rows(page, "Roles").first().waitFor();
      let isSaid = false;
      await page.route(
        (url) => url.pathname === "/users",
        (route) =>
          isSaid ? route.continue() : route.fulfill({ status: 429, headers: { "Retry-After": "4" }, body: "{}" }),
      );
      await page.getByRole("link", { name: "Users" }).click();
      await page.getByRole("status").filter({ hasText: "That was too fast for the service" }).waitFor();
      isSaid = true;
      await rows(page, "Users").first().waitFor();
      await page.getByText("That was too fast").waitFor({ state: "hidden" });
      expectOnly(complaints, /status of 429/);
    });

    test("one part that fails says why, with the request to ask about, and takes nothing else from the page", async () => {
      const { page, complaints } = await open("/administration/roles", owner);
      await heading(page, "Roles").waitFor();
      const fault = { errors: [{ error_code: 50001, error_message: "Something broke here." }], request_id: "r-1" };
      const breaks = (url: URL) => url.pathname === "/task-counts";
      await page.route(breaks, (route) =>
        route.fulfill({ status: 500, headers: { "X-Request-Id": "r-1" }, json: fault }),
      );
      await page.getByRole("link", { name: "Overview" }).click();
      const panel = page.getByRole("region", { name: "Last 24 hours" });
      await panel.getByRole("alert").filter({ hasText: "Something broke here." }).waitFor();
      await page.getByRole("status", { name: "Protection" }).waitFor();
      await page.unroute(breaks);
      await panel.getByRole("button", { name: "Try again" }).click();
      await panel.getByRole("figure").waitFor();
      expectOnly(complaints, /status of 500/);
    });

    test("a page behind the last one says that there is none, and leads to the last one", async () => {
      const { page } = await open("/tasks?page=99999", viewer);
      await heading(page, "Tasks").waitFor();
      await page.getByText("There is no page 99,999").waitFor();
      expect(await page.getByRole("button", { name: "Clear filters" }).count()).toBe(0);
      await page.getByRole("link", { name: /^Open the last page/ }).click();
      await rows(page, "Tasks").first().waitFor();
    });

    test("an address with what cannot be read is shown without it, and says so", async () => {
      const { page } = await open("/tasks?outcome=wonderful&since=7d&colour=blue", viewer);
      await page.getByText("The address had a filter that cannot be read (outcome).").waitFor();
      await page.getByText("The address had what cannot be read (colour).").waitFor();
      await rows(page, "Tasks").first().waitFor();
      expect(new URL(page.url()).search).toBe("?since=7d");
      await page.goto(`${world.service.baseUrl}/console/monitors?state=splendid`);
      await page.getByText("The address had a filter that cannot be read (state).").waitFor();
    });
  });
}
