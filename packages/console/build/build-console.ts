import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import { type BuiltScript, budgetFaults } from "./budgets";
import { builtFolder, stampName } from "./built-files";

const sourceFolder = join(import.meta.dirname, "../src");

export interface BuildOptions {
  /** Leaves out what only a release needs: packed files beside the others, and the comparison with the budgets. */
  isQuick: boolean;
  /** Where it is built; where a service from source looks for it, unless it is said. */
  folder?: string;
}

/** Output of a build, and its sources. */
export interface ConsoleBuild {
  scripts: BuiltScript[];
  /** The source files that are in it. */
  sources: string[];
}

/** Builds the console into its folder. Files are renamed into place, so two builds at once do no harm. */
export async function buildConsole({ isQuick, folder = builtFolder }: BuildOptions): Promise<ConsoleBuild> {
  const built = await Bun.build({
    entrypoints: [join(sourceFolder, "index.html")],
    target: "browser",
    splitting: true,
    minify: true,
    metafile: !isQuick,
    naming: { entry: "[name].[ext]", chunk: "assets/[name]-[hash].[ext]", asset: "assets/[name]-[hash].[ext]" },
    define: { "process.env.NODE_ENV": '"production"' },
  });
  const page = built.outputs.find(({ path }) => path.endsWith(".html"));
  if (!page) throw new Error("The build made no page.");
  const early = await readFile(join(sourceFolder, "scheme.js"));
  const earlyName = `scheme-${createHash("sha256").update(early).digest("hex").slice(0, 8)}.js`;
  // It has to run before the first paint. Bun would make it part of the script that waits for the page.
  const index = (await page.text()).replace("</title>", `</title><script src="./assets/${earlyName}"></script>`);
  const scripts: BuiltScript[] = [];
  const names = new Set<string>();
  await mkdir(join(folder, "assets"), { recursive: true });
  await place(join(folder, "assets", earlyName), early);
  names.add(earlyName);
  for (const output of built.outputs) {
    const name = output.path.replace(/^.*\bassets\//, "");
    // Bun also writes the styles of each lazy page to a file of its own, which nothing loads.
    if (output === page || (name.endsWith(".css") && !index.includes(name))) continue;
    const bytes = new Uint8Array(await output.arrayBuffer());
    await place(join(folder, "assets", name), bytes);
    names.add(name);
    if (!isQuick) {
      const packed = { br: await promisify(brotliCompress)(bytes), gz: await promisify(gzip)(bytes, { level: 9 }) };
      for (const [suffix, contents] of Object.entries(packed)) {
        await place(join(folder, "assets", `${name}.${suffix}`), contents);
        names.add(`${name}.${suffix}`);
      }
      const text = name.endsWith(".js") ? await output.text() : "";
      scripts.push({ name, gzip: packed.gz.length, text, isEntry: index.includes(name) });
    }
  }
  const faults = isQuick ? [] : budgetFaults(scripts);
  if (faults.length > 0) throw new Error(faults.join("\n"));
  await place(join(folder, "index.html"), index);
  for (const name of await readdir(join(folder, "assets"))) {
    if (!names.has(name)) await rm(join(folder, "assets", name), { force: true });
  }
  await writeFile(join(folder, stampName), "");
  return { scripts, sources: Object.keys(built.metafile?.inputs ?? {}) };
}

async function place(path: string, contents: string | Uint8Array): Promise<void> {
  const unfinished = `${path}.${process.pid}`;
  await writeFile(unfinished, contents);
  await rename(unfinished, path);
}
