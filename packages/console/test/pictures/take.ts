import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import type { Visit } from "../open-console";
import { type Company, owner, viewer } from "./company";
import { documentationPictures } from "./documentation";
import type { Scene } from "./scenes";

const sizes = [
  ["wide", 1280, 900],
  ["phone", 360, 740],
] as const;
/** Pages are also looked at in windows between these, and in a larger one. */
const pageSizes = [
  ...sizes,
  ["tablet", 768, 1024],
  ["small", 1024, 768],
  ["large", 1440, 900],
  ["huge", 1920, 1080],
] as const;
/** A4, across, without its margins. */
const paper = [["paper", 1031, 700]] as const;
/** A picture of the documentation is at most so large, in bytes. */
const maxBytes = 100_000;
const qualities = [84, 76, 68, 60, 50];
/** Maximum number of windows of content in a picture. */
const maxWindows = 3;
const failureFolder = join(import.meta.dir, "../../../../data");
const people = {
  owner,
  viewer,
  reporter: { email: "host@example.com", name: "Hafen Host", roles: [{ role: "reporter" as const }] },
};

/** Takes a scene in all looks: one visit, whose window changes its colours and its size. */
export async function takeInAllLooks(company: Company, scene: Scene, folder: string): Promise<string> {
  const visit = await show(company, scene);
  const { page } = visit;
  for (const [size, width, height] of scene.isPrinted ? paper : scene.act ? sizes : pageSizes) {
    await page.setViewportSize({ width, height });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, media: scene.isPrinted ? "print" : "screen" });
      await settle(page);
      const path = join(folder, `${scene.name}-${size}-${colorScheme}.png`);
      await page.screenshot({ path, ...(scene.isWhole ? await wholeOf(page, width, height) : {}) });
    }
  }
  return `${scene.name}${await end(visit)}\n`;
}

/** Takes a scene for the documentation, if it is shown there: sharp on good screens, and small. */
export async function takeForDocumentation(company: Company, scene: Scene, folder: string): Promise<string> {
  const pictures = documentationPictures.filter(({ of }) => of === scene.name);
  if (pictures.length === 0) return "";
  const visit = await show(company, scene);
  const { page } = visit;
  const said: string[] = [];
  for (const { file, width, height, colorScheme, part } of pictures) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    await settle(page);
    const box = part === undefined ? { x: 0, y: 0, width, height } : await boxOf(page, part);
    const path = join(folder, `${file}.webp`);
    writeFileSync(path, await smallPicture(page, { ...box, scale: 1.5 }));
    said.push(`${file}.webp ${Math.round(statSync(path).size / 1000)} kB`);
  }
  return `${said.join("\n")}${await end(visit)}\n`;
}

/** A picture that is as good as its size allows. Playwright itself writes no WebP. */
async function smallPicture(page: Page, clip: { x: number; y: number; width: number; height: number; scale: number }) {
  const devTools = await page.context().newCDPSession(page);
  let picture = Buffer.alloc(0);
  for (const quality of qualities) {
    const { data } = await devTools.send("Page.captureScreenshot", { format: "webp", quality, clip });
    picture = Buffer.from(data, "base64");
    if (picture.length <= maxBytes) break;
  }
  await devTools.detach();
  return picture;
}

async function boxOf(page: Page, selector: string) {
  const box = await page.locator(selector).first().boundingBox();
  if (!box) throw new Error(`${selector} is not there.`);
  const room = 16;
  return {
    x: Math.max(0, box.x - room),
    y: Math.max(0, box.y - room),
    width: box.width + 2 * room,
    height: box.height + 2 * room,
  };
}

/** Opens the page of a scene, and does there what it says. */
async function show(company: Company, { name, path, as = "owner", act }: Scene): Promise<Visit> {
  const { world, fresh, ids } = company;
  const address = path
    .replace(/\{(\w+)\}/g, (_, id: string) => ids[id] ?? "")
    .replace(/^\/\//, `${world.service.baseUrl}/`)
    .replace(/^fresh:/, fresh.baseUrl);
  const visit = as === "visitor" ? await world.openSignedOut(address) : await world.open(address, people[as]);
  visit.page.setDefaultTimeout(20_000);
  try {
    await visit.page.getByRole("heading", { level: 1 }).first().waitFor();
    await visit.page.locator('main [aria-busy="true"]').first().waitFor({ state: "detached" });
    await act?.(visit.page, company);
    // This browser has no scroll bar, whose place a page behind a dialog keeps free.
    await visit.page.evaluate("document.documentElement.style.scrollbarGutter = 'auto'");
  } catch (error) {
    await visit.page.screenshot({ path: join(failureFolder, `failed-${name}.png`) });
    await end(visit);
    throw new Error(`${name}: ${error instanceof Error ? error.message : error}`);
  }
  return visit;
}

async function settle(page: Page): Promise<void> {
  await page.waitForTimeout(350);
}

async function wholeOf(page: Page, width: number, height: number) {
  const tall = await page.evaluate<number>("document.documentElement.scrollHeight");
  return { fullPage: true, clip: { x: 0, y: 0, width, height: Math.min(tall, maxWindows * height) } };
}

/** Leaves the tab as the next visit wants it, and says of what the browser complained. */
async function end({ page, complaints, leave }: Visit): Promise<string> {
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.emulateMedia({ colorScheme: "light", media: "screen" });
  await page.setViewportSize({ width: 1280, height: 900 });
  const said = complaints.filter((one) => !/status of 4\d\d|status of 500|ERR_FAILED/.test(one));
  await leave();
  return said.map((one) => `\n  ${one}`).join("");
}
