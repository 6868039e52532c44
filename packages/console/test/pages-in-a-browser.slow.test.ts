import { afterAll, beforeAll, expect, test } from "bun:test";
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { type ConsoleWorld, openConsole, type Visit } from "./open-console";

const owner = { email: "owner@example.org", name: "Olga Owner", roles: [{ role: "owner" as const }] };

/** Each page once, half of them light and wide, half dark and narrow; all four looks of each in the long run. */
const isLong = process.env.HOLDFAST_TEST_LONG === "1";
const looks = [
  { colorScheme: "light", width: 1280, height: 900 },
  { colorScheme: "dark", width: 360, height: 740 },
  { colorScheme: "dark", width: 1280, height: 900 },
  { colorScheme: "light", width: 360, height: 740 },
] as const;
const pages = [
  ["/", "Overview"],
  ["/tasks", "Tasks"],
  ["/entities", "Protected items"],
  ["/monitors", "Monitors"],
  ["/tasks/{failed}", undefined],
  ["/administration/users", "Users"],
  ["/administration/roles/{role}", "admin"],
  ["/administration/organizational-units", "Organizational units"],
  ["/administration/api-tokens", "API tokens"],
  ["/administration/audit", "Audit trail"],
  ["/account/security", "Your account"],
  ["/?unit=00000000-0000-4000-8000-00000000abcd", "You hold no role in this unit"],
] as const;
/** Those are made of the same parts as others. */
const similarPages = [
  ["/account/tokens", "Your account"],
  ["/administration/users/{user}", undefined],
  ["/tasks/{running}", undefined],
  ["/tasks?q=nothing", "Tasks"],
  ["/administration/roles", "Roles"],
  ["/administration/keys", "Signing keys"],
  ["/account/profile", "Your account"],
  ["/account/sessions", "Your account"],
  ["/no-such-page", "No such page"],
] as const;

let world: ConsoleWorld;
const visits: Visit[] = [];
const ids: Record<string, string> = {};

beforeAll(async () => {
  world = await openConsole({ tasks: 300, users: 12 });
  const { token } = await world.beside.serviceToken("owner");
  const first = async (path: string): Promise<string> =>
    (await world.service.ask(path, { token })).body._embedded.items[0].id;
  const tasks = (filter: object) => first(`/tasks?limit=1&filter=${encodeURIComponent(JSON.stringify(filter))}`);
  ids.failed = await tasks({ outcome: "error" });
  ids.running = await tasks({ status: "in_progress" });
  ids.user = await first("/users?limit=1");
  ids.role = await first("/roles?limit=1");
  for (const look of looks.slice(0, isLong ? 4 : 2)) visits.push(await world.open("/", owner, look));
}, 60_000);

afterAll(() => world.close());

async function lookAt({ page, complaints, requests }: Visit, path: string) {
  complaints.length = 0;
  requests.length = 0;
  await page.goto(`${world.service.baseUrl}/console${path}`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.locator('main [aria-busy="true"]').first().waitFor({ state: "detached" });
  const { violations } = await new AxeBuilder({ page }).analyze();
  const isBad = ({ impact }: { impact?: string | null }) => impact === "serious" || impact === "critical";
  return {
    found: violations.filter(isBad).map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`),
    // A page that a person may not see answers 403, on which the browser itself has a line.
    complaints: complaints.filter((one) => !/status of 403/.test(one)),
    outside: requests.filter((one) => !one.includes(`${world.service.baseUrl}/`)),
    headings: await page.getByRole("heading", { level: 1 }).count(),
    isTooWide: await isTooWide(page),
  };
}

function isTooWide(page: Page): Promise<boolean> {
  return page.evaluate<boolean>("document.documentElement.scrollWidth > innerWidth");
}

const good = { found: [], complaints: [], outside: [], headings: 1, isTooWide: false };

test.each([...pages, ...(isLong ? similarPages : [])].map(([path, title], at) => ({ path, title, at })))(
  "$path can be used by everyone, is quiet, stays on its origin and fits its window",
  async ({ path, title, at }) => {
    const address = path.replace(/\{(\w+)\}/, (_, name: string) => ids[name] ?? "");
    for (const visit of isLong ? visits : [visits[at % 2]].filter((one) => one !== undefined)) {
      expect(await lookAt(visit, address)).toEqual(good);
      expect(await visit.page.title()).toEndWith("Holdfast");
      expect(title ?? "any").toBe(
        title === undefined ? "any" : await visit.page.getByRole("heading", { level: 1 }).innerText(),
      );
    }
  },
);

test("the first load has few requests and files that are kept for good; a second visit loads no script again", async () => {
  const { page, context } = await world.open("/", owner);
  await page.getByRole("status", { name: "Protection" }).waitFor();
  await page.getByRole("figure").nth(1).waitFor();
  const responses: { path: string; fromCache: boolean; caching: string | undefined }[] = [];
  page.on("response", async (response) => {
    const path = new URL(response.url()).pathname;
    const caching = response.headers()["cache-control"];
    const { transferSize } = await page
      .evaluate<{ transferSize: number }>(
        `({ transferSize: performance.getEntriesByName(${JSON.stringify(response.url())})[0]?.transferSize ?? 0 })`,
      )
      .catch(() => ({ transferSize: 0 }));
    responses.push({ path, fromCache: transferSize === 0, caching });
  });
  await page.reload();
  await page.getByRole("status", { name: "Protection" }).waitFor();
  await page.getByRole("figure").nth(1).waitFor();
  await page.waitForTimeout(300);
  const scripts = responses.filter(({ path }) => path.endsWith(".js"));
  expect(scripts.length).toBeGreaterThan(1);
  expect(scripts.filter(({ fromCache }) => !fromCache)).toEqual([]);
  expect(new Set(scripts.map(({ caching }) => caching))).toEqual(new Set(["public, max-age=31536000, immutable"]));
  const asked = responses.filter(({ path }) => !path.startsWith("/console/"));
  expect(asked.map(({ path }) => path).sort()).toEqual(
    [
      "/",
      "/caller",
      "/session",
      "/task-counts",
      "/task-counts",
      "/task-events",
      "/tasks",
      "/tasks",
      "/entity-counts",
      "/monitors",
    ].sort(),
  );
  await context.close();
});
