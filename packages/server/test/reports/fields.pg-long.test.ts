import { afterAll, describe, expect, test } from "bun:test";
import { openReportingPlane } from "./reporting-plane";
import { refusal, someError, uuid } from "./shapes";

const plane = await openReportingPlane();
afterAll(plane.close);
const { token: viewer } = await plane.serviceToken("viewer");
const taskId: string = (await plane.create({})).body.id;

interface NumberField {
  field: string;
  min: number;
  max: number;
  isUpdated: boolean;
  /** Further fields that the number needs. */
  beside?: object;
}

/** Numbers that a new task can have. */
const numbers: NumberField[] = [
  { field: "progress_percentage", min: 0, max: 100, isUpdated: true },
  { field: "attempt", min: 1, max: 1000, isUpdated: true },
  {
    field: "sequence",
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
    isUpdated: true,
    beside: { progress_message: "on" },
  },
  { field: "age_ms", min: 0, max: 604_800_000, isUpdated: true },
  { field: "duration_ms", min: 0, max: 2_592_000_000, isUpdated: false, beside: { status: "completed" } },
  { field: "lease_seconds", min: 30, max: 86_400, isUpdated: true },
  { field: "abort_grace_seconds", min: 5, max: 600, isUpdated: true },
  { field: "start_by_seconds", min: 60, max: 2_592_000, isUpdated: false, beside: { status: "queued" } },
  { field: "max_duration_seconds", min: 60, max: 2_592_000, isUpdated: true },
  { field: "stall_seconds", min: 60, max: 604_800, isUpdated: true },
];
const updatedNumbers = numbers.filter(({ isUpdated }) => isUpdated);
const waiting: NumberField = { field: "wait_seconds", min: 0, max: 30, isUpdated: true };

const beyond = ({ min, max }: NumberField) => [min - 1, max + 1, min + 0.5, String(min), null, true, [], {}, 1e308];

describe.each(numbers)("$field of a new task", (number) => {
  const { field, min, max, beside = {} } = number;

  test("is taken from its minimum to its maximum", async () => {
    for (const value of [min, max]) {
      expect([value, (await plane.create({ ...beside, [field]: value })).status]).toEqual([value, 201]);
    }
  });

  test("is refused as anything else", async () => {
    for (const value of beyond(number)) {
      const answer = await plane.create({ ...beside, [field]: value });
      expect([value, ...new Set(refusal(answer))]).toEqual([value, 422, 42201, `/${field}`]);
    }
  });
});

test.each(updatedNumbers)("$field of an update is taken from its minimum to its maximum", async (number) => {
  const { field, min, max, beside = {} } = number;
  const { body } = await plane.create({ attempt: 1000 });
  // The attempts before have ended, and none comes after.
  const lowest = field === "attempt" ? max : min;
  for (const value of [lowest, max]) {
    expect([value, (await plane.update(body.id, { ...beside, [field]: value })).status]).toEqual([value, 200]);
  }
});

test.each([...updatedNumbers, waiting])("$field of an update is refused as anything else", async (number) => {
  for (const value of beyond(number)) {
    const answer = await plane.update(taskId, { ...number.beside, [number.field]: value });
    expect([value, ...new Set(refusal(answer))]).toEqual([value, 422, 42201, `/${number.field}`]);
  }
});

interface TextField {
  field: string;
  longest: number;
  body: (text: string) => object;
}

const lines: TextField[] = [
  { field: "/type", longest: 128, body: (type) => ({ type }) },
  { field: "/name", longest: 200, body: (name) => ({ name }) },
  { field: "/operation", longest: 200, body: (operation) => ({ operation }) },
  { field: "/runner/host", longest: 255, body: (host) => ({ runner: { host, version: "1" } }) },
  { field: "/runner/version", longest: 64, body: (version) => ({ runner: { host: "a", version } }) },
  { field: "/primary_entity/type", longest: 128, body: (type) => ({ primary_entity: { type, value: "v" } }) },
  { field: "/primary_entity/value", longest: 1024, body: (value) => ({ primary_entity: { type: "t", value } }) },
  { field: "/primary_entity/id", longest: 1024, body: (id) => ({ primary_entity: { type: "t", value: "v", id } }) },
];
const programTexts: TextField[] = [
  { field: "/progress_message", longest: 200, body: (text) => ({ progress_message: text }) },
  {
    field: "/error/message",
    longest: 8192,
    body: (message) => ({ status: "failed", error: { ...someError, message } }),
  },
  { field: "/error/remedy", longest: 8192, body: (remedy) => ({ status: "failed", error: { ...someError, remedy } }) },
];

test.each([...lines, ...programTexts])("$field has at most $longest characters", async ({ field, longest, body }) => {
  expect((await plane.create(body("x".repeat(longest)))).status).toBe(201);
  expect(refusal(await plane.create(body("x".repeat(longest + 1))))).toEqual([422, 42201, field]);
  expect(refusal(await plane.create(body("x".repeat(20 * longest))))).toEqual([422, 42201, field]);
});

test.each(lines)("$field is one line of what can be seen", async ({ field, body }) => {
  for (const odd of ["", "   ", "a\nb", "a\u0000b", "a\u202eb"]) {
    expect([odd, refusal(await plane.create(body(odd)))]).toEqual([odd, [422, 42201, field]]);
  }
});

test("an operation is shown unless it is the type, and tasks are found by it", async () => {
  const list = async (operation: unknown) => {
    const { body } = await plane.ask(`/tasks?filter=${encodeURIComponent(JSON.stringify({ operation }))}`, {
      token: viewer,
    });
    return body._embedded.items.map(({ id }: { id: string }) => id).sort();
  };
  const named = (await plane.create({ type: "a_tool", operation: "/etc → nas" })).body;
  const same = (await plane.create({ type: "b_tool", operation: "b_tool" })).body;
  const normal = (await plane.create({ type: "b_tool" })).body;
  const other = (await plane.create({ type: "c_tool", operation: "b_tool" })).body;
  expect([named, same, normal, other].map(({ operation }) => operation)).toEqual([
    "/etc → nas",
    undefined,
    undefined,
    "b_tool",
  ]);
  expect((await plane.read(named.id)).body.operation).toBe("/etc → nas");
  expect(await list("/etc → nas")).toEqual([named.id]);
  expect(await list("b_tool")).toEqual([same.id, normal.id, other.id].sort());
  expect(await list({ $in: ["b_tool", "/etc → nas"] })).toEqual([named.id, same.id, normal.id, other.id].sort());
  expect(await list("a_tool")).toEqual([]);
});

test("what a program says is shown without what cannot be shown, and never refused for it", async () => {
  const said = "\u001b[31mred\r\nand\u0000 more \ud800";
  const error = { code: "x", message: said, remedy: said };
  const { status, body } = await plane.create({ status: "failed", error, progress_message: said });
  const shown = "\ufffd[31mred\nand\ufffd more \ufffd";
  expect([status, body.error]).toEqual([201, { code: "x", message: shown, remedy: shown }]);
  expect(body.progress_message).toMatch(/^\[31mred +and +more \ufffd$/);
});

test.each(["x", "a".repeat(64), "disk_full_2"])("an error can have the code %s", async (code) => {
  const { status, body } = await plane.create({ status: "failed", error: { code, message: "m" } });
  expect([status, body.error]).toEqual([201, { code, message: "m", remedy: "" }]);
});

test.each(["", "X", "1x", "_x", "a-b", "a b", "a".repeat(65), "é"])(
  "an error cannot have the code %p",
  async (code) => {
    const answer = await plane.create({ status: "failed", error: { code, message: "m" } });
    expect(refusal(answer)).toEqual([422, 42201, "/error/code"]);
  },
);

const oddCreations: [what: string, field: string, body: object][] = [
  ["an id that is no UUID", "/id", { id: "backup-1" }],
  ["an id that is a number", "/id", { id: 1 }],
  ["a category that there is not", "/category", { category: "dump" }],
  ["a status that there is not", "/status", { status: "done" }],
  ["the status of an abort", "/status", { status: "aborting" }],
  ["a unit that is no UUID", "/organizational_unit_id", { organizational_unit_id: "berlin" }],
  ["an entity that is nothing", "/primary_entity", { primary_entity: null }],
  ["an entity without a type", "/primary_entity/type", { primary_entity: { value: "v" } }],
  ["an entity without a value", "/primary_entity/value", { primary_entity: { type: "t" } }],
  ["an entity with more", "/primary_entity/more", { primary_entity: { type: "t", value: "v", more: 1 } }],
  ["a runner without a version", "/runner/version", { runner: { host: "a" } }],
  ["a text in can_abort", "/can_abort", { can_abort: "yes" }],
  ["a claim", "/claim_id", { claim_id: uuid(1) }],
  ["a reason", "/reason", { reason: "x" }],
  ["an abort", "/abort", { abort: { signals: [], process_tree_ended: true } }],
  ["a monitor", "/monitor_id", { monitor_id: uuid(1) }],
  ["a log without a text", "/log/text", { log: { offset: 0 } }],
  ["a time of its own", "/created_timestamp", { created_timestamp: "2020-01-01T00:00:00.000Z" }],
  ["a lease", "/lease", { lease: null }],
  ["a duration without an end", "/duration_ms", { duration_ms: 1 }],
  ["a time to start by without a queue", "/start_by_seconds", { start_by_seconds: 60 }],
];

test.each(oddCreations)("a new task cannot have %s", async (_, field, body) => {
  expect(refusal(await plane.create(body))).toEqual([422, 42201, field]);
});

const aborted = (signals: string[]) => ({ status: "aborted", abort: { signals, process_tree_ended: true } });
const oddUpdates: [what: string, field: string, body: object][] = [
  ["the status queued", "/status", { status: "queued" }],
  ["an id", "/id", { id: uuid(1) }],
  ["a category", "/category", { category: "restore" }],
  ["a type", "/type", { type: "x" }],
  ["a unit", "/organizational_unit_id", { organizational_unit_id: uuid(1) }],
  ["a name", "/name", { name: "x" }],
  ["an operation", "/operation", { operation: "x" }],
  ["a runner", "/runner", { runner: { host: "a", version: "1" } }],
  ["a claim that is no UUID", "/claim_id", { claim_id: "x", status: "in_progress" }],
  ["an abort without an end", "/abort", { abort: { signals: [], process_tree_ended: true } }],
  ["nine signals", "/abort/signals", aborted(Array(9).fill("INT"))],
  ["a signal that is none", "/abort/signals/0", aborted(["int; ls"])],
  ["an abort that leaves out how it went", "/abort/process_tree_ended", { status: "aborted", abort: { signals: [] } }],
  ["a reason without an abort", "/reason", { reason: "x" }],
  ["a sequence on a heartbeat", "/sequence", { sequence: 1 }],
  ["a sequence on a heartbeat that waits", "/sequence", { sequence: 1, attempt: 1, wait_seconds: 1 }],
  ["a log without an offset", "/log/offset", { log: { text: "" } }],
];

test.each(oddUpdates)("an update cannot have %s", async (_, field, body) => {
  expect(refusal(await plane.update(taskId, body))).toEqual([422, 42201, field]);
});

test("a category and a type have to be given", async () => {
  const answer = await plane.ask("/tasks", { method: "POST", token: plane.runner, body: {} });
  expect(refusal(answer)).toEqual([422, 42201, "/category", 42201, "/type"]);
});

test("every fault is told at once: first what was declared, then what does not go together", async () => {
  const declared = await plane.create({ id: "x", status: "failed", outcome: "success", duration_ms: -1, name: 7 });
  expect(refusal(declared)).toEqual([422, 42201, "/name", 42201, "/duration_ms"]);
  const further = await plane.create({ id: "x", status: "failed", outcome: "success", name: "" });
  expect(refusal(further)).toEqual([422, 42201, "/id", 42201, "/outcome", 42201, "/error", 42201, "/name"]);
});
