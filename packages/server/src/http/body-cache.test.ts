import { expect, test } from "bun:test";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { type BodyKey, createBodyCache, type TaggedBody } from "./body-cache";

const key: BodyKey = {
  callerId: "caller",
  unitId: "unit",
  resource: "tasks",
  version: 1,
  path: "/tasks",
  query: "limit=2",
  domain: "tasks",
  dataVersion: 1,
};
const waiting = new AbortController().signal;
const tagged = (body: string, isVolatile = false): TaggedBody => ({ body, etag: `"${body}"`, isVolatile });

/** A cache that counts what it renders, and how it is used. */
function countedCache(maxBytes = 10_000) {
  const uses: string[] = [];
  const cache = createBodyCache(maxBytes, (result) => uses.push(result));
  const rendered: BodyKey[] = [];
  const get = async (given: BodyKey, body = "{}", isVolatile = false) => {
    const render = async () => {
      rendered.push(given);
      return tagged(body, isVolatile);
    };
    return (await cache.getOrRender(given, render, waiting)).body;
  };
  return { cache, uses, rendered, get };
}

test("R10, T17: a body is given again for the same key only: each field decides, whatever is written in the others", async () => {
  const text = fc.constantFrom("", "a", "b", 'a","b', "a b", " ", "null", "\\", "1");
  const fields = {
    callerId: text,
    unitId: text,
    resource: text,
    version: fc.constantFrom(1, 2),
    path: text,
    query: text,
    domain: fc.constantFrom("any" as const, "access" as const, "tasks" as const),
    dataVersion: fc.oneof(text, fc.constantFrom(1, 2)),
  };
  const anyChange = fc.record(fields, { requiredKeys: [], noNullPrototype: true });
  await fc.assert(
    fc.asyncProperty(fc.record(fields, { noNullPrototype: true }), anyChange, async (one, change) => {
      const other: BodyKey = { ...one, ...change };
      const { get, rendered } = countedCache();
      const isEqual = isDeepStrictEqual(one, other);
      expect([await get(one, "one"), await get(other, "other")]).toEqual(["one", isEqual ? "one" : "other"]);
      expect(rendered.length).toBe(isEqual ? 1 : 2);
    }),
  );
});

test("T37: it holds so many bytes of bodies and keys, and drops what was not asked for longest", async () => {
  const room = 3 * (`${key.dataVersion} ${JSON.stringify(key)}`.length + 1 + 1_000);
  const { get, rendered } = countedCache(room);
  const ofPage = (page: number) => ({ ...key, query: `start=${page}` });
  for (const page of [1, 2, 3, 1, 4, 1]) await get(ofPage(page), "é".repeat(500));
  expect(rendered.map(({ query }) => query)).toEqual(["start=1", "start=2", "start=3", "start=4"]);
  await get(ofPage(2), "é".repeat(500));
  expect(rendered.length).toBe(5);
  await get(ofPage(9), "x".repeat(room));
  await get(ofPage(9), "x".repeat(room));
  expect(rendered.length).toBe(7);
});

test("what changes by the clock is not kept, and neither is a failure", async () => {
  const { cache, get, rendered } = countedCache();
  await get(key, "of this minute", true);
  const failed = cache.getOrRender(key, () => Promise.reject(new Error("away")), waiting);
  await expect(failed).rejects.toThrow("away");
  expect([await get(key, "new"), await get(key, "newer"), rendered.length]).toEqual(["new", "new", 2]);
});

test("those who ask meanwhile share what is rendered, until all of them have left", async () => {
  const { cache, uses } = countedCache();
  const [first, second, third] = [new AbortController(), new AbortController(), new AbortController()];
  const signals: AbortSignal[] = [];
  const bodies = [Promise.withResolvers<TaggedBody>(), Promise.withResolvers<TaggedBody>()];
  const ask = ({ signal }: AbortController) =>
    cache.getOrRender(
      key,
      (given) => {
        signals.push(given);
        return bodies[signals.length - 1]?.promise ?? Promise.reject(new Error("rendered too often"));
      },
      signal,
    );
  const shared = [ask(first), ask(second)];
  first.abort();
  expect([signals.length, signals[0]?.aborted, uses]).toEqual([1, false, ["miss", "hit"]]);
  second.abort();
  expect(signals[0]?.aborted).toBe(true);
  const later = ask(third);
  bodies[0]?.resolve(tagged("abandoned", true));
  expect((await Promise.all(shared)).map(({ body }) => body)).toEqual(["abandoned", "abandoned"]);
  const last = ask(new AbortController());
  bodies[1]?.resolve(tagged("whole"));
  expect([(await later).body, (await last).body, signals.length]).toEqual(["whole", "whole", 2]);
});
