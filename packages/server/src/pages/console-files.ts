import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { brotliCompress, constants, gzip } from "node:zlib";
import { commandName } from "../settings/executable";

/** How a file can be packed for its way, best first. */
export const packings = ["br", "gzip"] as const;
export type Packing = (typeof packings)[number];

/** A file of the console. */
export interface ConsoleFile {
  contentType: string;
  /** A strong ETag of its bytes. */
  etag: string;
  bytes: Uint8Array<ArrayBuffer>;
  /** Its bytes, packed: as the build left them, or else packed the first time. Undefined where that saves nothing. */
  packed(packing: Packing): Promise<Uint8Array<ArrayBuffer>> | undefined;
}

/** The console as its build has left it. */
export interface BuiltConsole {
  index: string;
  assets: ReadonlyMap<string, ConsoleFile>;
}

/** The console of a service: its page, and the files that this loads. */
export interface ConsoleFiles {
  page: ConsoleFile;
  /** By name. */
  assets: ReadonlyMap<string, ConsoleFile>;
}

/** What the page has to know before it asks for anything. */
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
const fileSuffixes: Readonly<Record<Packing, string>> = { br: ".br", gzip: ".gz" };

/** Reads the built console from its folder, once: a build that follows cannot take a file away from an open page. */
export async function readBuiltConsole(folder: string): Promise<BuiltConsole> {
  const assetFolder = join(folder, "assets");
  const names = await readdir(assetFolder);
  const assets = new Map<string, ConsoleFile>();
  for (const name of names) {
    const contentType = contentTypes[extname(name)];
    if (contentType === undefined) continue;
    // Not Uint8Array.from, which goes from byte to byte: that was a fifth of the time of a start.
    const read = async (suffix: string) =>
      names.includes(name + suffix) ? new Uint8Array(await readFile(join(assetFolder, name + suffix))) : undefined;
    const prepared = { br: await read(fileSuffixes.br), gzip: await read(fileSuffixes.gzip) };
    assets.set(name, consoleFile(new Uint8Array(await readFile(join(assetFolder, name))), contentType, prepared));
  }
  return { index: await readFile(join(folder, "index.html"), "utf8"), assets };
}

/** Makes the console of a service of the built one. */
export function placeConsole({ index, assets }: BuiltConsole, facts: ConsoleFacts): ConsoleFiles {
  const page = new TextEncoder().encode(renderConsolePage(index, facts));
  return { page: consoleFile(page, "text/html; charset=utf-8"), assets };
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

function consoleFile(
  bytes: Uint8Array<ArrayBuffer>,
  contentType: string,
  prepared: Partial<Record<Packing, Uint8Array<ArrayBuffer> | undefined>> = {},
): ConsoleFile {
  const packed = new Map<Packing, Promise<Uint8Array<ArrayBuffer>>>();
  for (const packing of packings) {
    const found = prepared[packing];
    if (found) packed.set(packing, Promise.resolve(found));
  }
  return {
    contentType,
    etag: `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`,
    bytes,
    packed(packing) {
      if (bytes.length < smallestToPack) return undefined;
      const made = packed.get(packing) ?? pack(bytes, packing);
      packed.set(packing, made);
      return made;
    },
  };
}

/** A smaller file fits into one packet as it is. */
const smallestToPack = 1_000;

function pack(bytes: Uint8Array, packing: Packing): Promise<Uint8Array<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, made: Buffer) => (error ? reject(error) : resolve(new Uint8Array(made)));
    // Quality 5 takes a twentieth of the time of 11, which the build for a release has.
    if (packing === "br") brotliCompress(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }, done);
    else gzip(bytes, { level: 6 }, done);
  });
}
