import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Company, openCompany } from "./pictures/company";
import { drawWithDesktopFont } from "./pictures/fonts";
import { scenes } from "./pictures/scenes";
import { takeForDocumentation, takeInAllLooks } from "./pictures/take";

const workspace = join(import.meta.dir, "../../..");
const isForDocumentation = process.argv.includes("--docs");
const wanted = new RegExp(process.argv.slice(2).find((argument) => !argument.startsWith("--")) ?? "");

/**
 * Takes pictures of every page, dialog and state, light and dark, wide and narrow, with the data of the demonstration:
 * to `data/screenshots/`. With `--docs` only those of the documentation, to `docs/images/`.
 */
async function takeScreenshots(): Promise<void> {
  drawWithDesktopFont();
  const folder = join(workspace, isForDocumentation ? "docs/images" : "data/screenshots");
  mkdirSync(folder, { recursive: true });
  const company = await openCompany(20_000);
  let failures = 0;
  try {
    for (const scene of scenes.filter(({ name }) => wanted.test(name))) {
      failures += (await takeOne(company, () => take(company, scene, folder))) ? 0 : 1;
    }
  } finally {
    await company.close();
  }
  if (failures > 0) throw new Error(`${failures} scenes could not be shown.`);
}

const take = isForDocumentation ? takeForDocumentation : takeInAllLooks;

async function takeOne(_: Company, act: () => Promise<string>): Promise<boolean> {
  try {
    process.stdout.write(await act());
    return true;
  } catch (error) {
    process.stdout.write(`${error instanceof Error ? error.message : error}\n`);
    return false;
  }
}

await takeScreenshots();
