import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { versionedMediaType } from "@holdfast/api/conventions/media-type";
import { supportedVersions } from "@holdfast/api/conventions/operation";
import { deleteTasks } from "../change-tasks";
import { type Ask, openPlane, sampleTask, walk } from "../harness";
import { someOnPostgres } from "../runs";
import { lists } from "./declared";
import { openSeededPlane, type SeededPlane } from "./seeded-plane";

let plane: SeededPlane;
beforeAll(async () => {
  plane = await openSeededPlane();
});
afterAll(() => plane.close());

const refused = {
  errors: [
    {
      error_code: 40009,
      error_message:
        "This cursor was altered, or made for another filter, sort, limit, version or organizational unit. Take links as they are, or start over with start=1.",
      field: "cursor",
    },
  ],
};

describe.each(lists)("a cursor of $name", ({ operation, accept, resource, version }) => {
  const { path } = operation;
  const get = (query = "", ask: Ask = {}) => plane.ask(`${path}${query}`, { token: plane.owner, accept, ...ask });
  const nextCursor = async (query = "?limit=2", ask: Ask = {}) => {
    const { body } = await get(query, ask);
    return String(new URL(body._links.next.href, "http://x").searchParams.get("cursor"));
  };

  test("decides the page; the number beside it is only a label", async () => {
    const cursor = await nextCursor();
    const second = (await get("?start=2&limit=2")).body._embedded;
    for (const [query, start] of [
      [`?limit=2&cursor=${cursor}&start=2`, "2"],
      [`?limit=2&cursor=${cursor}&start=40`, "40"],
      [`?limit=2&cursor=${cursor}`, "1"],
    ]) {
      const { status, body } = await get(query);
      expect([status, body.start]).toEqual([200, start]);
      expect(body._embedded).toEqual(second);
      expect(Object.keys(body._links)).toEqual(["self", "first", "last", "next", "prev"]);
      expect(body._links.self.href).toContain(`cursor=${cursor}`);
    }
  });

  test("is refused for another page size", async () => {
    const cursor = await nextCursor();
    for (const query of [`?limit=3&cursor=${cursor}`, `?cursor=${cursor}`]) {
      const { status, body } = await get(query);
      expect([status, body]).toEqual([400, refused]);
    }
  });

  const fields = Object.keys(operation.filters).slice(0, 1);

  test.each(fields)("is refused for another filter, on %s", async (field) => {
    const cursor = await nextCursor();
    const { status, body } = await get(`?limit=2&cursor=${cursor}&filter=${encodeURIComponent(`{"${field}":"x"}`)}`);
    expect([status, body]).toEqual([400, refused]);
  });

  test("is refused for another organizational unit", async () => {
    const cursor = await nextCursor();
    const { status, body } = await get(`?limit=2&cursor=${cursor}`, { unit: plane.units.north });
    expect([status, body]).toEqual([400, refused]);
  });

  test("is refused for other versions and other resources", async () => {
    const cursor = await nextCursor();
    const others = supportedVersions(resource)
      .filter((other) => other !== version)
      .map((other) => ({ path, accept: versionedMediaType("svc", resource.name, other) }));
    const elsewhere = lists
      .filter((list) => list.resource.name !== resource.name)
      .map((list) => ({ path: list.operation.path, accept: list.accept }));
    for (const other of [...others, ...elsewhere]) {
      const answer = await plane.ask(`${other.path}?limit=2&cursor=${cursor}`, {
        token: plane.owner,
        accept: other.accept,
      });
      expect([answer.status, answer.body]).toEqual([400, refused]);
    }
  });

  test("is refused with any character altered, and cut or lengthened (T11)", async () => {
    const cursor = await nextCursor();
    const altered = [...cursor].map(
      (character, at) => `${cursor.slice(0, at)}${character === "A" ? "B" : "A"}${cursor.slice(at + 1)}`,
    );
    for (const wrong of [
      ...someOnPostgres(5, altered),
      cursor.slice(0, -1),
      `${cursor}A`,
      `${cursor}%3D`,
      "x",
      "null",
      "%00",
    ]) {
      const { status, body } = await get(`?limit=2&cursor=${wrong}`);
      expect([wrong, status, body]).toEqual([wrong, 400, refused]);
    }
  });

  test("is good for every caller of the same list, in every process and after a restart", async () => {
    const cursor = await nextCursor();
    const { token } = await plane.serviceToken("owner");
    const second = await get(`?limit=2&cursor=${cursor}`, { token });
    const other = await openPlane({}, plane.folder);
    const elsewhere = await other.ask(`${path}?limit=2&cursor=${cursor}`, { token, accept });
    await other.database.close();
    expect([second.status, elsewhere.status]).toEqual([200, 200]);
    expect(elsewhere.text).toBe(second.text);
  });

  test("is the same each time, so that a page that has not changed stays the same", async () => {
    expect(await nextCursor()).toBe(await nextCursor());
  });
});

describe("a walk over tasks", () => {
  test("sees every task that was there all along exactly once while others come, go and change", async () => {
    const north = plane.units.north;
    const unit = await plane.addUnit("Walked", north);
    const numbers = Array.from({ length: 20 }, (_, index) => index + 100);
    const tasks = numbers.map((number) => ({ ...sampleTask(number), organizational_unit_id: unit }));
    await plane.addTasks(tasks);
    const gone = tasks.filter((_, index) => index % 5 === 0).map(({ id }) => id);
    let added = 1000;
    let totals: number[] = [];
    const seen = await walk(plane, "/tasks?limit=3", { token: plane.owner, unit }, async ({ body }) => {
      totals = [...totals, body.total_count];
      await plane.addTasks([
        { ...sampleTask(added++), organizational_unit_id: unit },
        // Older than all: it would come at the end, but it was not there when the walk began.
        { ...sampleTask(added++ - 2000), id: `late-${added}`, organizational_unit_id: unit },
      ]);
      await plane.database.change((db) => deleteTasks(db, gone.splice(0, 1)));
    });
    const ids = seen.map(({ id }) => id);
    const stayed = tasks.filter((_, index) => index % 5 !== 0).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => stayed.includes(id))).toEqual(stayed.reverse());
    expect(ids.filter((id) => !tasks.some((task) => task.id === id))).toEqual([]);
    expect(new Set(totals)).toEqual(new Set([20]));
  });

  test("goes on where it was when the item at which it stood is gone", async () => {
    const unit = await plane.addUnit("Gone");
    const tasks = Array.from({ length: 6 }, (_, index) => ({
      ...sampleTask(index + 5000),
      organizational_unit_id: unit,
    }));
    await plane.addTasks(tasks);
    const ask = { token: plane.owner, unit };
    const first = await plane.ask("/tasks?limit=2", ask);
    await plane.database.change((db) =>
      deleteTasks(
        db,
        first.body._embedded.items.map(({ id }: { id: string }) => id),
      ),
    );
    const second = await plane.ask(first.body._links.next.href, ask);
    expect(second.body._embedded.items.map(({ id }: { id: string }) => id)).toEqual([tasks[3]?.id, tasks[2]?.id]);
  });
});

describe("a walk over users", () => {
  test("sees every user who was there all along exactly once while others are invited", async () => {
    const unit = await plane.addUnit("Invited");
    const roles = [{ role: "viewer", unitId: unit } as const];
    for (const name of ["b", "d", "f", "h", "j"]) await plane.addUser({ name, roles });
    const seen = await walk(plane, "/users?limit=2", { token: plane.owner, unit }, async () => {
      await plane.addUser({ name: "a", roles });
      await plane.addUser({ name: "z", roles });
    });
    expect(seen.map(({ full_name }) => full_name)).toEqual(["b", "d", "f", "h", "j"]);
  });
});
