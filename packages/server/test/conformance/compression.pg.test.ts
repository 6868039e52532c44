import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { gunzipSync, zstdDecompressSync } from "node:zlib";
import { unitHeaderName } from "../harness";
import { openSeededPlane, type SeededPlane } from "./seeded-plane";

let plane: SeededPlane;
beforeAll(async () => {
  plane = await openSeededPlane();
});
afterAll(() => plane.close());

/** Asks as an owner, for an answer in one of some encodings. */
async function get(path: string, encodings?: string, init: { method?: string; headers?: Record<string, string> } = {}) {
  const response = await plane.request(path, {
    ...init,
    headers: {
      Authorization: `Bearer ${plane.owner}`,
      ...(encodings === undefined ? {} : { "Accept-Encoding": encodings }),
      ...init.headers,
    },
  });
  const named = (name: string) => response.headers.get(name);
  return {
    status: response.status,
    encoding: named("content-encoding"),
    etag: named("etag") ?? "",
    vary: named("vary"),
    length: named("content-length"),
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}

const expanders = { zstd: zstdDecompressSync, gzip: gunzipSync };

describe("answers above 1 KiB", () => {
  test.each(["zstd", "gzip"] as const)("are compressed with %s, and are the same when expanded", async (encoding) => {
    for (const path of ["/tasks?limit=50", "/entities?limit=50", "/roles", "/"]) {
      const plain = await get(path);
      const packed = await get(path, encoding);
      expect([plain.encoding, packed.status, packed.encoding]).toEqual([null, 200, encoding]);
      expect(plain.bytes.length).toBeGreaterThan(1_024);
      expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 2);
      expect(expanders[encoding](packed.bytes).equals(plain.bytes)).toBe(true);
    }
  });

  test.each([
    ["gzip, deflate, br, zstd", "zstd"],
    ["gzip;q=1.0, zstd;q=0", "gzip"],
    ["br", null],
    ["identity", null],
    ["gzip;q=0", null],
    ["nonsense, ;;, =", null],
  ])("come to a client that accepts %j as %p", async (accepted, encoding) => {
    expect((await get("/tasks?limit=50", accepted)).encoding).toBe(encoding);
  });

  test("vary by what the client accepts, and have a weak ETag for the compressed bytes, also with 304", async () => {
    const [plain, packed] = [await get("/tasks?limit=50"), await get("/tasks?limit=50", "gzip")];
    expect([plain.vary, packed.vary]).toEqual(
      Array(2).fill(`Accept, Accept-Encoding, Authorization, ${unitHeaderName}`),
    );
    expect(plain.etag).toMatch(/^"/);
    expect(packed.etag).toBe(`W/${plain.etag}`);
    for (const known of [plain.etag, packed.etag]) {
      const same = await get("/tasks?limit=50", "gzip", { headers: { "If-None-Match": known } });
      expect([same.status, same.etag, same.vary, same.encoding, same.bytes.length]).toEqual([
        304,
        packed.etag,
        packed.vary,
        null,
        0,
      ]);
    }
  });

  test("say to HEAD what they say to GET", async () => {
    const [full, head] = [
      await get("/tasks?limit=50", "gzip"),
      await get("/tasks?limit=50", "gzip", { method: "HEAD" }),
    ];
    expect([head.status, head.encoding, head.etag, head.length, head.bytes.length]).toEqual([
      200,
      "gzip",
      full.etag,
      String(full.bytes.length),
      0,
    ]);
  });

  test("have an ETag that If-Match takes", async () => {
    const permissions = ["tasks:read", "tasks:report", "users:read", "roles:read", "entities:read", "monitors:read"];
    const role = await plane.ask("/roles", {
      token: plane.owner,
      method: "POST",
      body: { name: "compressed", description: "x".repeat(900), permissions },
    });
    const path = `/roles/${role.body.id}`;
    const { etag, encoding } = await get(path, "gzip");
    expect([encoding, etag.slice(0, 3)]).toEqual(["gzip", 'W/"']);
    const change = (ifMatch: string) =>
      plane.ask(path, {
        token: plane.owner,
        method: "PATCH",
        body: { description: "short" },
        headers: { "If-Match": ifMatch },
      });
    expect((await change(etag)).status).toBe(200);
    expect((await change(etag)).status).toBe(412);
  });
});

test("small answers are sent as they are", async () => {
  const { encoding, etag, bytes } = await get("/caller", "gzip, zstd");
  expect(bytes.length).toBeGreaterThan(0);
  expect([encoding, etag[0]]).toEqual([null, '"']);
});

test("answers that hold a secret beside what others write are never compressed", async () => {
  const names = Array.from({ length: 5 }, (_, at) => `A monitor with a long name, number ${at}`);
  const monitors = names.map((name) => ({ name, schedule: { period_seconds: 86_400 } }));
  await plane.ask("/monitors/_batch", { token: plane.owner, method: "POST", body: { monitors } });
  const list = await get("/monitors", "gzip, zstd");
  expect(list.bytes.toString()).toContain("/ping/");
  expect([list.bytes.length > 1_024, list.encoding]).toEqual([true, null]);
  const made = await plane.ask("/monitors", {
    method: "POST",
    token: plane.owner,
    headers: { "Accept-Encoding": "gzip" },
    body: { name: "n".repeat(200), primary_entity: { type: "host", value: "v".repeat(200) }, schedule: null },
  });
  expect([made.status, made.headers.get("content-encoding")]).toEqual([201, null]);
  expect(made.body.ping_url).toContain("/ping/");
});

test("a stream is never compressed", async () => {
  const response = await plane.request("/task-events", {
    headers: { Authorization: `Bearer ${plane.owner}`, "Accept-Encoding": "gzip", Accept: "text/event-stream" },
  });
  expect([response.status, response.headers.get("content-encoding")]).toEqual([200, null]);
  await response.body?.cancel();
});
