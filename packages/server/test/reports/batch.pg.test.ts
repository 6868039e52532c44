import { afterAll, expect, test } from "bun:test";
import { recountTasks } from "../recount";
import { openReportingPlane } from "./reporting-plane";
import { leaseShown, refusal, someError, uuid } from "./shapes";

const plane = await openReportingPlane();
afterAll(plane.close);

let count = 0;
const nextId = () => uuid(++count);
const create = (id: string, body: object = {}) => ({
  operation: "create",
  task_id: id,
  body: { id, category: "backup", type: "restic_backup", ...body },
});
const update = (id: string, body: object) => ({ operation: "update", task_id: id, body });
const shownOf = async (id: string) => (await plane.read(id)).body;

test("reports of a batch apply in order, each is answered by itself, and the tasks are not shown", async () => {
  const [a, b, none] = [nextId(), nextId(), nextId()];
  const { status, body } = await plane.batch([
    create(a),
    update(a, { progress_percentage: 30, sequence: 1 }),
    create(b, { status: "completed" }),
    update(a, { progress_percentage: 50, sequence: 1 }),
    update(none, {}),
    update(a, { status: "completed", sequence: 2 }),
    update(a, { status: "failed", error: someError, sequence: 3 }),
    create(a),
    update(b, {}),
  ]);
  const unknown = { error_code: 40402, error_message: "There is no such task, or you may not see it." };
  const over = {
    error_code: 40906,
    error_message: "This task has ended: it is completed. Report other work as a new task.",
  };
  expect([status, body]).toEqual([
    200,
    {
      results: [
        { task_id: a, status: 201, lease: leaseShown() },
        { task_id: a, status: 200, lease: leaseShown({ sequence: 1 }) },
        { task_id: b, status: 201, lease: null },
        { task_id: a, status: 200, lease: leaseShown({ sequence: 1 }) },
        { task_id: none, status: 404, errors: [unknown] },
        { task_id: a, status: 200, lease: null },
        { task_id: a, status: 409, errors: [over] },
        { task_id: a, status: 200, lease: null },
        { task_id: b, status: 409, errors: [over] },
      ],
    },
  ]);
  expect(await shownOf(a)).toMatchObject({ status: "completed", late_report: { attempt: 1, status: "failed" } });
});

test("what is wrong with one body is that report's fault alone", async () => {
  const [a, b, c] = [nextId(), nextId(), nextId()];
  const { status, body } = await plane.batch([
    create(a, { progress_percentage: 101, nonsense: 1 }),
    create(b),
    update(b, { status: "failed" }),
    update(b, { sequence: 1 }),
    update(b, { status: "aborting" }),
    create(c, { organizational_unit_id: uuid(999) }),
    update(b, { progress_percentage: 5 }),
  ]);
  expect(status).toBe(200);
  expect(
    body.results.map((result: { status: number; errors?: object[] }) =>
      refusal({ status: result.status, body: result }),
    ),
  ).toEqual([
    [422, 42201, "/progress_percentage", 42201, "/nonsense"],
    [201],
    [422, 42201, "/error"],
    [422, 42201, "/sequence"],
    [422, 42201, "/status"],
    [403, 40301],
    [200],
  ]);
  expect((await plane.read(a)).status).toBe(404);
  expect((await shownOf(b)).progress_percentage).toBe(5);
});

test("an empty batch does nothing", async () => {
  const { status, body } = await plane.batch([]);
  expect([status, body]).toEqual([200, { results: [] }]);
});

test("500 reports are taken at once, and 501 are none", async () => {
  const ids = Array.from({ length: 500 }, nextId);
  const { body } = await plane.batch(ids.map((id) => create(id)));
  expect(body.results.map(({ task_id, status }: { task_id: string; status: number }) => [task_id, status])).toEqual(
    ids.map((id) => [id, 201]),
  );
  const beats = await plane.batch(ids.map((id) => update(id, {})));
  expect(new Set(beats.body.results.map(({ status }: { status: number }) => status))).toEqual(new Set([200]));
  const tooMany = await plane.batch([...ids, nextId()].map((id) => update(id, { status: "completed" })));
  expect(refusal(tooMany)).toEqual([422, 42201, "/reports"]);
  expect((await shownOf(ids[0] ?? "")).status).toBe("in_progress");
});

test("a batch that is no batch is refused whole, with every fault", async () => {
  const id = nextId();
  const wrong = [
    [{ reports: {} }, [422, 42201, "/reports"]],
    [{}, [422, 42201, "/reports"]],
    [{ reports: [], more: 1 }, [422, 42201, "/more"]],
    [
      { reports: [1] },
      [422, 42201, "/reports/0", 42201, "/reports/0/operation", 42201, "/reports/0/task_id", 42201, "/reports/0/body"],
    ],
    [{ reports: [create(id), { ...create(id), operation: "delete" }] }, [422, 42201, "/reports/1/operation"]],
    [{ reports: [{ ...create(id), operation: "delete" }] }, [422, 42201, "/reports/0/operation"]],
    [{ reports: [{ ...create(id), task_id: 7 }] }, [422, 42201, "/reports/0/task_id"]],
    [{ reports: [{ ...create(id), task_id: "x".repeat(129) }] }, [422, 42201, "/reports/0/task_id"]],
    [{ reports: [{ ...create(id), body: [] }] }, [422, 42201, "/reports/0/body"]],
    [{ reports: [{ ...create(id), at: 1 }] }, [422, 42201, "/reports/0/at"]],
  ] as const;
  for (const [body, expected] of wrong) {
    const answer = await plane.ask("/task-reports", { method: "POST", token: plane.runner, body });
    expect(refusal(answer)).toEqual([...expected]);
  }
  expect((await plane.read(id)).status).toBe(404);
});

test("a new task in a batch has its id in both places, alike, and a UUID", async () => {
  const [a, b] = [nextId(), nextId()];
  const { body: whole, ...others } = create(a);
  const { id: _, ...without } = whole;
  const { body } = await plane.batch([
    { ...others, body: without },
    { ...others, task_id: b, body: whole },
    { ...others, task_id: "backup-1", body: { ...without, id: "backup-1" } },
    { ...others, task_id: "backup-1", body: without },
    { ...others, task_id: a.toUpperCase(), body: whole },
  ]);
  expect(body.results.map((result: { status: number }) => refusal({ status: result.status, body: result }))).toEqual([
    [422, 42201, "/id"],
    [422, 42201, "/id"],
    [422, 42201, "/id"],
    [422, 42201, "/id"],
    [201],
  ]);
  expect(body.results.at(-1).task_id).toBe(a);
});

test("ids that no database stores are of tasks that are not there", async () => {
  const { body } = await plane.batch([update("a\u0000b", {}), update("\ud800", { status: "completed" })]);
  expect(body.results.map(({ status }: { status: number }) => status)).toEqual([404, 404]);
  expect(refusal(await plane.update("%00", {}))).toEqual([404, 40402]);
  expect(refusal(await plane.update("%00", { status: "completed" }))).toEqual([404, 40402]);
});

test("a batch is sent again without effect", async () => {
  const id = nextId();
  const reports = [
    create(id),
    update(id, { progress_percentage: 10, sequence: 1 }),
    update(id, { status: "completed", sequence: 2 }),
  ];
  await plane.batch(reports);
  const before = await shownOf(id);
  plane.step(60_000);
  const again = await plane.batch(reports);
  expect(again.body.results.map(({ status }: { status: number }) => status)).toEqual([200, 200, 200]);
  expect(await shownOf(id)).toEqual(before);
});

test("after all of this the counts are what the tasks give", async () => {
  const { kept, counted } = await plane.database.snapshot(recountTasks);
  expect(kept).toEqual(counted);
});
