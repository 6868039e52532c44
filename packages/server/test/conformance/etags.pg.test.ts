import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Ask, openPlane, sampleTask } from "../harness";
import { someOnPostgres } from "../runs";
import { lists } from "./declared";
import { openSeededPlane, type SeededPlane } from "./seeded-plane";

let plane: SeededPlane;
beforeAll(async () => {
  plane = await openSeededPlane();
});
afterAll(() => plane.close());

describe.each(lists)("the ETag of $name", ({ operation, accept }) => {
  const get = (ask: Ask = {}, query = "?limit=3") =>
    plane.ask(`${operation.path}${query}`, { token: plane.owner, accept, ...ask });
  const known = async () => String((await get()).headers.get("etag"));

  test("is a strong one, and stays while nothing changes", async () => {
    const etag = await known();
    expect(etag).toMatch(/^"[^"\s,]+"$/);
    expect(await known()).toBe(etag);
  });

  // Comparing a header does not depend on the database.
  test.each(
    someOnPostgres<[string, (etag: string) => string]>(1, [
      ["alone", (etag) => etag],
      ["weakened by a proxy", (etag) => `W/${etag}`],
      ["in a list", (etag) => `"other", ${etag} , W/"third"`],
      ["weakened, in a list", (etag) => `"other",W/${etag}`],
      ["as a star", () => "*"],
      ["as a star with space", () => " * "],
    ]),
  )("given %s in If-None-Match gives 304 without a body", async (_, given) => {
    const etag = await known();
    const { status, text, headers } = await get({ headers: { "If-None-Match": given(etag) } });
    expect([status, text]).toEqual([304, ""]);
    expect(headers.get("etag")).toBe(etag);
    expect(headers.get("vary")).toBe("Accept, Accept-Encoding, Authorization, x-svc-organizationalunit-context");
    expect(headers.get("cache-control")).toBe("private, no-cache");
  });

  test.each(someOnPostgres(1, ['"other"', "", "nonsense", '"*"', '"a","b"']))("is not matched by %j", async (given) => {
    expect((await get({ headers: { "If-None-Match": given } })).status).toBe(200);
  });

  test("is not matched without its quotes, or by a part of it", async () => {
    const etag = await known();
    for (const given of [etag.slice(1, -1), `"x${etag.slice(1)}`, `${etag.slice(0, -1)}x"`]) {
      expect((await get({ headers: { "If-None-Match": given } })).status).toBe(200);
    }
  });

  test("gives 304 to HEAD too", async () => {
    const { status } = await get({ method: "HEAD", headers: { "If-None-Match": await known() } });
    expect(status).toBe(304);
  });

  test("is the same in every process", async () => {
    const other = await openPlane({}, plane.folder);
    const there = await other.ask(`${operation.path}?limit=3`, { token: plane.owner, accept });
    await other.database.close();
    expect(there.headers.get("etag")).toBe(await known());
  });

  test("differs between pages", async () => {
    const second = await get({}, "?limit=3&start=2");
    expect(second.headers.get("etag")).not.toBe(await known());
  });

  test("does not help a caller who may not see the list", async () => {
    const headers = { "If-None-Match": await known() };
    expect((await get({ headers, token: plane.reporter })).status).toBe(403);
    expect((await get({ headers: { "If-None-Match": "*" }, token: "x" })).status).toBe(401);
  });
});

test("the ETag of a list changes with its items", async () => {
  const before = await plane.ask("/tasks", { token: plane.owner });
  await plane.addTasks([sampleTask(900)]);
  const etag = String(before.headers.get("etag"));
  const after = await plane.ask("/tasks", { token: plane.owner, headers: { "If-None-Match": etag } });
  expect(after.status).toBe(200);
  expect(after.body.total_count).toBe(before.body.total_count + 1);
});
