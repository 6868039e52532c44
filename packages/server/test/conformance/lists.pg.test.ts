import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { FieldKind, Operator } from "@holdfast/api/conventions/filter";
import { parametersOf } from "@holdfast/api/conventions/operation";
import { listEnvelope } from "@holdfast/api/conventions/paging";
import { type Ask, walk } from "../harness";
import { someOnPostgres } from "../runs";
import { filteredLists, lists } from "./declared";
import { openSeededPlane, type SeededPlane } from "./seeded-plane";

let plane: SeededPlane;
beforeAll(async () => {
  plane = await openSeededPlane();
});
afterAll(() => plane.close());

const link = (href: string) => ({ href, templated: false, type: "get" });

describe.each(lists)("$name", ({ operation, accept }) => {
  const { path } = operation;
  const get = (query = "", ask: Ask = {}) => plane.ask(`${path}${query}`, { token: plane.owner, accept, ...ask });
  const everything = async () => (await get("?limit=1000")).body._embedded.items;

  test("answers with an envelope that has the declared fields, and no others", async () => {
    const { status, headers, body } = await get();
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe(accept);
    expect(Object.keys(body)).toEqual([
      "_embedded",
      "_links",
      "current_count",
      "total_count",
      "start",
      "total_pages_count",
      "limit",
      "filter_applied",
    ]);
    expect(Object.keys(body._embedded)).toEqual(["items"]);
    expect(listEnvelope(operation.item).parse(body)).toEqual(body);
    expect(body.total_count).toBeGreaterThan(5);
  });

  test("has exact counts, the page number as a text, and a page size of 100 unless asked otherwise", async () => {
    const items = await everything();
    const { body } = await get();
    expect({ ...body, _embedded: null, _links: null }).toEqual({
      _embedded: null,
      _links: null,
      current_count: items.length,
      total_count: items.length,
      start: "1",
      total_pages_count: 1,
      limit: 100,
      filter_applied: null,
    });
  });

  test("counts pages, a begun one included", async () => {
    const total = (await everything()).length;
    for (const limit of [1, 2, 3, total - 1, total, total + 1]) {
      const { body } = await get(`?limit=${limit}`);
      expect([body.total_count, body.total_pages_count, body.current_count]).toEqual([
        total,
        Math.ceil(total / limit),
        Math.min(limit, total),
      ]);
    }
  });

  // Reading a parameter does not depend on the database.
  test.each(
    someOnPostgres<[string, number]>(1, [
      ["", 100],
      ["?limit=", 100],
      ["?limit", 100],
      ["?limit=0", 100],
      ["?limit=1", 1],
      ["?limit=1000", 1000],
      ["?limit=1001", 1000],
      ["?limit=5000", 1000],
      [`?limit=${"9".repeat(30)}`, 1000],
      ["?start=&limit=&filter=&cursor=", 100],
    ]),
  )("serves %j with a page size of %d, and its links repeat that size", async (query, limit) => {
    const { status, body } = await get(query);
    expect(status).toBe(200);
    expect(body.limit).toBe(limit);
    expect(body._links.self).toEqual(link(`${path}?start=1&limit=${limit}`));
    expect(body._links.last.href).toContain(`limit=${limit}`);
  });

  test.each(
    someOnPostgres(1, [
      "-1",
      "%2B1",
      "+1",
      "1.5",
      "01",
      "00",
      "1e3",
      "%D9%A3",
      "%EF%BC%93",
      "ten",
      "0x1",
      "1%20",
      "%001",
      "null",
    ]),
  )("takes neither a page size nor a page number of %s", async (value) => {
    for (const parameter of ["limit", "start"]) {
      const { status, body } = await get(`?${parameter}=${value}`);
      expect([status, body.errors[0].error_code]).toEqual([400, 40003]);
      expect(body.errors[0].error_message).toContain(parameter);
    }
  });

  test("numbers its pages from 1", async () => {
    expect((await get("?start=0")).status).toBe(400);
    expect((await get("?start=1&limit=2")).body._embedded).toEqual((await get("?limit=2")).body._embedded);
  });

  test("has every page at its number, without a cursor", async () => {
    const items = await everything();
    for (const limit of [1, 2, 3]) {
      for (let start = 1; start <= Math.ceil(items.length / limit); start++) {
        const { body } = await get(`?start=${start}&limit=${limit}`);
        expect(body.start).toBe(String(start));
        expect(body._embedded.items).toEqual(items.slice((start - 1) * limit, start * limit));
      }
    }
  });

  test("links the first page to itself, the first, the last and the next page", async () => {
    const total = (await everything()).length;
    const { body } = await get("?limit=2");
    expect(body._links).toEqual({
      self: link(`${path}?start=1&limit=2`),
      first: link(`${path}?start=1&limit=2`),
      last: link(`${path}?start=${Math.ceil(total / 2)}&limit=2`),
      next: link(expect.stringMatching(new RegExp(`^${path}\\?start=2&limit=2&cursor=[A-Za-z0-9_-]+$`))),
    });
  });

  test("links a page in the middle to both its neighbours", async () => {
    const items = await everything();
    const { body } = await get("?start=2&limit=2");
    expect(Object.keys(body._links)).toEqual(["self", "first", "last", "next", "prev"]);
    expect((await get(body._links.prev.href.slice(path.length))).body._embedded.items).toEqual(items.slice(0, 2));
    expect((await get(body._links.next.href.slice(path.length))).body._embedded.items).toEqual(items.slice(4, 6));
  });

  test("links the last page to no next one, and a list of one page to no neighbours", async () => {
    const first = await get("?limit=2");
    const last = await plane.ask(first.body._links.last.href, { token: plane.owner, accept });
    expect(Object.keys(last.body._links)).toEqual(["self", "first", "last", "prev"]);
    expect(Object.keys((await get()).body._links)).toEqual(["self", "first", "last"]);
  });

  test("links an exactly filled last page to no next one", async () => {
    const total = (await everything()).length;
    expect(Object.keys((await get(`?limit=${total}`)).body._links)).toEqual(["self", "first", "last"]);
  });

  test.each([50, 1_000_000_000, 999_999_999_999])(
    "answers page %d, past the end, with no items and a way back to the last page",
    async (start) => {
      const total = (await everything()).length;
      const pages = Math.ceil(total / 3);
      const { status, body } = await get(`?start=${start}&limit=3`);
      expect(status).toBe(200);
      expect(body).toEqual({
        _embedded: { items: [] },
        _links: {
          self: link(`${path}?start=${start}&limit=3`),
          first: link(`${path}?start=1&limit=3`),
          last: link(`${path}?start=${pages}&limit=3`),
          prev: link(`${path}?start=${pages}&limit=3`),
        },
        current_count: 0,
        total_count: total,
        start: String(start),
        total_pages_count: pages,
        limit: 3,
        filter_applied: null,
      });
    },
  );

  test("is walked over next, forwards, and over prev, backwards, with every item once", async () => {
    const items = await everything();
    const ask = { token: plane.owner, accept };
    let last = path;
    const forwards = await walk(plane, `${path}?limit=2`, ask, ({ body }) => {
      last = body._links.self.href;
    });
    expect(forwards).toEqual(items);
    const backwards: unknown[] = [];
    for (let href: string | undefined = last; href !== undefined; ) {
      const { body } = await plane.ask(href, ask);
      backwards.unshift(...body._embedded.items);
      href = body._links.prev?.href;
    }
    expect(backwards).toEqual(items);
  });

  test("numbers the pages of a walk and counts the same on all of them", async () => {
    const total = (await everything()).length;
    const seen: unknown[] = [];
    await walk(plane, `${path}?limit=3`, { token: plane.owner, accept }, ({ body }) => {
      seen.push([body.start, body.total_count, body.total_pages_count]);
    });
    const pages = Math.ceil(total / 3);
    expect(seen).toEqual(Array.from({ length: pages }, (_, index) => [String(index + 1), total, pages]));
  });

  const conditions = Object.entries(operation.filters).flatMap(([field, { kind, operators }]) =>
    operators.map((operator) => ({ field, operator, value: sampleValue(kind, operator) })),
  );

  test.each(conditions)("filters by $field with $operator, and says so", async ({ field, operator, value }) => {
    const filter = JSON.stringify({ [field]: { [operator]: value } });
    const { status, body } = await get(`?limit=2&filter=${encodeURIComponent(filter)}`);
    expect(status).toBe(200);
    expect(body.filter_applied).toBe(filter);
    expect(body.current_count).toBe(body._embedded.items.length);
    expect(body._links.self).toEqual(link(`${path}?start=1&limit=2&filter=${encodeURIComponent(filter)}`));
  });

  test("has no filter where it is left out, empty or an empty object", async () => {
    const plain = await get();
    for (const query of ["?filter", "?filter=", "?filter=%7B%7D", "?filter=%7B%20%7D"]) {
      const { body } = await get(query);
      expect([body.filter_applied, body.total_count]).toEqual([null, plain.body.total_count]);
      expect(body._embedded).toEqual(plain.body._embedded);
    }
  });

  const matchesAll: Partial<Record<Operator, string>> = { $neq: 'a b&start=9#%25+é😀"\\/', $contains: "" };
  const harmless = conditions.flatMap(({ field, operator }) =>
    operator in matchesAll ? [JSON.stringify({ [field]: { [operator]: matchesAll[operator] } })] : [],
  );

  test.each(harmless)("repeats the filter %s in links, so that following them needs nothing else", async (filter) => {
    const encoded = encodeURIComponent(filter);
    const seen = await walk(plane, `${path}?limit=2&filter=${encoded}`, { token: plane.owner, accept }, ({ body }) => {
      expect(body.filter_applied).toBe(filter);
      expect(body._links.last.href).toContain(`&filter=${encoded}`);
    });
    expect(seen).toEqual(await everything());
  });

  const known = ["limit", "start", "filter", "cursor", ...Object.keys(parametersOf(operation))];

  test("does not know parameters that it does not have, and names each", async () => {
    const { status, body } = await get("?fliter=x&limit=1&Start=2&%66oo=1");
    expect(status).toBe(400);
    expect(body.errors).toEqual(
      ["fliter", "Start", "foo"].map((name) => ({
        error_code: 40001,
        error_message: `There is no parameter "${name}" here. Known are ${known.join(", ")}.`,
        field: name,
      })),
    );
  });

  test.each(someOnPostgres(1, known))("takes the parameter %s once", async (name) => {
    for (const query of [`?${name}=1&${name}=1`, `?${name}=&${name}=`, `?${name}&${name}=`]) {
      const { status, body } = await get(query);
      expect(status).toBe(400);
      expect(body.errors).toContainEqual({
        error_code: 40002,
        error_message: `Give the parameter ${name} once.`,
        field: name,
      });
    }
  });

  test("tells everything that is wrong with a query at once", async () => {
    const { status, body } = await get("?limit=x&start=y&colour=red&filter=%7B%22colour%22:1%7D");
    expect(status).toBe(400);
    expect(body.errors.map((error: { error_code: number }) => error.error_code)).toEqual([40001, 40003, 40003, 40005]);
  });

  test("ignores Content-Type", async () => {
    const { status } = await get("", { headers: { "Content-Type": "text/plain" } });
    expect(status).toBe(200);
  });

  test("answers HEAD as GET, without the body", async () => {
    const got = await get();
    const head = await get("", { method: "HEAD" });
    expect([head.status, head.text]).toEqual([200, ""]);
    for (const name of ["content-type", "etag", "vary", "cache-control"]) {
      expect(head.headers.get(name)).toBe(got.headers.get(name));
    }
    expect(head.headers.get("content-length")).toBe(String(Buffer.byteLength(got.text)));
  });
});

describe.each(filteredLists)("$name", ({ operation, accept }) => {
  const { path } = operation;

  test("that is empty has no pages, and its last page is the first", async () => {
    const [field = ""] = Object.keys(operation.filters);
    const kind = operation.filters[field]?.kind ?? "word";
    const filter = encodeURIComponent(JSON.stringify({ [field]: sampleValue(kind, "$eq") }));
    const { body } = await plane.ask(`${path}?filter=${filter}`, { token: plane.owner, accept });
    const self = link(`${path}?start=1&limit=100&filter=${filter}`);
    expect(body).toEqual({
      _embedded: { items: [] },
      _links: { self, first: self, last: self },
      current_count: 0,
      total_count: 0,
      start: "1",
      total_pages_count: 0,
      limit: 100,
      filter_applied: expect.any(String),
    });
  });
});

/** A value that an operator takes, and, but for a flag, one that no item is equal to. */
function sampleValue(kind: FieldKind, operator: Operator): string | string[] | boolean {
  if (kind === "flag") return false;
  if (kind === "timestamp") return "2026-11-01T00:00:00.000Z";
  const text = "nothing is called & this%";
  return operator === "$in" ? [text, "or this"] : text;
}
