import { beforeAll, describe, expect, test } from "bun:test";
import axe from "axe-core";
import { ask, isLong, open, owner } from "../shared-world";

/** Half of the pages light and wide, half dark and narrow; all four looks of each in the long run. */
const looks = [
  { colorScheme: "light", width: 1280, height: 900 },
  { colorScheme: "dark", width: 360, height: 740 },
  { colorScheme: "dark", width: 1280, height: 900 },
  { colorScheme: "light", width: 360, height: 740 },
] as const;
const pages = [
  ["/", "Overview"],
  ["/monitors/{monitor}", "Photos"],
] as const;
/** Those are made of the same parts as others. */
const similarPages = [
  ["/tasks", "Tasks"],
  ["/administration/notifications/{webhook}", "Chat"],
  ["/administration/api-tokens", "API tokens"],
  ["/tasks/{failed}", undefined],
  ["/entities", "Protected items"],
  ["/entities/{entity}", undefined],
  ["/monitors", "Monitors"],
  ["/administration/notifications", "Notifications"],
  ["/administration/users", "Users"],
  ["/administration/users/{user}", undefined],
  ["/administration/roles", "Roles"],
  ["/administration/roles/{role}", "admin"],
  ["/administration/organizational-units", "Organizational units"],
  ["/administration/audit", "Audit trail"],
  ["/administration/keys", "Signing keys"],
  ["/account/profile", "Your account"],
  ["/account/security", "Your account"],
  ["/account/sessions", "Your account"],
  ["/account/tokens", "Your account"],
  ["/tasks/{running}", undefined],
  ["/tasks?q=nothing", "Tasks"],
  ["/?unit={empty}", "Overview"],
  ["/?unit=00000000-0000-4000-8000-00000000abcd", "You hold no role in this unit"],
  ["/no-such-page", "No such page"],
] as const;

const ids: Record<string, string> = {};

async function findIds(): Promise<void> {
  const first = async (path: string): Promise<string> => (await ask(path))._embedded.items[0].id;
  const tasks = (filter: object) => first(`/tasks?limit=1&filter=${encodeURIComponent(JSON.stringify(filter))}`);
  ids.failed = await tasks({ outcome: "error" });
  ids.running = await tasks({ status: "in_progress" });
  ids.user = await first("/users?limit=1");
  ids.role = await first("/roles?limit=1");
  ids.entity = await first("/entities?limit=1");
  const chat = { name: "Chat", kind: "slack", url: "https://hooks.holdfast.invalid/x", events: ["task.failed"] };
  ids.webhook = (await ask("/webhooks", chat)).id;
  ids.monitor = (await ask("/monitors", { name: "Photos", schedule: { period_seconds: 86_400 } })).id;
  ids.empty = (await ask("/organizational-units", { name: "Empty unit" })).id;
}

export function looksOfPages(): void {
  describe("every page", () => {
    beforeAll(findIds);

    const all = [...pages, ...(isLong ? similarPages : [])].map(([path, title], at) => ({ path, title, at }));
    test.each(all)("$path can be used by everyone, is quiet, and fits its window", async ({ path, title, at }) => {
      const address = path.replace(/\{(\w+)\}/, (_, name: string) => ids[name] ?? "");
      for (const look of isLong ? looks : looks.slice(at % 2, (at % 2) + 1)) {
        const { page, complaints } = await open(address, owner, look);
        await page.getByRole("heading", { level: 1 }).waitFor();
        await page.locator('main [aria-busy="true"]').first().waitFor({ state: "detached" });
        await page.evaluate(axe.source);
        const { violations } = await page.evaluate<axe.AxeResults>("axe.run()");
        const isBad = ({ impact }: { impact?: string | null }) => impact === "serious" || impact === "critical";
        expect(violations.filter(isBad).map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
        const headings = await page.getByRole("heading", { level: 1 }).allInnerTexts();
        expect(headings).toEqual([title ?? expect.any(String)]);
        expect(await page.evaluate<boolean>("document.documentElement.scrollWidth > innerWidth")).toBe(false);
        expect(await page.title()).toEndWith("Holdfast");
        // A page that a person may not see answers 403, on which the browser itself has a line.
        complaints.splice(0, complaints.length, ...complaints.filter((one) => !/status of 403/.test(one)));
      }
    });
  });

  test("the first load has few requests and files that are kept for good; a second visit loads no script again", async () => {
    const { page } = await open("/", owner);
    await page.getByRole("figure").nth(1).waitFor();
    const responses: { path: string; caching: string | undefined }[] = [];
    page.on("response", (response) => {
      const path = new URL(response.url()).pathname;
      responses.push({ path, caching: response.headers()["cache-control"] });
    });
    await page.reload();
    await page.getByRole("status", { name: "Protection" }).waitFor();
    await page.getByRole("figure").nth(1).waitFor();
    await page.waitForTimeout(300);
    const scripts = responses.filter(({ path }) => path.endsWith(".js"));
    expect(scripts.length).toBeGreaterThan(1);
    expect(new Set(scripts.map(({ caching }) => caching))).toEqual(new Set(["public, max-age=31536000, immutable"]));
    const loaded = await page.evaluate<string[]>(
      "performance.getEntriesByType('resource').filter((one) => /\\.js$/.test(one.name) && one.transferSize > 0).map((one) => one.name)",
    );
    expect(loaded).toEqual([]);
    const asked = responses.filter(({ path }) => !path.startsWith("/console/"));
    expect(asked.map(({ path }) => path).sort()).toEqual(
      [
        ["/", "/caller", "/session"],
        ["/task-counts", "/task-counts", "/task-events", "/tasks", "/tasks", "/entity-counts", "/monitors"],
      ]
        .flat()
        .sort(),
    );
  });
}
