import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { commandName } from "../settings/executable";
import { createStaticFile, type StaticFile } from "./static-file";

/** The console as its build has left it. */
export interface BuiltConsole {
  index: string;
  assets: ReadonlyMap<string, StaticFile>;
}

/** The console of a service: its page, and the files that this loads. */
export interface ConsoleFiles {
  page: StaticFile;
  /** By name. */
  assets: ReadonlyMap<string, StaticFile>;
}

/** Facts that the page needs before its first request. */
export interface ConsoleFacts {
  baseUrl: string;
  vendor: string;
  version: string;
}

const contentTypes: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};
const fileSuffixes: Readonly<Record<"br" | "gzip", string>> = { br: ".br", gzip: ".gz" };

/** Reads the built console from its folder, once: a build that follows cannot take a file away from an open page. */
export async function readBuiltConsole(folder: string): Promise<BuiltConsole> {
  const assetFolder = join(folder, "assets");
  const names = await readdir(assetFolder);
  const assets = new Map<string, StaticFile>();
  for (const name of names) {
    const contentType = contentTypes[extname(name)];
    if (contentType === undefined) continue;
    // Not Uint8Array.from, which goes from byte to byte: that was a fifth of the time of a start.
    const read = async (suffix: string) =>
      names.includes(name + suffix) ? new Uint8Array(await readFile(join(assetFolder, name + suffix))) : undefined;
    const prepared = { br: await read(fileSuffixes.br), gzip: await read(fileSuffixes.gzip) };
    assets.set(name, createStaticFile(new Uint8Array(await readFile(join(assetFolder, name))), contentType, prepared));
  }
  return { index: await readFile(join(folder, "index.html"), "utf8"), assets };
}

/** Makes the console of a service of the built one. */
export function placeConsole({ index, assets }: BuiltConsole, facts: ConsoleFacts): ConsoleFiles {
  const page = new TextEncoder().encode(renderConsolePage(index, facts));
  return { page: createStaticFile(page, "text/html; charset=utf-8"), assets };
}

/** Writes into the built page where the service is, and what it is called. */
function renderConsolePage(built: string, { baseUrl, vendor, version }: ConsoleFacts): string {
  const basePath = new URL(baseUrl).pathname.replace(/\/+$/, "");
  const facts = Object.entries({ "base-path": basePath, "base-url": baseUrl, vendor, version, command: commandName })
    .map(([name, value]) => `<meta name="holdfast-${name}" content="${escapeAttribute(value)}">`)
    .join("");
  return built
    .replaceAll(/(src|href)="\.\/assets\//g, `$1="${basePath}/console/assets/`)
    .replace("</head>", `${facts}</head>`);
}

function escapeAttribute(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
