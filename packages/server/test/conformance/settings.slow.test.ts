import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { notedBaseUrl } from "../../src/access/tokens/noted-base-url";
import { type RawSettings, readSettings } from "../../src/settings/settings";
import { startService } from "../../src/start/start-service";
import { createLog } from "../../src/telemetry/log";
import { holdDatabase } from "../folder-database";
import { makeFolder, openPlane, unitHeaderName } from "../harness";
import { lists } from "./declared";
import { openSeededPlane, type SeededPlane } from "./seeded-plane";

describe("the vendor", () => {
  let plane: SeededPlane;
  beforeAll(async () => {
    plane = await openSeededPlane({ vendor: "acme" });
  });
  afterAll(() => plane.close());

  test.each(lists)("names the media type of $name", async ({ operation, accept }) => {
    const ours = accept.replace("svc", "acme");
    const { status, headers } = await plane.ask(operation.path, { token: plane.owner, accept: ours });
    expect([status, headers.get("content-type")]).toEqual([200, ours]);
    expect((await plane.ask(operation.path, { token: plane.owner, accept })).status).toBe(406);
  });

  test("names the unit header, and the default one is no longer known", async () => {
    const { south } = plane.units;
    const total = async (headers: Record<string, string>) =>
      (await plane.ask("/tasks", { token: plane.owner, headers })).body.total_count;
    expect(await total({ "x-acme-organizationalunit-context": south })).toBe(1);
    expect(await total({ [unitHeaderName]: south })).toBe(65);
    const { headers, body } = await plane.ask("/", { token: plane.owner });
    expect(headers.get("vary")).toBe("Accept, Accept-Encoding, Authorization, x-acme-organizationalunit-context");
    expect(headers.get("content-type")).toBe("application/api.acme.*=v2+json");
    expect(JSON.stringify(body)).not.toContain("acme");
  });

  test("stands nowhere else in an answer", async () => {
    const { text } = await plane.ask("/users", { token: plane.owner });
    expect(text).not.toMatch(/acme|svc/);
  });
});

describe("links with underscores", () => {
  let plane: SeededPlane;
  beforeAll(async () => {
    plane = await openSeededPlane({ underscore_links: "true" });
  });
  afterAll(() => plane.close());

  test.each(lists)("stand beside the plain ones in $name, and lead to the same", async ({ operation, accept }) => {
    const { body } = await plane.ask(`${operation.path}?limit=2&start=2`, { token: plane.owner, accept });
    const { self, first, last, next, prev } = body._links;
    expect(body._links).toEqual({
      self,
      first,
      last,
      next,
      prev,
      _self: self,
      _first: first,
      _last: last,
      _next: next,
      _prev: prev,
    });
    expect(next.href).toContain("start=3");
  });

  test("stand in items too", async () => {
    for (const path of ["/users", "/tasks"]) {
      const { body } = await plane.ask(`${path}?limit=1`, { token: plane.owner });
      const [item] = body._embedded.items;
      const link = { href: `${path}/${item.id}`, templated: false, type: "get" };
      expect(item._links).toEqual({ self: link, _self: link });
    }
  });
});

describe("the page sizes", () => {
  test.each(lists)("are kept to by $name", async ({ operation, accept }) => {
    const plane = await openSeededPlane({ page_size_default: "2", page_size_maximum: "3" });
    const limit = async (query: string) => {
      const { body } = await plane.ask(`${operation.path}${query}`, { token: plane.owner, accept });
      expect(body._links.self.href).toContain(`limit=${body.limit}`);
      expect(body.current_count).toBe(body.limit);
      return body.limit;
    };
    expect([await limit(""), await limit("?limit=0"), await limit("?limit=1"), await limit("?limit=4")]).toEqual([
      2, 2, 1, 3,
    ]);
    await plane.close();
  });
});

test("the base URL of a started service is noted, so that tokens are made for the right one", async () => {
  const folder = makeFolder();
  const held = await holdDatabase(folder);
  const flags = { data_dir: folder, database_url: held.url, port: "0" };
  const settings = readSettings({ flags, environment: {}, file: null });
  const log = createLog({ level: "silent", output: { write: () => {}, isTerminal: false }, clock: Date.now });
  const running = await startService(settings, { log, onBroken: () => {} });
  const answer = await fetch(`${running.baseUrl}/healthz`);
  await running.stop({ drainSeconds: 0 });
  expect(answer.status).toBe(200);
  const plane = await openPlane({}, folder);
  expect(await plane.database.snapshot(notedBaseUrl)).toBe(running.baseUrl);
  await plane.close();
  await held.release();
  rmSync(folder, { recursive: true, force: true });
});

test("a node without a base URL does not take that of the others away, and says that it has to be set", async () => {
  const folder = makeFolder();
  const held = await holdDatabase(folder);
  const lines: string[] = [];
  const log = createLog({
    level: "warn",
    output: { write: (text) => lines.push(text), isTerminal: false },
    clock: Date.now,
  });
  const start = async (more: RawSettings) => {
    const flags = { data_dir: folder, database_url: held.url, port: "0", ...more };
    const running = await startService(readSettings({ flags, environment: {}, file: null }), {
      log,
      onBroken: () => {},
    });
    await running.stop({ drainSeconds: 0 });
    return running.baseUrl;
  };
  await start({ base_url: "https://backup.example.org" });
  expect(lines).toEqual([]);
  const own = await start({});
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    {
      level: "warn",
      message: "This node refuses tokens, because they are made for another base URL. Set base_url on this node.",
      detail: `tokens are made for https://backup.example.org; without base_url this node serves ${own}`,
    },
  ]);
  const plane = await openPlane({}, folder);
  expect(await plane.database.snapshot(notedBaseUrl)).toBe("https://backup.example.org");
  await plane.close();
  await held.release();
  rmSync(folder, { recursive: true, force: true });
});
