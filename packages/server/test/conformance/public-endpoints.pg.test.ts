import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { publicPaths } from "@holdfast/api/reference/public-paths";
import { DatabaseUnavailable } from "../../src/database/errors";
import { openPlane, type Plane, unitHeaderName } from "../harness";

let plane: Plane;
beforeAll(async () => {
  plane = await openPlane({ base_url: "http://127.0.0.1:8080" });
});
afterAll(() => plane.close());

const paths = publicPaths.map(({ path, mediaType }) => ({ path, mediaType }));

describe("what needs no token", () => {
  test("is health, readiness, metrics, public keys, the description and the docs", () => {
    expect(paths.map(({ path }) => path)).toEqual([
      "/healthz",
      "/readyz",
      "/metrics",
      "/.well-known/jwks.json",
      "/openapi.json",
      "/docs",
    ]);
  });

  test.each(paths)("answers at $path, with a broken token too", async ({ path, mediaType }) => {
    for (const ask of [{}, { token: "broken" }, { accept: "image/png" }]) {
      const { status, headers } = await plane.ask(path, ask);
      expect([status, headers.get("content-type")?.split(";")[0]]).toEqual([200, mediaType]);
      expect(headers.get("vary")).toBe(`Accept, Accept-Encoding, Authorization, ${unitHeaderName}`);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
    }
  });

  test.each(paths)("answers HEAD and OPTIONS at $path, and refuses the rest", async ({ path }) => {
    const head = await plane.ask(path, { method: "HEAD" });
    expect([head.status, head.text]).toEqual([200, ""]);
    const options = await plane.ask(path, { method: "OPTIONS" });
    expect([options.status, options.headers.get("allow")]).toEqual([204, "GET, HEAD, OPTIONS"]);
    const post = await plane.ask(path, { method: "POST" });
    expect([post.status, post.body.errors[0].error_code]).toEqual([405, 40501]);
  });
});

test.each([
  ["/healthz", "no-store"],
  ["/readyz", "no-store"],
  ["/metrics", "no-store"],
  ["/.well-known/jwks.json", "public, max-age=300"],
  ["/openapi.json", "public, max-age=300"],
  ["/docs", "public, max-age=300"],
])("%s may be kept by caches as %s says", async (path, cacheControl) => {
  expect((await plane.ask(path)).headers.get("cache-control")).toBe(cacheControl);
});

test("health and readiness say so", async () => {
  expect((await plane.ask("/healthz")).body).toEqual({ status: "ok" });
  expect((await plane.ask("/readyz")).body).toEqual({ status: "ready" });
});

test("readiness names a worker that stands still, and is 200: the process still takes reports", async () => {
  const { workers } = plane.service;
  plane.service.workers = { ...workers, standingStill: () => ["missed_runs"] };
  const { status, body } = await plane.ask("/readyz");
  plane.service.workers = workers;
  expect([status, body]).toEqual([200, { status: "ready", workers_stalled: ["missed_runs"] }]);
});

test("readiness is 503 with Retry-After while the service stops, and health is not", async () => {
  const { isReady } = plane.service;
  plane.service.isReady = () => false;
  const ready = await plane.ask("/readyz");
  const health = await plane.ask("/healthz");
  plane.service.isReady = isReady;
  expect([ready.status, ready.headers.get("retry-after"), ready.body.errors.length]).toEqual([503, "1", 1]);
  expect(health.status).toBe(200);
});

test("why the service is not ready is logged once per change, and not where the database has told so itself", async () => {
  const { database } = plane.service;
  const failing = async (error: Error) => {
    plane.service.database = { ...database, snapshot: () => Promise.reject(error) };
    const { status } = await plane.ask("/readyz");
    plane.service.database = database;
    return status;
  };
  const full = new DatabaseUnavailable("The disk is full.", { cause: new Error("SQLITE_FULL") });
  const known = new DatabaseUnavailable("The database does not answer.");
  plane.logged.length = 0;
  for (const error of [known, full, full]) expect(await failing(error)).toBe(503);
  expect((await plane.ask("/readyz")).status).toBe(200);
  expect(await failing(full)).toBe(503);
  plane.service.log.flush();
  const lines = plane.logged.join("").match(/"message":"The service is not ready\.","error":"[^"]*"/g);
  const line = '"message":"The service is not ready.","error":"The disk is full."';
  expect(lines).toEqual([line, line]);
});

test("the description is OpenAPI 3.1 and has the three specified operations", async () => {
  const { body } = await plane.ask("/openapi.json");
  expect(body.openapi).toStartWith("3.1.");
  expect(Object.keys(body.paths)).toEqual(expect.arrayContaining(["/", "/users", "/tasks"]));
});

test("every answer has a request id of its own, and the log has it too", async () => {
  const ids = new Set<string>();
  for (const path of ["/healthz", "/nothing", "/tasks"]) {
    ids.add(String((await plane.ask(path)).headers.get("x-request-id")));
  }
  plane.service.log.flush();
  expect(ids.size).toBe(3);
  for (const id of ids) expect(plane.logged.join("")).toContain(id);
});

describe("large public answers", () => {
  test.each(["/openapi.json", "/docs"])("R15: %s is sent compressed, and only if it has changed", async (path) => {
    const plain = await plane.request(path);
    const body = Buffer.from(await plain.arrayBuffer());
    const etag = plain.headers.get("etag") ?? "";
    expect([plain.headers.get("content-encoding"), etag]).toEqual([null, expect.stringMatching(/^"[\w-]{22}"$/)]);
    for (const [encoding, expand] of Object.entries({
      br: brotliDecompressSync,
      zstd: zstdDecompressSync,
      gzip: gunzipSync,
    })) {
      const packed = await plane.request(path, { headers: { "Accept-Encoding": encoding } });
      const bytes = Buffer.from(await packed.arrayBuffer());
      // The bytes are others for each encoding, so only the ETag of the plain ones is a strong one.
      expect([packed.headers.get("content-encoding"), packed.headers.get("etag")]).toEqual([encoding, `W/${etag}`]);
      expect(packed.headers.get("vary")).toContain("Accept-Encoding");
      expect(bytes.length).toBeLessThan(body.length / 5);
      expect(expand(bytes).equals(body)).toBe(true);
    }
    for (const [encoding, expected] of [
      ["identity", etag],
      ["gzip", `W/${etag}`],
    ] as const) {
      for (const known of [etag, `W/${etag}`]) {
        const headers = { "If-None-Match": known, "Accept-Encoding": encoding };
        const same = await plane.ask(path, { headers });
        expect([same.status, same.text, same.headers.get("etag")]).toEqual([304, "", expected]);
      }
    }
  });
});
