import { unitHeaderName } from "../harness";
import { type AttackedWorld, pick } from "./attacked-world";
import { hostileBodies, hostileBytes, hostileTexts, hostileValues } from "./hostile-values";
import type { RawRequest } from "./raw-client";
import type { Draft } from "./valid-request";

/** Breaks one place of a request, and gives a name to what was done; undefined where there is no such place. */
type Breaker = (draft: Draft, world: AttackedWorld) => string | undefined;

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"] as const;
const otherHeaders = [
  "Accept",
  "Accept-Encoding",
  "Accept-Language",
  "Authorization",
  "Content-Encoding",
  "Content-Type",
  "Cookie",
  "Expect",
  "Host",
  "Idempotency-Key",
  "If-Match",
  "If-Modified-Since",
  "If-None-Match",
  "Origin",
  "Range",
  "Referer",
  "Sec-Fetch-Site",
  "User-Agent",
  "X-CSRF-Token",
  "X-Forwarded-For",
  "X-HTTP-Method-Override",
  "X-Request-Id",
  unitHeaderName,
] as const;
const mediaTypes = ["text/plain", "application/xml", "multipart/form-data", "application/jsonp", "json", ";"] as const;
const accepts = [
  "application/api.svc.users=v9+json",
  "application/api.other.users=v1+json",
  "application/api.svc.*=v1+json;q=0",
  "*/*;q=2",
  ",,,",
  "a/b,".repeat(30),
] as const;

const breakers: readonly [Breaker, ...Breaker[]] = [
  function variable(draft, { dice }) {
    const name = pick(dice, Object.keys(draft.variables));
    if (name === undefined) return undefined;
    draft.variables[name] = pick(dice, hostileTexts);
    return name;
  },
  function path(draft, { dice }) {
    const changed = [`${draft.path}/`, `/${draft.path}`, `${draft.path}/x`, `${draft.path};a=1`, `${draft.path}%00`];
    draft.path = pick(dice, [...changed, draft.path.toUpperCase(), `${draft.path}/%2e%2e`, `/.${draft.path}`]) ?? "/";
    return draft.path;
  },
  function parameter(draft, { dice }) {
    const name = pick(dice, draft.operation.query)?.name;
    if (name === undefined) return undefined;
    draft.query = [...draft.query.filter(([given]) => given !== name), [name, pick(dice, hostileTexts)]];
    return name;
  },
  function filter(draft, { dice }) {
    const json = draft.operation.query.find(({ name }) => name === "filter")?.json;
    if (!json) return undefined;
    const field = pick(dice, [...Object.keys(json.properties ?? {}), "unknown", "__proto__"]) ?? "";
    const operator = pick(dice, ["$eq", "$in", "$neq", "$gt", "$gte", "$lt", "$contains", "$begins_with", "$or"]) ?? "";
    const value = dice(2) === 0 ? pick(dice, hostileValues) : pick(dice, hostileTexts);
    const written = JSON.stringify({ [field]: dice(3) === 0 ? value : { [operator]: value } });
    draft.query = [...draft.query.filter(([name]) => name !== "filter"), ["filter", written]];
    return field;
  },
  function unknownParameter(draft, { dice }) {
    const name = pick(dice, hostileTexts);
    draft.query.push([name, "1"]);
    return name;
  },
  function repeatedParameter(draft, { dice }) {
    const given = pick(dice, draft.query);
    if (!given) return undefined;
    draft.query.push(given);
    return given[0];
  },
  function rawQuery(draft, { dice }) {
    draft.rawQuery = pick(dice, [
      "%",
      "limit=%",
      "limit=%ff",
      "&&&=",
      "filter=%7B",
      "=",
      "a".repeat(3000),
      "limit=1%00",
    ]);
    return draft.rawQuery;
  },
  function header(draft, { dice }) {
    const name = pick(dice, [...draft.headers.map(([given]) => given), ...otherHeaders]) ?? "";
    draft.headers = [
      ...draft.headers.filter(([given]) => given !== name),
      [name, headerText(pick(dice, hostileTexts))],
    ];
    return name;
  },
  function missingHeader(draft, { dice }) {
    const at = dice(draft.headers.length);
    const [name] = draft.headers[at] ?? [];
    // Without a Host the runtime answers by itself: that is no request yet.
    if (name === undefined || name === "Host") return undefined;
    draft.headers.splice(at, 1);
    return name;
  },
  function repeatedHeader(draft, { dice }) {
    const given = pick(dice, draft.headers);
    if (!given || given[0] === "Host") return undefined;
    draft.headers.push(given);
    return given[0];
  },
  function anotherCaller(draft, { dice, tokens }) {
    const token = pick(dice, [...tokens.slice(1), `${tokens[0]}x`, "a.b.c", "x".repeat(5000)]) ?? "";
    draft.headers = [
      ...draft.headers.filter(([name]) => name !== "Authorization"),
      ["Authorization", `Bearer ${token}`],
    ];
    return "token";
  },
  function mediaType(draft, { dice }) {
    if (!draft.json) return undefined;
    draft.headers = draft.headers.filter(([name]) => name !== "Content-Type");
    draft.headers.push(["Content-Type", pick(dice, mediaTypes)]);
    return "Content-Type";
  },
  function accept(draft, { dice }) {
    draft.headers = [...draft.headers.filter(([name]) => name !== "Accept"), ["Accept", pick(dice, accepts)]];
    return "Accept";
  },
  function method(draft, { dice }) {
    draft.method = pick(dice, methods);
    return draft.method;
  },
  function missingField(draft, { dice }) {
    const name = pick(dice, Object.keys(draft.json ?? {}));
    if (name === undefined || !draft.json) return undefined;
    delete draft.json[name];
    return name;
  },
  function extraField(draft, { dice }) {
    if (!draft.json) return undefined;
    const name = pick(dice, [...hostileTexts, "id", "created_timestamp", "_links"]) ?? "";
    Object.defineProperty(draft.json, name, { value: pick(dice, hostileValues), enumerable: true });
    return name;
  },
  function field(draft, { dice }) {
    const places = placesIn(draft.json);
    const place = pick(dice, places);
    if (!place) return undefined;
    place.set(dice(2) === 0 ? pick(dice, hostileValues) : pick(dice, hostileTexts));
    return place.name;
  },
  function duplicateKey(draft, { dice }) {
    const name = pick(dice, Object.keys(draft.json ?? {}));
    if (name === undefined) return undefined;
    const written = JSON.stringify(draft.json);
    draft.bytes = Buffer.from(`${written.slice(0, -1)},${JSON.stringify(name)}:1}`);
    return name;
  },
  function truncated(draft, { dice }) {
    if (!draft.json) return undefined;
    const written = JSON.stringify(draft.json);
    draft.bytes = Buffer.from(written.slice(0, dice(written.length)));
    return "body";
  },
  function body(draft, { dice }) {
    draft.bytes = Buffer.from(pick(dice, hostileBodies));
    return "body";
  },
  function bytes(draft, { dice }) {
    draft.bytes = pick(dice, hostileBytes);
    return "body";
  },
];

/** Breaks a request in one place, and says in which. */
export function breakRequest(world: AttackedWorld, draft: Draft): string {
  for (;;) {
    const breaker = pick(world.dice, breakers);
    const place = breaker(draft, world);
    if (place !== undefined) return `${breaker.name} ${JSON.stringify(place.slice(0, 60))}`;
  }
}

/** A value in a body, however deep. */
interface Place {
  name: string;
  set(value: unknown): void;
}

function placesIn(value: unknown): Place[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    { name, set: (given: unknown) => Reflect.set(value, name, given) },
    ...placesIn(inner),
  ]);
}

/** As bytes of UTF-8, without what would end the header: that is no header any more. */
function headerText(text: string): string {
  const bytes = Buffer.from(text, "utf8").filter((byte) => byte >= 0x20 && byte !== 0x7f);
  return Buffer.from(bytes).toString("latin1");
}

/** Writes a request as it is sent. */
export function writeRequest({ method, path, variables, query, rawQuery, headers, json, bytes }: Draft): RawRequest {
  const filled = path.replace(/\{(\w+)\}/gi, (_, name: string) => percentEncode(variables[name.toLowerCase()] ?? ""));
  const pairs = query.map(([name, value]) => `${percentEncode(name)}=${percentEncode(value)}`).join("&");
  const asked = rawQuery ?? pairs;
  return {
    method,
    target: asked === "" ? filled : `${filled}?${asked}`,
    headers,
    body: bytes ?? (json && Buffer.from(JSON.stringify(json))),
  };
}

function percentEncode(text: string): string {
  // Percent-encoded text stays so: broken encodings are among what is sent.
  return /^[%\w.]*%[\w.%]*$/.test(text) ? text : encodeURIComponent(text.toWellFormed());
}
