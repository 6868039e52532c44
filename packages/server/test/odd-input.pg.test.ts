import { afterAll, expect, test } from "bun:test";
import { revokeToken } from "../src/resources/api-tokens/store";
import { errorCodes, expectRefusal } from "./error-envelope";
import { type Ask, openPlane, root, unitHeaderName } from "./harness";
import { encodePart, stealKey } from "./threats/sign-token";

const plane = await openPlane({ sibling_regions: "https://sibling.test" });
afterAll(plane.close);
const { token } = await plane.serviceToken("owner");
const reporter = await plane.serviceToken("reporter");
const revoked = await plane.serviceToken("owner");
await plane.database.change((db) => revokeToken(db, revoked.id, plane.clock.now));
const userId = await plane.addUser({ roles: [{ role: "viewer" }], isEnabled: true });
const personal = await plane.personalToken(userId);
const away = await plane.addUser({ roles: [{ role: "viewer" }] });
const asleep = await plane.personalToken(away);
await plane.database.change((db) => db.updateTable("users").set({ is_enabled: 0 }).where("id", "=", away).execute());
const [task] = await plane.addTasks([{}, { status: "failed" }]);
const { header, kid, sign } = await stealKey(plane);
const claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
const signed = (changed: object) => sign(header, JSON.stringify({ ...claims, ...changed }));
const now = plane.clock.now / 1000;

interface Odd {
  what: string;
  path?: string;
  ask?: Ask;
  status: number;
  codes?: number[];
}

const filter = (value: unknown) =>
  `/tasks?filter=${encodeURIComponent(typeof value === "string" ? value : JSON.stringify(value))}`;
const userFilter = (value: unknown) => filter(value).replace("/tasks", "/users");
const accepting = (accept: string) => ({ token, accept });
const authorized = (authorization: string) => ({ headers: { authorization } });
const refused = (code: number) => ({ status: Math.floor(code / 100), codes: [code] });

const accepts: Odd[] = [
  { what: "no Accept", path: "/users", ask: { token }, status: 200 },
  { what: "an empty Accept", path: "/users", ask: accepting(""), status: 200 },
  { what: "an Accept of commas", path: "/users", ask: accepting(" , ,, "), status: 200 },
  { what: "any type in capitals", path: "/users", ask: accepting("*/*;Q=0.1"), status: 200 },
  { what: "an unknown entry beside a good one", path: "/users", ask: accepting("text/html, */*;q=0.1"), status: 200 },
  {
    what: "white space everywhere",
    path: "/users",
    ask: accepting(" application/json ; q = 0.5 , text/*"),
    status: 200,
  },
  { what: "a type in capitals", path: "/users", ask: accepting("APPLICATION/API.SVC.USERS=V1+JSON"), status: 200 },
  { what: "text/html alone", path: "/users", ask: accepting("text/html"), ...refused(40601) },
  { what: "q=0 for the only entry", path: "/users", ask: accepting("*/*;q=0"), ...refused(40601) },
  { what: "a q that is no number", path: "/users", ask: accepting("*/*;q=high"), ...refused(40601) },
  { what: "a q above one", path: "/users", ask: accepting("*/*;q=1.1"), ...refused(40601) },
  { what: "a negative q", path: "/users", ask: accepting("*/*;q=-1"), ...refused(40601) },
  { what: "a q with four decimals", path: "/users", ask: accepting("*/*;q=0.1234"), ...refused(40601) },
  { what: "version 0", path: "/users", ask: accepting("application/api.svc.users=v0+json"), ...refused(40601) },
  { what: "version 01", path: "/users", ask: accepting("application/api.svc.users=v01+json"), ...refused(40601) },
  { what: "version 3", path: "/users", ask: accepting("application/api.svc.users=v3+json"), ...refused(40601) },
  { what: "version -1", path: "/users", ask: accepting("application/api.svc.users=v-1+json"), ...refused(40601) },
  {
    what: "a huge version",
    path: "/users",
    ask: accepting(`application/api.svc.users=v${"9".repeat(99)}+json`),
    ...refused(40601),
  },
  { what: "no version", path: "/users", ask: accepting("application/api.svc.users+json"), ...refused(40601) },
  { what: "another vendor", path: "/users", ask: accepting("application/api.other.users=v2+json"), ...refused(40601) },
  { what: "another resource", path: "/users", ask: accepting("application/api.svc.tasks=v1+json"), ...refused(40601) },
  {
    what: "a resource that nobody has",
    path: "/users",
    ask: accepting("application/api.svc.__proto__=v1+json"),
    ...refused(40601),
  },
  {
    what: "a resource named twice",
    path: "/users",
    ask: accepting("application/api.svc.users=v1&users=v2+json"),
    ...refused(40601),
  },
  { what: "no +json", path: "/users", ask: accepting("application/api.svc.users=v2"), ...refused(40601) },
  { what: "+xml", path: "/users", ask: accepting("application/api.svc.users=v2+xml"), ...refused(40601) },
  { what: "an unclosed quote", path: "/users", ask: accepting('*/*;x="a, */*'), status: 200 },
  {
    what: "one resource's type on discovery",
    path: "/",
    ask: accepting("application/api.svc.users=v2+json"),
    ...refused(40601),
  },
  {
    what: "version 9 of everything on discovery",
    path: "/",
    ask: accepting("application/api.svc.*=v9+json"),
    ...refused(40601),
  },
  {
    what: "version 2 of everything on tasks",
    path: "/tasks",
    ask: accepting("application/api.svc.*=v2+json"),
    ...refused(40601),
  },
  {
    what: "a named resource beside everything",
    path: "/tasks",
    ask: accepting("application/api.svc.*=v2&tasks=v1+json"),
    status: 200,
  },
  {
    what: "21 entries",
    path: "/users",
    ask: accepting(Array.from({ length: 21 }, () => "*/*").join()),
    ...refused(40014),
  },
  { what: "an Accept of 2 KiB", path: "/users", ask: accepting("a".repeat(2_048)), ...refused(43101) },
];

const tokens: Odd[] = [
  { what: "no token", ...refused(40101) },
  { what: "an empty Authorization", ask: authorized(""), ...refused(40101) },
  { what: "Bearer alone", ask: authorized("Bearer"), ...refused(40101) },
  { what: "Bearer and spaces", ask: authorized("Bearer    "), ...refused(40101) },
  { what: "another scheme", ask: authorized(`Basic ${token}`), ...refused(40101) },
  { what: "no scheme", ask: authorized(token), ...refused(40101) },
  {
    what: "a token in two words",
    ask: authorized(`Bearer ${token.slice(0, 50)} ${token.slice(50)}`),
    ...refused(40101),
  },
  { what: "a token in the query", path: `/tasks?access_token=${token}`, ...refused(40101) },
  { what: "a token in a cookie", ask: { headers: { cookie: `token=${token}` } }, ...refused(40101) },
  { what: "two tokens in one header", ask: authorized(`Bearer ${token}, Bearer ${token}`), ...refused(40010) },
  { what: "bearer in small letters", ask: authorized(`bearer ${token}`), status: 200 },
  { what: "several spaces after Bearer", ask: authorized(`Bearer   ${token}`), status: 200 },
  { what: "undefined", ask: authorized("Bearer undefined"), ...refused(40102) },
  { what: "null", ask: authorized("Bearer null"), ...refused(40102) },
  { what: "a word", ask: { token: "secret" }, ...refused(40102) },
  { what: "only dots", ask: { token: ".." }, ...refused(40102) },
  { what: "a very long token", ask: { token: `${token}${"A".repeat(5_000)}` }, ...refused(40102) },
  { what: "a token over the header limit", ask: { token: "A".repeat(40_000) }, ...refused(43101) },
  { what: "a tampered signature", ask: { token: `${token.slice(0, -6)}AAAAAA` }, ...refused(40102) },
  { what: "alg none", ask: { token: token.replace(/^[^.]*/, encodePart('{"alg":"none"}')) }, ...refused(40102) },
  {
    what: "alg HS256",
    ask: { token: await sign(`{"alg":"HS256","typ":"at+jwt","kid":"${kid}"}`, JSON.stringify(claims)) },
    ...refused(40102),
  },
  {
    what: "an unknown kid",
    ask: { token: await sign(header.replace(kid, "hf-AAAAAAAAAAAA"), JSON.stringify(claims)) },
    ...refused(40102),
  },
  { what: "an expired token", ask: { token: await signed({ exp: now - 1 }) }, ...refused(40103) },
  { what: "a token that expires now", ask: { token: await signed({ exp: now }) }, ...refused(40103) },
  { what: "a token for tomorrow", ask: { token: await signed({ nbf: now + 86_400 }) }, ...refused(40104) },
  { what: "a token from tomorrow", ask: { token: await signed({ iat: now + 86_400 }) }, ...refused(40104) },
  { what: "a token for ten years", ask: { token: await signed({ exp: now + 10 * 365 * 86_400 }) }, ...refused(40102) },
  {
    what: "an issuer that nobody knows",
    ask: { token: await signed({ iss: "https://other.test" }) },
    ...refused(40106),
  },
  {
    what: "a sibling's token",
    ask: { token: await signed({ iss: "https://sibling.test", aud: "https://sibling.test" }) },
    ...refused(40106),
  },
  { what: "another audience", ask: { token: await signed({ aud: "https://other.test" }) }, ...refused(40102) },
  { what: "a role in the token", ask: { token: await signed({ role: "owner" }) }, ...refused(40102) },
  { what: "a jti that there is no row for", ask: { token: await signed({ jti: root }) }, ...refused(40105) },
  { what: "a revoked token", ask: { token: revoked.token }, ...refused(40105) },
  { what: "a disabled user's token", ask: { token: asleep.token }, ...refused(40107) },
  { what: "a personal token", ask: { token: personal.token }, status: 200 },
  { what: "a token without the permission", ask: { token: reporter.token }, ...refused(40302) },
  { what: "a broken token on a path that does not exist", path: "/nowhere", ask: { token: "x" }, ...refused(40401) },
];

const units: Odd[] = [
  { what: "an empty unit", ask: { token, unit: "" }, status: 200 },
  { what: "the root", ask: { token, unit: root }, status: 200 },
  { what: "a unit that is no UUID", ask: { token, unit: "root" }, ...refused(40011) },
  { what: "a UUID in braces", ask: { token, unit: `{${root}}` }, ...refused(40011) },
  { what: "a UUID without dashes", ask: { token, unit: root.replaceAll("-", "") }, ...refused(40011) },
  { what: "SQL as a unit", ask: { token, unit: `${root}' or '1'='1` }, ...refused(40011) },
  { what: "two units", ask: { token, unit: `${root}, ${root}` }, ...refused(40010) },
  {
    what: "a unit that does not exist",
    ask: { token, unit: "11111111-2222-4333-8444-555555555555" },
    ...refused(40301),
  },
  { what: "a unit before a bad version", ask: { token, unit: "x", accept: "text/html" }, ...refused(40011) },
];

const filters: Odd[] = [
  { what: "an empty filter", path: "/tasks?filter=", status: 200 },
  { what: "an empty object", path: filter({}), status: 200 },
  { what: "an empty $in", path: filter({ status: { $in: [] } }), status: 200 },
  { what: "a status that does not exist", path: filter({ status: "nonsense" }), status: 200 },
  { what: "wildcards as text", path: filter({ "primary_entity.value": { $contains: "%_\\'\";--" } }), status: 200 },
  { what: "a NUL as text", path: filter({ "primary_entity.value": "\0" }), status: 200 },
  { what: "half a surrogate pair", path: filter('{"primary_entity.value":"\\ud800"}'), status: 200 },
  { what: "broken JSON", path: filter('{"status":'), ...refused(40004) },
  { what: "single quotes", path: filter("{'status':'failed'}"), ...refused(40004) },
  { what: "a comment", path: filter('{"status":"failed"/**/}'), ...refused(40004) },
  { what: "a list", path: filter([]), ...refused(40004) },
  { what: "null", path: filter("null"), ...refused(40004) },
  { what: "a string", path: filter('"failed"'), ...refused(40004) },
  { what: "a number", path: filter("1e999"), ...refused(40004) },
  { what: "two objects", path: filter("{}{}"), ...refused(40004) },
  { what: "a byte order mark", path: filter("\ufeff{}"), ...refused(40004) },
  { what: "a key twice", path: filter('{"status":"a","status":"b"}'), ...refused(40004) },
  { what: "a key twice, once escaped", path: filter('{"status":"a","st\\u0061tus":"b"}'), ...refused(40004) },
  { what: "an operator twice", path: filter('{"status":{"$eq":"a","$eq":"b"}}'), ...refused(40004) },
  { what: "an unknown field", path: filter({ owner: "me" }), ...refused(40005) },
  { what: "a field in capitals", path: filter({ Status: "failed" }), ...refused(40005) },
  { what: "__proto__", path: filter('{"__proto__":{"status":"failed"}}'), ...refused(40005) },
  { what: "constructor", path: filter({ constructor: "x" }), ...refused(40005) },
  { what: "SQL as a field", path: filter({ "status = '' or 1=1 --": "x" }), ...refused(40005) },
  { what: "a field of the other list", path: userFilter({ status: "failed" }), ...refused(40005) },
  { what: "an operator as a field", path: filter({ $or: [] }), ...refused(40005) },
  { what: "an unknown operator", path: filter({ status: { $regex: "x" } }), ...refused(40006) },
  { what: "an operator of another field", path: filter({ status: { $gt: "x" } }), ...refused(40006) },
  {
    what: "a timestamp compared for equality",
    path: filter({ created_timestamp: "2026-11-01T00:00:00Z" }),
    ...refused(40006),
  },
  { what: "no operator", path: filter({ status: {} }), ...refused(40006) },
  { what: "__proto__ as an operator", path: filter('{"status":{"__proto__":"x"}}'), ...refused(40006) },
  { what: "an operator without $", path: filter({ status: { eq: "x" } }), ...refused(40006) },
  { what: "a number as a value", path: filter({ status: 1 }), ...refused(40007) },
  { what: "null as a value", path: filter({ status: null }), ...refused(40007) },
  { what: "a list as a value", path: filter({ status: ["failed"] }), ...refused(40007) },
  { what: "a word for a list", path: filter({ status: { $in: "failed" } }), ...refused(40007) },
  { what: "numbers in a list", path: filter({ status: { $in: [1] } }), ...refused(40007) },
  { what: "lists in a list", path: filter({ status: { $in: [["failed"]] } }), ...refused(40007) },
  { what: "an object for a word", path: filter({ status: { $eq: { $eq: "x" } } }), ...refused(40007) },
  {
    what: "a timestamp without a zone",
    path: filter({ created_timestamp: { $gt: "2026-11-01T00:00:00" } }),
    ...refused(40007),
  },
  {
    what: "a day that does not exist",
    path: filter({ created_timestamp: { $gt: "2026-02-30T00:00:00Z" } }),
    ...refused(40007),
  },
  { what: "a month 13", path: filter({ created_timestamp: { $gt: "2026-13-01T00:00:00Z" } }), ...refused(40007) },
  { what: "an hour 24", path: filter({ created_timestamp: { $gt: "2026-11-01T24:00:00Z" } }), ...refused(40007) },
  { what: "a timestamp as a number", path: filter({ created_timestamp: { $gt: 1_793_491_200 } }), ...refused(40007) },
  { what: "a date alone", path: filter({ created_timestamp: { $gt: "2026-11-01" } }), ...refused(40007) },
  { what: "six levels", path: filter({ status: { $in: [[[[["x"]]]]] } }), ...refused(40008) },
  { what: "9,000 bytes", path: filter({ status: "x".repeat(9_000) }), ...refused(40008) },
  {
    what: "several faults",
    path: filter({ owner: "me", status: 1, id: { $gt: "x" } }),
    status: 400,
    codes: [40005, 40007, 40006],
  },
];

const parameters: Odd[] = [
  { what: "a misspelt parameter", path: "/tasks?fliter=%7B%7D", ...refused(40001) },
  { what: "a parameter of discovery", path: "/?limit=1", ...refused(40001) },
  { what: "a parameter of an item", path: `/tasks/${task?.id}?limit=1`, ...refused(40001) },
  { what: "101 parameters", path: `/tasks?${"a&".repeat(101)}`, ...refused(40001) },
  { what: "a repeated parameter", path: "/tasks?limit=1&limit=2", ...refused(40002) },
  { what: "a negative limit", path: "/tasks?limit=-1", ...refused(40003) },
  { what: "page 0", path: "/tasks?start=0", ...refused(40003) },
  { what: "broken percent-encoding", path: "/tasks?limit=%zz", ...refused(40003) },
  { what: "bytes that are not UTF-8", path: "/tasks?filter=%c3%28", ...refused(40003) },
  { what: "an overlong slash", path: "/tasks?filter=%c0%af", ...refused(40003) },
  { what: "several faults", path: "/tasks?limit=x&start=y&z=1", status: 400, codes: [40001, 40003, 40003] },
  { what: "a made-up cursor", path: "/tasks?cursor=AAAA", ...refused(40009) },
  { what: "a long made-up cursor", path: `/tasks?cursor=${"A".repeat(2_000)}`, ...refused(40009) },
  { what: "a cursor that is no base64url", path: "/tasks?cursor=%2F%2F%3D%3D", ...refused(40009) },
  { what: "an empty cursor", path: "/tasks?cursor=", status: 200 },
  { what: "empty parameters everywhere", path: "/tasks?&&limit=&&start=&", status: 200 },
  { what: "an address over 32 KiB", path: `/tasks?filter=${"x".repeat(33_000)}`, ...refused(41401) },
];

const paths: Odd[] = [
  { what: "a path that does not exist", path: "/nowhere", ...refused(40401) },
  { what: "a path in capitals", path: "/Tasks", ...refused(40401) },
  { what: "a slash at the end", path: "/tasks/", ...refused(40401) },
  { what: "two slashes", path: "//tasks", ...refused(40401) },
  { what: "a path parameter", path: "/tasks;v=1", ...refused(40401) },
  { what: "a path below an item", path: `/tasks/${task?.id}/x`, ...refused(40401) },
  { what: "dots that lead out", path: "/../../etc/passwd", ...refused(40401) },
  { what: "encoded dots that lead out", path: "/tasks/..%2f..%2fetc%2fpasswd", ...refused(40402) },
  { what: "a dot file", path: "/.env", ...refused(40401) },
  { what: "a file of the source", path: "/package.json", ...refused(40401) },
  { what: "an encoded NUL", path: "/tasks/%00", ...refused(40402) },
  { what: "broken percent-encoding", path: "/tasks/%zz", ...refused(40402) },
  { what: "an item that does not exist", path: "/tasks/nothing", ...refused(40402) },
  { what: "an item in SQL", path: "/tasks/'%20or%20'1'='1", ...refused(40402) },
  { what: "an item with a name of 10,000 characters", path: `/tasks/${"x".repeat(10_000)}`, ...refused(40402) },
  { what: "an item in capitals", path: `/tasks/${task?.id.toUpperCase()}`, status: 200 },
  { what: "an encoded path", path: "/%74asks", status: 200 },
];

const methods: Odd[] = [
  ...["POST", "PUT", "PATCH", "DELETE", "PROPFIND", "PURGE"].map((method) => ({
    what: `${method} on a list`,
    path: "/audit-events",
    ask: { method, token },
    ...refused(40501),
  })),
  { what: "POST without a token", path: "/audit-events", ask: { method: "POST" }, ...refused(40501) },
  { what: "POST on a path that does not exist", path: "/nowhere", ask: { method: "POST", token }, ...refused(40401) },
  { what: "OPTIONS on a path that does not exist", path: "/nowhere", ask: { method: "OPTIONS" }, ...refused(40401) },
  { what: "OPTIONS without a token", ask: { method: "OPTIONS" }, status: 204 },
  { what: "HEAD", ask: { method: "HEAD", token }, status: 200 },
];

const others: Odd[] = [
  { what: "a host that is not ours", ask: { token, headers: { host: "evil.example" } }, ...refused(40012) },
  { what: "a host with a path", ask: { token, headers: { host: "localhost/x" } }, ...refused(40012) },
  { what: "a host with a user", ask: { token, headers: { host: "localhost@evil.example" } }, ...refused(40012) },
  { what: "an IP address as the host", ask: { token, headers: { host: "192.0.2.1:8080" } }, status: 200 },
  { what: "a port beyond all ports", ask: { token, headers: { host: "localhost:99999" } }, ...refused(40012) },
  {
    what: "a body that is announced as 2 MiB",
    ask: { token, headers: { "content-length": "2097152" } },
    ...refused(41301),
  },
  { what: "a Content-Type on GET", ask: { token, headers: { "content-type": "text/plain" } }, status: 200 },
  { what: "headers of 40,000 bytes", ask: { token, headers: { "x-filler": "a".repeat(40_000) } }, ...refused(43101) },
  { what: "a broken If-None-Match", ask: { token, headers: { "if-none-match": 'W/"' } }, status: 200 },
  { what: "any If-None-Match", ask: { token, headers: { "if-none-match": "*" } }, status: 304 },
  { what: "a range", ask: { token, headers: { range: "bytes=0-1" } }, status: 200 },
  {
    what: "the header of another vendor",
    ask: { token, headers: { [unitHeaderName.replace("svc", "other")]: "x" } },
    status: 200,
  },
];

/** Adds a good token to rows that are about something else. */
const withToken = (odds: Odd[]) => odds.map((odd) => ({ ...odd, ask: { token, ...odd.ask } }));

const all = Object.entries({
  Accept: accepts,
  token: tokens,
  unit: units,
  filter: withToken(filters),
  parameter: withToken(parameters),
  path: withToken(paths),
  method: methods,
  header: others,
}).flatMap(([group, odds]) => odds.map((odd) => ({ group, ...odd })));

test.each(all)(
  "odd $group: $what is answered with $status $codes",
  async ({ path = "/tasks", ask, status, codes = [] }) => {
    const answer = await plane.ask(path, ask);
    expect([answer.status, errorCodes(answer)]).toEqual([status, codes]);
    for (const refusal of codes.length > 0 ? [answer] : []) expectRefusal(refusal);
  },
);

test("after all that, the service is as it was", async () => {
  expect((await plane.ask("/tasks", { token })).body.total_count).toBe(2);
  expect(Object.keys(Object.prototype)).toEqual([]);
  plane.service.log.flush();
  expect(plane.logged.join("")).not.toContain('"level":"error"');
});
