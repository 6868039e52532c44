import { afterAll, expect, test } from "bun:test";
import fc from "fast-check";
import { expectRefusal, insides } from "../error-envelope";
import { openPlane, unitHeaderName } from "../harness";

const plane = await openPlane();
afterAll(plane.close);
const owner = await plane.serviceToken("owner");
const reporter = await plane.serviceToken("reporter");
await plane.addUser({ roles: [{ role: "viewer" }] });
await plane.addTasks([{}, { status: "failed" }]);

const methods = [
  "GET",
  "GET",
  "GET",
  "GET",
  "HEAD",
  "OPTIONS",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "PROPFIND",
  "get",
  "X-Y",
];
const paths = [
  "/",
  "/users",
  "/tasks",
  "/tasks/00000000-0000-7000-8000-000000000001",
  "/tasks/nothing",
  "/users/nothing",
  "/users/",
  "/tasks/%2e%2e/users",
  "/healthz",
  "/readyz",
  "/metrics",
  "/docs",
  "/openapi.json",
  "/.well-known/jwks.json",
  "/debug",
  "/.env",
  "/.git/config",
  "/admin",
  "//tasks",
  "/tasks//",
  "/tasks;x=1",
  "/TASKS",
  "/%00",
  "/tasks/%ff",
  "/tasks/'%20or%201=1--",
];
const texts = fc.string({ unit: "binary", maxLength: 30 }).map((text) => encodeURIComponent(text.toWellFormed()));
const filters = fc.oneof(
  fc.json({ maxDepth: 3 }),
  fc
    .dictionary(
      fc.constantFrom("status", "name", "id", "created_timestamp", "role_id", "primary_entity.value", "__proto__", "x"),
      fc.oneof(
        fc.string({ maxLength: 10 }),
        fc.dictionary(
          fc.constantFrom("$eq", "$in", "$neq", "$gt", "$contains", "$where"),
          fc.jsonValue({ maxDepth: 1 }),
        ),
      ),
      { maxKeys: 3 },
    )
    .map((filter) => JSON.stringify(filter)),
);
const queries = fc
  .array(
    fc.oneof(
      fc
        .tuple(fc.constantFrom("limit", "start", "cursor", "filter", "sort", "__proto__", ""), texts)
        .map((pair) => pair.join("=")),
      filters.map((filter) => `filter=${encodeURIComponent(filter.toWellFormed())}`),
      fc.nat(2000).map((limit) => `limit=${limit}`),
    ),
    { maxLength: 3 },
  )
  .map((parts) => (parts.length === 0 ? "" : `?${parts.join("&")}`));
const values = fc.oneof(
  fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)), maxLength: 40 }),
  fc.constantFrom(
    owner.token,
    `Bearer ${owner.token}`,
    `Bearer ${reporter.token}`,
    "*/*",
    "",
    "00000000-0000-0000-0000-000000000000",
  ),
);
const headers = fc.dictionary(
  fc.constantFrom(
    "accept",
    unitHeaderName,
    "if-none-match",
    "content-type",
    "content-length",
    "range",
    "x-forwarded-host",
    "host",
  ),
  values,
  { maxKeys: 3 },
);
const credentials = fc.oneof(
  { weight: 3, arbitrary: fc.constant(`Bearer ${owner.token}`) },
  { weight: 1, arbitrary: fc.constant(`Bearer ${reporter.token}`) },
  { weight: 1, arbitrary: values },
);

test("T28: whatever is asked, nothing breaks, and every refusal is the error envelope and shows nothing of the inside", async () => {
  const seen = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...methods),
      fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom(...paths) },
        { weight: 1, arbitrary: texts.map((text) => `/${text}`) },
      ),
      queries,
      headers,
      credentials,
      async (method, path, query, sent, authorization) => {
        const answer = await plane.ask(`${path}${query}`, { method, headers: { ...sent, authorization } });
        seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1);
        expect(answer.status).toBeLessThan(500);
        expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
        const isRefusal = answer.status >= 400 && method !== "HEAD";
        for (const refusal of isRefusal ? [answer] : []) expectRefusal(refusal);
      },
    ),
    { numRuns: 6_000 },
  );
  for (const status of [200, 204, 400, 401, 403, 404, 405, 406]) expect(seen.get(status)).toBeGreaterThan(0);
  plane.service.log.flush();
  expect(plane.logged.join("")).not.toContain('"level":"error"');
}, 120_000);

test("T28: every method that a path does not have is refused with 405 and what is allowed, wherever there is something", async () => {
  const reading = "GET, HEAD, OPTIONS";
  const allowed: Record<string, string> = {
    "/": reading,
    "/users": "GET, HEAD, POST, OPTIONS",
    "/users/x": "GET, HEAD, PATCH, DELETE, OPTIONS",
    "/users/x/invitation": "POST, OPTIONS",
    "/tasks": "GET, HEAD, POST, OPTIONS",
    "/tasks/x": "GET, HEAD, PATCH, OPTIONS",
    "/task-reports": "POST, OPTIONS",
    "/healthz": reading,
    "/docs": reading,
    "/.well-known/jwks.json": reading,
  };
  for (const [path, allow] of Object.entries(allowed)) {
    const others = ["POST", "PUT", "PATCH", "DELETE", "PROPFIND", "PURGE"].filter((one) => !allow.includes(one));
    for (const method of others) {
      const answer = await plane.ask(path, { method });
      expect([path, method, answer.status]).toEqual([path, method, 405]);
      expect(answer.headers.get("allow")).toBe(allow);
      expectRefusal(answer);
    }
  }
});

test("T28: what breaks inside answers 500 with an incident that the log has too, and nothing else", async () => {
  const broken = await openPlane();
  const { token } = await broken.serviceToken("owner");
  await broken.addTasks([{}]);
  expect((await broken.ask("/tasks", { token })).status).toBe(200);
  await broken.database.change((db) => db.schema.dropTable("tasks").execute());
  // Another page than before, which is remembered while no task changes.
  const answer = await broken.ask("/tasks?limit=2", { token });
  expect(answer.status).toBe(500);
  expectRefusal(answer);
  const incident = /^The service failed\. Give your administrator the incident id ([0-9a-f-]{36})\.$/.exec(
    answer.body.errors[0].error_message,
  )?.[1];
  broken.service.log.flush();
  const line =
    broken.logged
      .join("")
      .split("\n")
      .find((text) => text.includes('"level":"error"')) ?? "";
  expect(JSON.parse(line).incident).toBe(incident);
  // The control: what must not leave is found where it belongs.
  expect(JSON.parse(line).detail).toMatch(insides);
  expect((await broken.ask("/healthz")).status).toBe(200);
  await broken.close();
});
