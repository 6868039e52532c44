import { refuse } from "@holdfast/api/conventions/api-error";
import type { ConsoleFiles } from "../../pages/console-files";
import type { Endpoint, Exchange } from "../endpoint";
import type { Reply, ReplyBody } from "../reply";
import { sendFile } from "../send-file";

/** No script but ours, none made of text, no frame, and nothing from elsewhere. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join("; ");

/** The names of assets have a hash of their contents, so they never change. */
const forGood = "public, max-age=31536000, immutable";

/** Parts that serving the console needs. */
export interface ConsoleFileParts {
  /** The web console; undefined where it is not served. */
  consoleFiles: ConsoleFiles | undefined;
  baseUrl: string;
}

/** Where the console is: its files by name, and its one page at every other path below. None of them needs a session. */
export function consoleFileEndpoints({ consoleFiles, baseUrl }: ConsoleFileParts): Endpoint[] {
  if (!consoleFiles) return [];
  const { page, assets } = consoleFiles;
  const { pathname, protocol } = new URL(baseUrl);
  const pageHeaders = {
    "Content-Security-Policy": policy,
    "Cache-Control": "no-cache",
    // Over plain http browsers ignore it, and complain.
    ...(protocol === "https:" ? { "Cross-Origin-Opener-Policy": "same-origin" } : {}),
  };
  const home = `${pathname.replace(/\/+$/, "")}/console/`;
  const readPage = (exchange: Exchange) => sendFile(exchange, page, pageHeaders);
  return [
    get("/console", "redirect-to-console", () => ({ status: 308, headers: { Location: home }, body: null })),
    get("/console/assets/*", "read-console-asset", (exchange) => {
      const asset = assets.get(exchange.address.path.slice("/console/assets/".length));
      if (!asset)
        throw refuse("pathUnknown", "The console has no such file. Load the page again: it may be a new version.");
      return sendFile(exchange, asset, { "Cache-Control": forGood });
    }),
    get("/console/*", "read-console-page", readPage),
  ];
}

function get(
  path: string,
  name: string,
  answer: (exchange: Exchange) => Reply<ReplyBody> | Promise<Reply<ReplyBody>>,
): Endpoint {
  return { path, methods: { GET: { name, answer } } };
}
