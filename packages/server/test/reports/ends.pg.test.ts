import { afterAll, describe, expect, test } from "bun:test";
import { openReportingPlane } from "./reporting-plane";
import { refusal, someError } from "./shapes";

const plane = await openReportingPlane();
afterAll(plane.close);

/** Ends of a task: the error is there, missing, or either. */
const fitting: { status: string; outcome?: string; error: "needed" | "forbidden" | "either"; ends: string }[] = [
  { status: "completed", error: "forbidden", ends: "success" },
  { status: "completed", outcome: "success", error: "forbidden", ends: "success" },
  { status: "completed", outcome: "warning", error: "needed", ends: "warning" },
  { status: "failed", error: "needed", ends: "error" },
  { status: "failed", outcome: "error", error: "needed", ends: "error" },
  { status: "failed", outcome: "lost", error: "needed", ends: "lost" },
  { status: "aborted", error: "either", ends: "cancelled" },
  { status: "aborted", outcome: "cancelled", error: "either", ends: "cancelled" },
  { status: "aborted", outcome: "error", error: "either", ends: "error" },
];
const outcomes = ["success", "warning", "error", "cancelled", "lost", "expired", "missed"];

/** Both ways to say an end: at once with the task, or later. */
const roads: [string, (end: object) => ReturnType<typeof plane.create>][] = [
  ["a task that is reported at its end", (end) => plane.create(end)],
  ["a task that runs", async (end) => plane.update((await plane.create({})).body.id, end)],
];

describe.each(roads)("%s", (_, say) => {
  test.each(fitting)("is $status with $outcome: its error is $error", async ({ status, outcome, error, ends }) => {
    const end = { status, ...(outcome === undefined ? {} : { outcome }) };
    const wrong = [422, 42201, "/error"];
    const withError = await say({ ...end, error: someError });
    const without = await say(end);
    const withNull = await say({ ...end, error: null });
    const shown = ({ body }: typeof without) => [body.status, body.outcome, body.error];
    expect(error === "forbidden" ? refusal(withError) : shown(withError)).toEqual(
      error === "forbidden" ? wrong : [status, ends, someError],
    );
    for (const answer of [without, withNull]) {
      expect(error === "needed" ? refusal(answer) : shown(answer)).toEqual(
        error === "needed" ? wrong : [status, ends, null],
      );
    }
  });

  test.each(["completed", "failed", "aborted"])("is not %s with an outcome that does not fit", async (status) => {
    const fits = fitting.filter((one) => one.status === status).flatMap(({ outcome }) => outcome ?? []);
    for (const outcome of outcomes.filter((one) => !fits.includes(one))) {
      const answer = await say({ status, outcome, error: status === "completed" ? null : someError });
      expect([outcome, ...refusal(answer).slice(0, 3)]).toEqual([outcome, 422, 42201, "/outcome"]);
    }
  });

  test("has neither an outcome nor an error while it runs", async () => {
    expect(refusal(await say({ status: "in_progress", outcome: "success" }))).toEqual([422, 42201, "/outcome"]);
    expect(refusal(await say({ status: "in_progress", error: someError }))).toEqual([422, 42201, "/error"]);
    expect(refusal(await say({ outcome: "error", error: someError }))).toEqual([
      422,
      42201,
      "/outcome",
      42201,
      "/error",
    ]);
    expect((await say({ status: "in_progress", error: null })).body.error).toBeNull();
  });
});

test("a percentage becomes 100 when a task is completed, and stays otherwise", async () => {
  for (const [status, percentage] of [
    ["completed", 100],
    ["failed", 40],
    ["aborted", 40],
  ] as const) {
    const { body } = await plane.create({ progress_percentage: 40 });
    const error = status === "failed" ? { error: someError } : {};
    const answer = await plane.update(body.id, { status, ...error });
    expect([answer.body.status, answer.body.progress_percentage]).toEqual([status, percentage]);
  }
});

test("what was done to stop a run on its host is told with its end", async () => {
  const { body } = await plane.create({});
  const abort = { signals: ["INT", "KILL"], process_tree_ended: true };
  const ended = await plane.update(body.id, { status: "aborted", abort });
  expect(ended.body.abort).toEqual({ requested_timestamp: null, requested_by: null, reason: null, ...abort });
});
