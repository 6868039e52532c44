import { describe, expect, test } from "bun:test";
import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import type { TaskRecord } from "../record";
import { readImportedLine } from "./import";

const now = Date.parse("2026-11-15T12:00:00Z");
const berlin = "3f2b8c1e-5d4a-4e6f-9a7b-0c1d2e3f4a5b";
const monitor = "5c0f1d2e-3b4a-4c5d-8e6f-7a8b9c0d1e2f";
const context = { now, unitIds: new Set([rootUnitId, berlin]), monitorIds: new Set([monitor]) };
const required = { category: "backup", type: "restic_backup", status: "completed" };

function read(fields: Record<string, unknown>) {
  return readImportedLine(JSON.stringify({ ...required, id: "a", ...fields }), context);
}

const error = { code: "a", message: "b", remedy: "c" };

const completed: TaskRecord = {
  id: "a",
  category: "backup",
  status: "completed",
  progress_percentage: 100,
  created_timestamp: "2026-11-15T12:00:00.000Z",
  type: "restic_backup",
  start_timestamp: "2026-11-15T12:00:00.000Z",
  end_timestamp: "2026-11-15T12:00:00.000Z",
  organizational_unit_id: rootUnitId,
  primary_entity: null,
  outcome: "success",
  error: null,
  is_abortable: false,
  last_heartbeat_timestamp: null,
  last_progress_timestamp: null,
};

test("what the API shows of a task is read as it is, its links left out", () => {
  const whole: TaskRecord = {
    ...completed,
    status: "failed",
    progress_percentage: 40,
    start_timestamp: "2026-11-15T12:01:00.000Z",
    end_timestamp: "2026-11-15T12:05:00.000Z",
    organizational_unit_id: berlin,
    primary_entity: { id: "host-7", type: "host", value: "db7.example.org" },
    outcome: "lost",
    error: { code: "runner_lost", message: "line one\nline two", remedy: "" },
    last_heartbeat_timestamp: "2026-11-15T12:04:00.000Z",
    last_progress_timestamp: "2026-11-15T12:03:00.000Z",
  };
  expect(read({ ...whole, _links: { self: { href: "/tasks/a" } } })).toEqual({ task: whole });
  const at = "2026-11-01T02:00:00.000Z";
  const reported: TaskRecord = {
    ...whole,
    name: "Nightly",
    operation: "nightly",
    progress_message: "done",
    attempt: 2,
    monitor_id: monitor,
    runner: { host: "web-01", version: "holdfast 1" },
    received_timestamp: at,
    revised_timestamp: at,
    abort: { requested_timestamp: at, requested_by: "x", reason: null, signals: ["INT"], process_tree_ended: true },
    late_report: { attempt: 1, status: "completed", received_timestamp: at },
  };
  expect(read({ ...reported, liveness: "silent", lease: null })).toEqual({ task: reported });
  expect(read({ ...whole, operation: whole.type })).toEqual({ task: whole });
});

describe("what a line leaves out follows from the rest:", () => {
  const unfinished: Partial<TaskRecord> = { progress_percentage: 0, outcome: null, end_timestamp: null };
  const cases: [string, Record<string, unknown>, Partial<TaskRecord>][] = [
    ["completed", {}, {}],
    ["completed, with nulls as the API writes them", { outcome: null, end_timestamp: null }, {}],
    ["queued", { status: "queued" }, { ...unfinished, status: "queued", start_timestamp: null }],
    ["in progress", { status: "in_progress" }, { ...unfinished, status: "in_progress" }],
    ["aborting", { status: "aborting" }, { ...unfinished, status: "aborting" }],
    [
      "failed",
      { status: "failed", error },
      { status: "failed", progress_percentage: 0, outcome: "error", error, start_timestamp: null },
    ],
    ["incomplete", { outcome: "warning", error }, { outcome: "warning", error }],
    [
      "aborted",
      { status: "aborted" },
      { status: "aborted", progress_percentage: 0, outcome: "cancelled", start_timestamp: null },
    ],
    [
      "an end in another time zone",
      { end_timestamp: "2026-11-01T02:00:00+02:00" },
      {
        created_timestamp: "2026-11-01T00:00:00.000Z",
        start_timestamp: "2026-11-01T00:00:00.000Z",
        end_timestamp: "2026-11-01T00:00:00.000Z",
      },
    ],
    [
      "ids in capitals",
      { id: berlin.toUpperCase(), organizational_unit_id: berlin.toUpperCase() },
      { id: berlin, organizational_unit_id: berlin },
    ],
  ];
  test.each(cases)("%s", (_, fields, expected) => {
    expect(read(fields)).toEqual({ task: { ...completed, ...expected } });
  });
});

test("a task without an id gets a new one each time", () => {
  const ids = [1, 2]
    .map(() => readImportedLine(JSON.stringify(required), context))
    .map((line) => "task" in line && line.task.id);
  expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(ids[1]).not.toEqual(ids[0]);
});

test("a text that looks like a field is no field", () => {
  const primary_entity = { id: 'a":', type: 'b" :', value: "c" };
  expect(read({ primary_entity })).toEqual({ task: { ...completed, primary_entity } });
});

describe("a line is bad that has", () => {
  const percent = "progress_percentage has to be a whole number from 0 to 100";
  const time = "created_timestamp has to be a timestamp such as 2026-11-01T02:00:00Z, from 1970 to 9999";
  const shortText = "has to be a text of 1 to 128 characters without control characters";
  const type = "type has to be a text of 1 to 128 characters without control characters";
  const cases: [string, Record<string, unknown>, string][] = [
    ["an unknown field", { colour: "red" }, 'there is no field "colour"'],
    [
      "an unknown field deeper down",
      { primary_entity: { id: "a", type: "b", value: "c", d: 1 } },
      'there is no field "primary_entity.d"',
    ],
    ["no type", { type: undefined }, type],
    ["an empty type", { type: "" }, type],
    [
      "an unknown category",
      { category: "lunch" },
      "category has to be one of backup, restore, snapshot, snapshot_restore, system, report_generation, management",
    ],
    [
      "an unknown status",
      { status: "done" },
      "status has to be one of queued, in_progress, aborting, completed, failed, aborted",
    ],
    ["half a percent", { progress_percentage: 0.5 }, percent],
    ["too much progress", { progress_percentage: 101 }, percent],
    ["progress as text", { progress_percentage: "50" }, percent],
    ["a day that does not exist", { created_timestamp: "2026-02-30T00:00:00Z" }, time],
    ["a time before 1970", { created_timestamp: "1969-12-31T23:59:59Z" }, time],
    ["a time without a zone", { created_timestamp: "2026-11-01T00:00:00" }, time],
    ["an empty id", { id: "" }, `id ${shortText}`],
    ["a long id", { id: "x".repeat(129) }, `id ${shortText}`],
    ["an id that leads elsewhere", { id: ".." }, "id has to be an id other than . and .."],
    ["a control character", { id: "a\u0000b" }, `id ${shortText}`],
    [
      "half a character",
      { primary_entity: { id: "a", type: "\ud800", value: "c" } },
      `primary_entity.type ${shortText}`,
    ],
    [
      "an entity that is text",
      { primary_entity: "host" },
      "primary_entity has to be an object with id, type and value, or null",
    ],
    [
      "an error without a remedy",
      { status: "failed", error: { code: "a", message: "b" } },
      "error.remedy has to be a text of 0 to 8192 characters without control characters except line breaks",
    ],
    ["a unit that is no UUID", { organizational_unit_id: "Berlin" }, "organizational_unit_id has to be a UUID"],
    [
      "a unit that is not there",
      { organizational_unit_id: "00000000-0000-0000-0000-000000000001" },
      "there is no organizational unit 00000000-0000-0000-0000-000000000001; see: holdfast unit list",
    ],
    [
      "a monitor that is not there",
      { monitor_id: "00000000-0000-4000-8000-000000000001" },
      "there is no monitor 00000000-0000-4000-8000-000000000001; create it first, or leave monitor_id out",
    ],
    [
      "an outcome before the end",
      { status: "in_progress", outcome: "success" },
      "outcome has to be null for a task that is in_progress",
    ],
    [
      "an outcome that belies the status",
      { outcome: "error" },
      "outcome has to be success or warning for a task that is completed",
    ],
    ["a success with an error", { error }, "error has to be null for a task whose outcome is success"],
    [
      "a failure without an error",
      { status: "failed", outcome: "missed" },
      "error has to be an object with code, message and remedy for a task that is failed",
    ],
    [
      "a warning without an error",
      { outcome: "warning", error: null },
      "error has to be an object with code, message and remedy for a task whose outcome is warning",
    ],
    [
      "an abort that was lost",
      { status: "aborted", outcome: "lost", error },
      "outcome has to be cancelled or error for a task that is aborted",
    ],
    [
      "a start before it started",
      { status: "queued", start_timestamp: "2026-11-01T00:00:00Z" },
      "start_timestamp has to be null for a task that is queued",
    ],
    [
      "an end before it ended",
      { status: "aborting", end_timestamp: "2026-11-01T00:00:00Z" },
      "end_timestamp has to be null for a task that is aborting",
    ],
    [
      "an end before the start",
      { start_timestamp: "2026-11-01T00:00:01Z", end_timestamp: "2026-11-01T00:00:00Z" },
      "end_timestamp has to be no earlier than start_timestamp",
    ],
    [
      "an end that can still be averted",
      { is_abortable: true },
      "is_abortable has to be false for a task that is completed",
    ],
    [
      "two faults",
      { progress_percentage: -1, organizational_unit_id: 7 },
      `${percent}; organizational_unit_id has to be a UUID`,
    ],
  ];
  test.each(cases)("%s", (_, fields, problem) => {
    expect(read(fields)).toEqual({ problem });
  });

  const notJson = "this is not JSON: write one task as one JSON object on one line";
  test.each([
    ["broken JSON", "{", notJson],
    ["a list", "[]", "a line has to be one JSON object"],
    ["null", "null", "a line has to be one JSON object"],
    ["a million brackets", "[".repeat(1_000_000), notJson],
    [
      "a field twice",
      '{"category":"backup","type":"a","status":"failed","status":"completed"}',
      'the field "status" is there twice',
    ],
    [
      "a prototype",
      '{"category":"backup","type":"a","status":"failed","__proto__":{}}',
      'there is no field "__proto__"',
    ],
  ])("%s", (_, json, problem) => {
    expect(readImportedLine(json, context)).toEqual({ problem });
  });
});
