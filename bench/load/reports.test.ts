import { expect, test } from "bun:test";
import type { TaskV1 } from "@holdfast/api/resources/tasks";
import { createReports, type Reports } from "./reports";

const task = (type: string, entity: TaskV1["primary_entity"]) =>
  ({ category: "backup", type, organizational_unit_id: "unit", primary_entity: entity }) as const;
const entity = { id: "e", type: "host", value: "web-1" };
const tasks = [task("restic_backup", entity), task("borg_prune", null)].map((one): TaskV1 => Object(one));

const many = ({ report }: Reports, count: number) => Array.from({ length: count }, (_, n) => report(n));
const bodyOf = ({ body }: { body?: string } = {}) => JSON.parse(body ?? "");
const begun = (options: Parameters<typeof createReports>[2]) => {
  const reports = createReports({ Authorization: "Bearer x" }, tasks, options);
  return { reports, batches: reports.begin().map(bodyOf) };
};

test("tasks start and end in turn, and the one that has run longest ends", () => {
  const { reports, batches } = begun({ runs: 3 });
  const ids: string[] = batches[0].reports.map(({ task_id }: { task_id: string }) => task_id);
  const sent = many(reports, 6);
  expect(sent.map(({ kind }) => kind)).toEqual(["start", "end", "start", "end", "start", "end"]);
  expect(sent.filter(({ kind }) => kind === "end").map(({ request }) => request.path)).toEqual(
    ids.map((id) => `/tasks/${id}`),
  );
});

test("a report is about the items and kinds of known tasks", () => {
  const [first, , second] = many(begun({ runs: 2 }).reports, 3);
  expect(bodyOf(first?.request)).toMatchObject({ type: "restic_backup", primary_entity: entity });
  expect(bodyOf(second?.request)).not.toHaveProperty("primary_entity");
  expect(first?.request.headers).toEqual({ Authorization: "Bearer x", "Content-Type": "application/json" });
});

test("a hundred reports have as many heartbeats and as much progress as was asked for", () => {
  const kinds = many(begun({ heartbeats: 80, progress: 15 }).reports, 1_000).map(({ kind }) => kind);
  const count = (kind: string) => kinds.filter((one) => one === kind).length;
  expect(["heartbeat", "progress", "start", "end"].map(count)).toEqual([800, 150, 25, 25]);
});

test("tasks begin and end in batches that the service takes, and all of them end", () => {
  const { reports, batches } = begun({ runs: 700 });
  const sizes = (all: { reports: unknown[] }[]) => all.map((batch) => batch.reports.length);
  expect(sizes(batches)).toEqual([500, 200]);
  many(reports, 101);
  expect(sizes(reports.end().map(bodyOf))).toEqual([500, 201]);
  expect(reports.end()).toEqual([]);
});
