import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createUnit } from "../../src/resources/organizational-units/store";
import { openPlane, type Plane, root, walk } from "../harness";

let plane: Plane;
let token: string;

const upper = "0198C3A1-5D2E-7ABC-8DEF-0123456789AB";
const unit = "abcdef00-0000-4000-8000-000000000001";
const at = (second: number, millisecond = 0) =>
  new Date(Date.parse("2026-11-01T00:00:00Z") + second * 1000 + millisecond).toISOString();

beforeAll(async () => {
  plane = await openPlane();
  await plane.database.change((db) =>
    createUnit(db, { id: unit, name: "Unit", parentId: root, createdAt: plane.clock.now }),
  );
  token = (await plane.serviceToken("viewer")).token;
  await plane.addTasks([
    { id: "a", created_timestamp: at(5), start_timestamp: at(6), end_timestamp: at(7) },
    {
      id: "b",
      created_timestamp: at(4),
      status: "failed",
      outcome: "lost",
      error: { code: "runner_lost", message: "", remedy: "" },
      start_timestamp: at(5),
      end_timestamp: at(6, 500),
      primary_entity: { id: "DB-1", type: "database", value: "Größe 100% _x_" },
    },
    {
      id: "c",
      created_timestamp: at(3, 500),
      status: "queued",
      outcome: null,
      category: "restore",
      type: "borg_extract",
      start_timestamp: null,
      end_timestamp: null,
      primary_entity: null,
    },
    {
      id: upper.toLowerCase(),
      created_timestamp: at(-86_400),
      status: "aborted",
      outcome: "error",
      error: { code: "disk_full", message: "", remedy: "" },
      organizational_unit_id: unit,
      category: "snapshot",
      type: "zfs_snapshot",
      start_timestamp: at(-86_399),
      end_timestamp: at(-86_398),
      primary_entity: { id: "db-1", type: "database", value: 'O\'Reilly "quoted" \\ back' },
    },
  ]);
});
afterAll(() => plane.close());

const d = upper.toLowerCase();

async function found(filter: unknown): Promise<string[]> {
  const query = encodeURIComponent(JSON.stringify(filter));
  const { status, body, text } = await plane.ask(`/tasks?filter=${query}`, { token });
  expect([status, text]).toEqual([200, text]);
  const ids = body._embedded.items.map(({ id }: { id: string }) => id);
  expect(body.total_count).toBe(ids.length);
  const walked = await walk(plane, `/tasks?limit=1&filter=${query}`, { token });
  expect(walked.map(({ id }) => id)).toEqual(ids);
  const last = await plane.ask(`/tasks?limit=1&start=${ids.length || 1}&filter=${query}`, { token });
  expect(last.body._embedded.items.map(({ id }: { id: string }) => id)).toEqual(ids.slice(-1));
  return ids;
}

describe("a filter on tasks", () => {
  test.each<[unknown, string[]]>([
    [{}, ["a", "b", "c", d]],
    [{ status: "failed" }, ["b"]],
    [{ status: { $eq: "failed" } }, ["b"]],
    [{ status: { $in: ["failed", "aborted"] } }, ["b", d]],
    [{ status: { $in: ["failed", "failed"] } }, ["b"]],
    [{ status: { $in: [] } }, []],
    [{ status: { $neq: "failed" } }, ["a", "c", d]],
    [{ status: { $in: ["failed", "queued"], $neq: "failed" } }, ["c"]],
    [{ status: { $in: ["failed", "queued"] }, id: { $neq: "b" } }, ["c"]],
    [{ status: { $in: ["failed", "queued"] }, "error.code": { $neq: "runner_lost" } }, ["c"]],
    [{ status: "failed", "error.code": { $neq: "runner_lost" } }, []],
    [{ status: "no_such_status" }, []],
    [{ status: { $neq: "no_such_status" } }, ["a", "b", "c", d]],
    [{ status: "FAILED" }, []],
    [{ category: "restore" }, ["c"]],
    [{ category: { $neq: "backup" } }, ["c", d]],
    [{ category: { $in: ["restore", "snapshot", "nothing"] } }, ["c", d]],
    [{ category: "no_such_category" }, []],
    [{ type: "borg_extract" }, ["c"]],
    [{ type: { $in: ["borg_extract", "zfs_snapshot"] } }, ["c", d]],
    [{ type: { $neq: "restic_backup" } }, ["c", d]],
    [{ outcome: "lost" }, ["b"]],
    [{ outcome: { $in: ["lost", "success"] } }, ["a", "b"]],
    [{ outcome: { $in: ["lost", "nothing"] } }, ["b"]],
    [{ outcome: { $neq: "lost" } }, ["a", "c", d]],
    [{ outcome: { $in: ["lost", "error"], $neq: "lost" } }, [d]],
    [{ outcome: "Lost" }, []],
    [{ outcome: "" }, []],
    [{ outcome: { $in: ["", "lost"] } }, ["b"]],
    [{ outcome: { $neq: "" } }, ["a", "b", "c", d]],
    [{ outcome: { $in: [] } }, []],
    [{ outcome: "error", status: "failed" }, []],
    [{ outcome: "error", created_timestamp: { $lt: at(0) } }, [d]],
    [{ "error.code": "runner_lost" }, ["b"]],
    [{ "error.code": { $in: ["runner_lost", "disk_full"] } }, ["b", d]],
    [{ "error.code": { $neq: "runner_lost" } }, ["a", "c", d]],
    [{ "error.code": { $in: ["runner_lost", "disk_full"], $neq: "disk_full" } }, ["b"]],
    [{ "error.code": "RUNNER_LOST" }, []],
    [{ "error.code": "" }, []],
    [{ "error.code": { $neq: "\u0000" } }, ["a", "b", "c", d]],
    [{ "error.code": { $in: [] } }, []],
    [{ "error.code": "disk_full", outcome: { $neq: "lost" }, status: "aborted" }, [d]],
    [{ organizational_unit_id: unit }, [d]],
    [{ organizational_unit_id: unit.toUpperCase() }, [d]],
    [{ organizational_unit_id: root }, ["a", "b", "c"]],
    [{ organizational_unit_id: { $in: [root, unit.toUpperCase()] } }, ["a", "b", "c", d]],
    [{ organizational_unit_id: "no unit" }, []],
    [{ organizational_unit_id: { $in: [] } }, []],
    [{ organizational_unit_id: root, outcome: "lost", "error.code": "runner_lost" }, ["b"]],
    [{ id: "a" }, ["a"]],
    [{ id: upper }, [d]],
    [{ id: { $in: [upper, "b"] } }, ["b", d]],
    [{ id: { $neq: upper } }, ["a", "b", "c"]],
    [{ id: "A" }, []],
    [{ id: "a\u0000" }, []],
    [{ id: { $neq: "a\u0000" } }, ["a", "b", "c", d]],
    [{ created_timestamp: { $gt: at(4) } }, ["a"]],
    [{ created_timestamp: { $gte: at(4) } }, ["a", "b"]],
    [{ created_timestamp: { $lt: at(4) } }, ["c", d]],
    [{ created_timestamp: { $lte: at(4) } }, ["b", "c", d]],
    [{ created_timestamp: { $gte: at(3, 500), $lt: at(5) } }, ["b", "c"]],
    [{ created_timestamp: { $gte: "2026-11-01T02:00:04+02:00" } }, ["a", "b"]],
    [{ created_timestamp: { $gte: "2026-10-31T19:00:04-05:00" } }, ["a", "b"]],
    [{ created_timestamp: { $gt: "2026-11-01T00:00:03.5Z" } }, ["a", "b"]],
    [{ created_timestamp: { $gte: "2026-11-01T00:00:03.500Z", $lt: "2026-11-01T00:00:04Z" } }, ["c"]],
    [{ created_timestamp: { $gte: "2026-11-01T00:00:03.5000000001Z" } }, ["a", "b"]],
    [{ created_timestamp: { $lt: "2026-11-01T00:00:03.5000000001Z" } }, ["c", d]],
    [{ created_timestamp: { $lte: "2026-11-01T00:00:03.4999999999Z" } }, [d]],
    [{ created_timestamp: { $gt: "2026-11-01T00:00:03.4999999999Z" } }, ["a", "b", "c"]],
    [{ created_timestamp: { $lt: "0001-01-01T00:00:00Z" } }, []],
    [{ created_timestamp: { $gt: "9999-12-31T23:59:59.999-23:59" } }, []],
    [{ created_timestamp: { $lt: "9999-12-31T23:59:59.999-23:59" } }, ["a", "b", "c", d]],
    [{ created_timestamp: { $gte: "0000-01-01T00:00:00+23:59" } }, ["a", "b", "c", d]],
    [{ created_timestamp: { $lt: "2016-12-31T23:59:60Z" } }, []],
    [{ start_timestamp: { $gte: at(5) } }, ["a", "b"]],
    [{ start_timestamp: { $lt: at(5) } }, [d]],
    [{ end_timestamp: { $gt: at(6) } }, ["a", "b"]],
    [{ end_timestamp: { $lte: at(6, 500) } }, ["b", d]],
    [{ "primary_entity.id": "DB-1" }, ["b"]],
    [{ "primary_entity.id": { $contains: "Db-" } }, ["b", d]],
    [{ "primary_entity.id": { $contains: "" } }, ["a", "b", d]],
    [{ "primary_entity.value": "web-01.example.org" }, ["a"]],
    [{ "primary_entity.value": "WEB-01.example.org" }, []],
    [{ "primary_entity.value": { $contains: "WEB-01" } }, ["a"]],
    [{ "primary_entity.value": { $contains: "GRÖSSE" } }, ["b"]],
    [{ "primary_entity.value": { $contains: "%" } }, ["b"]],
    [{ "primary_entity.value": { $contains: "_x_" } }, ["b"]],
    [{ "primary_entity.value": { $contains: 'o\'reilly "QUOTED" \\' } }, [d]],
    [{ "primary_entity.value": "Größe 100% _x_" }, ["b"]],
    [{ "primary_entity.value": { $contains: "a%b" } }, []],
    [{ status: { $neq: "queued" }, category: "backup", created_timestamp: { $lt: at(5) } }, ["b"]],
    [{ status: "failed", category: "restore" }, []],
    [{ type: "restic_backup", "primary_entity.id": { $contains: "db" }, end_timestamp: { $gt: at(0) } }, ["b"]],
  ])("%j finds %j", async (filter, ids) => {
    expect(await found(filter)).toEqual(ids);
  });

  test("on a unit that is not below the one of the request finds nothing", async () => {
    const ask = async (named: string) => {
      const query = encodeURIComponent(JSON.stringify({ organizational_unit_id: named }));
      return (await plane.ask(`/tasks?filter=${query}`, { token, unit })).body.total_count;
    };
    expect([await ask(unit), await ask(root)]).toEqual([1, 0]);
  });

  test("is shown as it was understood", async () => {
    const filter = { status: "failed", created_timestamp: { $gte: "2026-11-01T02:00:00+02:00" }, id: { $in: [upper] } };
    const { body } = await plane.ask(`/tasks?filter=${encodeURIComponent(JSON.stringify(filter))}`, { token });
    expect(JSON.parse(body.filter_applied)).toEqual({
      status: { $eq: "failed" },
      created_timestamp: { $gte: "2026-11-01T00:00:00.000Z" },
      id: { $in: [d] },
    });
  });

  test.each<[string, number, string]>([
    ["not json", 40004, "JSON"],
    ['{"status":"failed"', 40004, "JSON"],
    ["[]", 40004, "JSON object"],
    ["null", 40004, "JSON object"],
    ['"failed"', 40004, "JSON object"],
    ["{}{}", 40004, "JSON"],
    ['{"status":"a","status":"b"}', 40004, '"status"'],
    ['{"status":{"$eq":"a","$eq":"a"}}', 40004, '"$eq"'],
    ['{"state":"failed"}', 40005, "status, category, type, id, created_timestamp"],
    ['{"__proto__":{"$eq":"x"}}', 40005, '"__proto__"'],
    ['{"primary_entity":{"id":"x"}}', 40005, "primary_entity.id"],
    ['{"$or":[]}', 40005, '"$or"'],
    ['{"status":{"$contains":"f"}}', 40006, "$eq, $in or $neq"],
    ['{"status":{"$gt":"f"}}', 40006, "$eq, $in or $neq"],
    ['{"outcome":{"$contains":"e"}}', 40006, "$eq, $in or $neq"],
    ['{"outcome":null}', 40007, "a string"],
    ['{"error.code":{"$begins_with":"e"}}', 40006, "$eq, $in or $neq"],
    ['{"error":{"code":"x"}}', 40005, "error.code"],
    ['{"organizational_unit_id":{"$neq":"x"}}', 40006, "$eq or $in"],
    ['{"status":{}}', 40006, "$eq, $in or $neq"],
    ['{"created_timestamp":"2026-11-01T00:00:00Z"}', 40006, "$gt, $gte, $lt or $lte"],
    ['{"created_timestamp":{"$in":[]}}', 40006, "$gt, $gte, $lt or $lte"],
    ['{"primary_entity.id":{"$in":[]}}', 40006, "$eq or $contains"],
    ['{"status":true}', 40007, "a string"],
    ['{"status":null}', 40007, "a string"],
    ['{"status":["failed"]}', 40007, "a string"],
    ['{"status":{"$in":"failed"}}', 40007, "a list of strings"],
    ['{"status":{"$in":[null]}}', 40007, "a list of strings"],
    ['{"created_timestamp":{"$gte":"2026-11-01"}}', 40007, "RFC 3339"],
    ['{"created_timestamp":{"$gte":"2026-11-01T00:00:00"}}', 40007, "RFC 3339"],
    ['{"created_timestamp":{"$gte":"2026-02-30T00:00:00Z"}}', 40007, "RFC 3339"],
    ['{"end_timestamp":{"$lt":1793491200}}', 40007, "RFC 3339"],
    [`{"status":${"[".repeat(8000)}`, 40008, "5 levels"],
    [JSON.stringify({ status: { $in: Array(201).fill("a") } }), 40008, "200"],
    [JSON.stringify(Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`f${index}`, "a"]))), 40008, "50"],
  ])("%s is refused, and the message says what would be right", async (filter, code, right) => {
    const { status, body } = await plane.ask(`/tasks?filter=${encodeURIComponent(filter)}`, { token });
    expect([status, body.errors.length, body.errors[0].error_code]).toEqual([400, 1, code]);
    expect(body.errors[0].error_message).toContain(right);
  });

  test("may be sent with plus signs for spaces", async () => {
    const { body } = await plane.ask('/tasks?filter={"status":+"failed"}', { token });
    expect(body.total_count).toBe(1);
  });
});
