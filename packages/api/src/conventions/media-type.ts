import { quote, refuse, refuseField } from "./api-error";

/** Versions that `Accept` can request on a path: the versions of one resource, or of all of them (`*`, discovery). */
export interface VersionOffer {
  vendor: string;
  resource: string;
  supported: readonly number[];
  /** Served when the caller accepts any version. */
  preferred: number;
  /** Served when there is no Accept at all. */
  withoutAccept: number;
}

interface Range {
  /** The versions of the resources that the entry names; generic entries take the preferred one. */
  asks: Map<string, number> | "any";
  generality: number;
  quality: number;
}

const maximumLength = 1024;
const maximumRanges = 20;
const genericTypes = new Map([
  ["application/json", 2],
  ["application/*", 3],
  ["*/*", 4],
]);

/** The media type of a version: `application/api.svc.users=v2+json`. */
export function versionedMediaType(vendor: string, resource: string, version: number): string {
  return `application/api.${vendor}.${resource}=v${version}+json`;
}

/**
 * Chooses the version that an Accept header asks for, or refuses with 406.
 * @example chooseVersion("application/api.svc.users=v1+json;q=0.9", usersOffer) // 1
 */
export function chooseVersion(accept: string | null, offer: VersionOffer): number {
  const header = accept?.trim() ?? "";
  if (header.length > maximumLength) {
    throw refuse("headersTooLarge", `Send an Accept header of at most ${maximumLength} characters.`);
  }
  const entries = splitOutsideQuotes(header, ",").filter((entry) => entry.trim() !== "");
  if (entries.length === 0) return offer.withoutAccept;
  if (entries.length > maximumRanges) {
    throw refuseField("acceptMalformed", "Accept", `Send at most ${maximumRanges} entries in the Accept header.`);
  }
  const ranges = entries.flatMap((entry) => parseRange(entry, offer.vendor) ?? []);
  const best = bestVersion(ranges, offer);
  if (best === undefined) throw notAcceptable(header, offer);
  return best;
}

/**
 * True if an Accept header asks for plain text rather than for a version.
 * @example prefersText("text/plain, application/json;q=0.5", offer) // true
 */
export function prefersText(accept: string | null, { vendor }: VersionOffer): boolean {
  if (accept === null || accept.length > maximumLength) return false;
  let best = 0;
  let isText = false;
  for (const entry of splitOutsideQuotes(accept, ",")) {
    const [type = "", ...parameters] = splitOutsideQuotes(entry, ";").map((part) => part.trim().toLowerCase());
    const named = type === "text/plain" || parseRange(entry, vendor) !== undefined;
    const quality = named ? (parseQuality(parameters) ?? 0) : 0;
    if (quality > best) [best, isText] = [quality, type === "text/plain"];
  }
  return isText;
}

/**
 * True if an Accept header asks for a page rather than for anything that the API serves, as a browser's does.
 * @example prefersPage("text/html, application/json;q=0.8", offer) // true
 */
export function prefersPage(accept: string | null, { vendor }: VersionOffer): boolean {
  if (accept === null || accept.length > maximumLength) return false;
  const served = splitOutsideQuotes(accept, ",").map((entry) => parseRange(entry, vendor)?.quality ?? 0);
  return qualityOf("text/html", accept) > Math.max(...served);
}

/** True if an Accept header names pages at all, as that of a program does not. */
export function acceptsPage(accept: string | null): boolean {
  return accept !== null && accept.length <= maximumLength && qualityOf("text/html", accept) > 0;
}

/** True if an Accept header names a stream of events, in whichever version it comes. */
export function acceptsEventStream(accept: string | null): boolean {
  if (accept === null || accept.length > maximumLength) return false;
  return qualityOf("text/event-stream", accept) > 0;
}

/** Quality value of a type that an Accept header names; 0 if it does not. */
function qualityOf(wanted: string, accept: string): number {
  const qualities = splitOutsideQuotes(accept, ",").map((entry) => {
    const [type = "", ...parameters] = splitOutsideQuotes(entry, ";").map((part) => part.trim().toLowerCase());
    return type === wanted ? (parseQuality(parameters) ?? 0) : 0;
  });
  return Math.max(...qualities);
}

function bestVersion(ranges: Range[], offer: VersionOffer): number | undefined {
  const unwanted = ranges.filter(({ quality }) => quality === 0).flatMap((range) => versionNamed(range, offer) ?? []);
  const preferences = [offer.preferred, ...offer.supported].filter((version) => !unwanted.includes(version));
  const acceptable = ranges.flatMap((range) => {
    const version = range.asks === "any" ? preferences[0] : versionNamed(range, offer);
    return version !== undefined && range.quality > 0 && offer.supported.includes(version)
      ? [{ ...range, version }]
      : [];
  });
  // The sort is stable, so among equals the first one written wins.
  acceptable.sort((a, b) => b.quality - a.quality || a.generality - b.generality);
  return acceptable[0]?.version;
}

function versionNamed({ asks }: Range, { resource }: VersionOffer): number | undefined {
  return asks === "any" ? undefined : (asks.get(resource) ?? asks.get("*"));
}

/** Reads one entry of the list; an entry that cannot be read asks for nothing that we have. */
function parseRange(entry: string, vendor: string): Range | undefined {
  const [type = "", ...parameters] = splitOutsideQuotes(entry, ";").map((part) => part.trim().toLowerCase());
  const quality = parseQuality(parameters);
  if (quality === undefined) return undefined;
  const generic = genericTypes.get(type);
  if (generic !== undefined) return { asks: "any", generality: generic, quality };
  const prefix = `application/api.${vendor.toLowerCase()}.`;
  if (!type.startsWith(prefix) || !type.endsWith("+json")) return undefined;
  const asks = parsePairs(type.slice(prefix.length, -"+json".length));
  return asks && { asks, generality: asks.has("*") ? 1 : 0, quality };
}

function parsePairs(text: string): Map<string, number> | undefined {
  const asks = new Map<string, number>();
  for (const pair of text.split("&")) {
    const match = /^(\*|[a-z][a-z0-9-]*)=v([1-9][0-9]{0,5})$/.exec(pair);
    const resource = match?.[1];
    if (!resource || asks.has(resource)) return undefined;
    asks.set(resource, Number(match[2]));
  }
  return asks;
}

function parseQuality(parameters: string[]): number | undefined {
  const given = parameters.find((parameter) => /^q\s*=/.test(parameter));
  if (given === undefined) return 1;
  const text = given.slice(given.indexOf("=") + 1).trim();
  return /^(0(\.[0-9]{0,3})?|1(\.0{0,3})?)$/.test(text) ? Number(text) : undefined;
}

function splitOutsideQuotes(text: string, separator: string): string[] {
  const parts: string[] = [];
  let quoted = false;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (quoted && character === "\\") at++;
    else if (character === '"') quoted = !quoted;
    else if (character === separator && !quoted) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  parts.push(text.slice(from));
  return parts;
}

function notAcceptable(header: string, offer: VersionOffer) {
  const offered = offer.supported.map((version) => versionedMediaType(offer.vendor, offer.resource, version));
  return refuse(
    "versionNotAcceptable",
    `Nothing here matches the Accept header ${quote(header)}. Ask for ${offered.join(" or ")}, or leave Accept out.`,
  );
}
