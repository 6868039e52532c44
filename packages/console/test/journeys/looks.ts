import { beforeAll, describe, expect, test } from "bun:test";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { endlessText, hostileTexts, type StoredTexts, someHostileTexts, storeText } from "../hostile-texts";
import { ask, expectOnly, go, isLong, open, owner, world } from "../shared-world";
import { dialogs } from "./dialogs";

const looks = [
  // Far from UTC, which is then shown beside the time there.
  { colorScheme: "light", width: 1280, height: 900, zone: "Pacific/Auckland" },
  { colorScheme: "dark", width: 360, height: 740 },
  { colorScheme: "dark", width: 1280, height: 900 },
  { colorScheme: "light", width: 360, height: 740 },
] as const;

const widths = [360, 480, 600, 768, 900, 1024, 1280, 1440, 1920] as const;

/** Every page but that of an address which leads nowhere: between all others. */
const pages: readonly string[] = [
  "/",
  "/tasks",
  "/monitors/{monitor}",
  "/account/profile",
  "/tasks/{failed}",
  "/entities",
  "/administration/users",
  "/administration/notifications/{webhook}",
  "/account/security",
  "/entities/{entity}",
  "/monitors",
  "/administration/roles",
  "/tasks/{running}",
  "/account/sessions",
  "/administration/organizational-units?selected={unit}",
  "/administration/users/{user}",
  "/administration/notifications",
  "/administration/api-tokens",
  "/administration/audit",
  "/administration/roles/{role}",
  "/administration/keys",
  "/tasks?q=nothing",
  "/account/tokens",
  "/?unit={unit}",
  "/monitors/{plain}",
  "/tasks?unit=00000000-0000-4000-8000-00000000abcd",
];

/** Finds faults of a page: where text from outside is not kept apart, or makes the page wider than its window. */
const lookAround = `(() => {
  const faults = [];
  const fits = (element) => element.scrollWidth <= element.clientWidth;
  if (document.documentElement.scrollWidth > innerWidth) faults.push("the page scrolls sideways");
  for (const main of document.querySelectorAll("main")) {
    const edge = main.getBoundingClientRect().right;
    const wide = [...main.querySelectorAll("*")].filter((one) => one.getBoundingClientRect().right > edge + 1);
    if (!fits(main)) faults.push("main scrolls sideways: " + wide.slice(0, 4).map((one) => one.cloneNode(false).outerHTML));
  }
  for (const cell of document.querySelectorAll(".table :is(td, th)"))
    if (!fits(cell)) faults.push("a cell is clipped: " + cell.innerHTML.slice(0, 200));
  for (const name of document.querySelectorAll(".table tr:first-child td.strong:not(:has(.mark))"))
    if (getComputedStyle(name).display === "table-cell" && name.clientWidth < 160)
      faults.push("a column of names is " + name.clientWidth + " pixels wide: " + name.innerHTML.slice(0, 200));
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const place = node.parentElement;
    if (/[\\u202a-\\u202e\\u2066-\\u2069\\u001b\\u0000]/.test(node.data)) faults.push("hidden characters: " + node.data.slice(0, 80));
    if (/[\\u0590-\\u06ff]/.test(node.data) && !place.closest("bdi, option, textarea, datalist, [role=option]"))
      faults.push("text from the right is not kept apart: " + place.outerHTML.slice(0, 200));
  }
  if (document.querySelectorAll("h1").length !== 1) faults.push(document.querySelectorAll("h1").length + " headings");
  if (!document.title.endsWith("Holdfast")) faults.push("title: " + document.title);
  if (document.querySelector("main img, main iframe, main script, main base, body > style")) faults.push("markup");
  return faults;
})()`;

/**
 * Rows that are alike. The contrast of what is on every page costs most. Only long runs look at all of it on
 * every page: others at the first rows, and at what is around a page once in each look.
 */
const alike = ["tbody tr:nth-child(n + 9)"];
const around = [".shell-header", ".shell-navigation"];
const axeOptions = {
  resultTypes: ["violations"],
  preload: false,
  rules: { "color-contrast-enhanced": { enabled: false } },
};

/** Everything that is wrong with what is shown now. */
async function faultsOf(page: Page, exclude: readonly string[] = []): Promise<string[]> {
  const looked = `{ include: document, exclude: ${JSON.stringify(exclude)} }`;
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run(${looked}, ${JSON.stringify(axeOptions)})`);
  const bad = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  const found = bad.flatMap(({ id, nodes }) => nodes.slice(0, 3).map(({ html }) => `${id}: ${html.slice(0, 300)}`));
  return [...found, ...(await page.evaluate<string[]>(lookAround))];
}

/** Everything that does not fit into windows of all widths. */
async function misfitsOf(page: Page, { width, height }: { width: number; height: number }): Promise<string[]> {
  const found: string[] = [];
  for (const other of widths) {
    await page.setViewportSize({ width: other, height });
    const faults = await page.evaluate<string[]>(lookAround);
    found.push(...faults.map((fault) => `${other} px: ${fault}`));
  }
  await page.setViewportSize({ width, height });
  return found;
}

const nowhere = "No such page · Holdfast";

/** Leads to a page, and waits until it is there. */
async function reach(page: Page, path: string): Promise<void> {
  // The policy of the page lets nothing be evaluated in it later on, so the waiting is done here.
  await go(page, "/nowhere");
  while ((await page.title()) !== nowhere) await Bun.sleep(40);
  await go(page, path);
  while ((await page.title()) === nowhere) await Bun.sleep(40);
  await page.locator('main [aria-busy="true"]').first().waitFor({ state: "detached" });
}

const ids: Record<string, string> = {};
const withIds = (path: string) => path.replace(/\{(\w+)\}/, (_, name: string) => ids[name] ?? "");

async function fill(): Promise<void> {
  const texts = [...(isLong ? hostileTexts : someHostileTexts), endlessText];
  let last: StoredTexts | undefined;
  for (const text of texts) last = await storeText(text);
  ids.plain = (await ask("/monitors", { name: "Photos", schedule: { period_seconds: 86_400 } })).id;
  Object.assign(ids, last);
}

export function looksOfPages(): void {
  describe("39, T23, T34: with names that are endless, run from the right or are markup", () => {
    beforeAll(fill, 300_000);

    test.each(looks.map((look, at) => ({ ...look, at })))(
      "every page can be used by everyone, is quiet, shows texts as texts and fits its window: $colorScheme, $width px",
      async ({ at, ...look }) => {
        const { page, complaints } = await open("/administration/keys", owner, look);
        const dialogsSeen: string[] = [];
        page.on("dialog", (dialog) => {
          dialogsSeen.push(dialog.message());
          void dialog.dismiss();
        });
        await page.getByRole("heading", { level: 1 }).waitFor();
        await page.evaluate(axe.source);
        await go(page, "/nowhere");
        await page.getByRole("heading", { level: 1, name: "No such page" }).waitFor();
        const faults: Record<string, string[]> = { nowhere: await faultsOf(page) };
        const here = pages.filter((_, index) => isLong || index % looks.length === at);
        for (const [number, path] of here.entries()) {
          await reach(page, withIds(path));
          const seen = await faultsOf(page, isLong ? [] : [...alike, ...(number === 0 ? [] : around)]);
          faults[path] = [...seen, ...(await misfitsOf(page, look))];
        }
        const wrong = Object.fromEntries(Object.entries(faults).filter(([, found]) => found.length > 0));
        expect({ wrong, dialogsSeen }).toEqual({ wrong: {}, dialogsSeen: [] });
        // A page that a person may not see answers 403, on which the browser itself has a line.
        expectOnly(complaints, /status of 403/);
      },
      isLong ? 3_600_000 : 180_000,
    );

    test.each(isLong ? looks : [])(
      "every dialog can be used by everyone, and fits its window: $colorScheme, $width px",
      async (look) => {
        const visit = await open("/administration/keys", owner, look);
        const { page } = visit;
        await page.getByRole("heading", { level: 1 }).waitFor();
        await page.evaluate(axe.source);
        const wrong: Record<string, string[]> = {};
        for (const { path, name, show } of dialogs) {
          await reach(page, withIds(path));
          await show(page);
          await page.waitForTimeout(300);
          const faults = await faultsOf(page);
          Object.assign(wrong, faults.length > 0 ? { [`${path} ${name}`]: faults } : {});
          await page.keyboard.press("Escape");
          await page.keyboard.press("Escape");
        }
        expect(wrong).toEqual({});
      },
      3_600_000,
    );
  });

  test("40: the first load is small and has few requests; a second visit loads no script again", async () => {
    const { page } = await open("/administration/keys", owner);
    await page.getByRole("table", { name: "Keys" }).waitFor();
    const responses: { path: string; caching: string | undefined }[] = [];
    page.on("response", (response) => {
      const path = new URL(response.url()).pathname;
      responses.push({ path, caching: response.headers()["cache-control"] });
    });
    const own = [
      "/api-tokens",
      "/entities",
      "/entity-counts",
      "/entity-counts",
      "/monitors",
      "/task-counts",
      "/task-counts",
      "/task-events",
      "/tasks",
    ];
    /** Opens the overview, and waits until everything is shown and all has been answered: some of it may come later. */
    const show = async (begin: () => Promise<unknown>) => {
      const answers = own.map((path) => page.waitForResponse((response) => new URL(response.url()).pathname === path));
      await begin();
      await page.getByRole("status", { name: "Protection" }).waitFor();
      await page.getByRole("figure").nth(1).waitFor();
      await page.getByRole("region", { name: "Needs attention" }).waitFor();
      await page.waitForLoadState("load");
      await Promise.all(answers);
    };
    const load = async () => {
      responses.length = 0;
      await show(() => page.reload());
    };
    // Requests of a page that is left at once would be counted with those of the next one.
    await show(() => go(page, "/"));
    await load();
    const scripts = responses.filter(({ path }) => path.endsWith(".js"));
    const bodies = await Promise.all(
      scripts.map(async ({ path }) => (await fetch(`${world.service.baseUrl}${path}`)).arrayBuffer()),
    );
    const kilobytes = bodies.reduce((sum, body) => sum + Bun.gzipSync(body).length, 0) / 1000;
    expect(kilobytes).toBeWithin(100, 250);
    expect(scripts.every(({ path }) => /\/console\/assets\/[^/]+-[a-z0-9]{8,}\.js$/.test(path))).toBe(true);
    expect(new Set(scripts.map(({ caching }) => caching))).toEqual(new Set(["public, max-age=31536000, immutable"]));
    await load();
    const loaded = await page.evaluate<string[]>(
      "performance.getEntriesByType('resource').filter((one) => /\\.js$/.test(one.name) && one.transferSize > 0).map((one) => one.name)",
    );
    expect(loaded).toEqual([]);
    const asked = responses.map(({ path }) => path).filter((path) => !path.startsWith("/console/"));
    const [start, rest] = [["/", "/caller", "/session"], asked.slice(3)];
    expect(asked.slice(0, 3).sort()).toEqual(start);
    expect(rest.sort()).toEqual(own);
  });
}
