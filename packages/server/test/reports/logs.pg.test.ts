import { afterAll, describe, expect, test } from "bun:test";
import { removeOldLogs } from "../../src/resources/tasks/logs/log-retention";
import type { Answered } from "../harness";
import { openReportingPlane } from "./reporting-plane";

const plane = await openReportingPlane();
afterAll(plane.close);
const { token: owner } = await plane.serviceToken("owner");

const begin = async (body: object = {}): Promise<string> => (await plane.create(body)).body.id;
const append = (id: string, body: object, token = plane.runner) =>
  plane.ask(`/tasks/${id}/log`, { method: "POST", token, body });
const readLog = (id: string, query = "", accept?: string) =>
  plane.ask(`/tasks/${id}/log${query}`, { token: owner, ...(accept === undefined ? {} : { accept }) });
const codes = ({ status, body }: Answered) => [
  status,
  ...body.errors.map((one: { error_code: number }) => one.error_code),
];

describe("append-task-log", () => {
  test("adds text, and says how long the log is in bytes", async () => {
    const id = await begin();
    const answer = await append(id, { offset: 0, text: "grün\n" });
    expect([answer.status, answer.body]).toEqual([200, { log_size: 6 }]);
    expect((await readLog(id)).body).toEqual({
      task_id: id,
      offset: 0,
      text: "grün\n",
      next_offset: 6,
      size: 6,
      dropped: null,
      is_complete: false,
      _links: {
        self: { href: `/tasks/${id}/log`, templated: false, type: "get" },
        task: { href: `/tasks/${id}`, templated: false, type: "get" },
      },
    });
  });

  test("passes over what is known, so that sending it again does nothing", async () => {
    const id = await begin();
    const sent = [
      { offset: 0, text: "one\ntwo\n" },
      { offset: 0, text: "one\ntwo\n" },
      { offset: 4, text: "two\nthree\n" },
      { offset: 0, text: "one\n" },
    ];
    const sizes = [];
    for (const piece of sent) sizes.push((await append(id, piece)).body.log_size);
    expect(sizes).toEqual([8, 8, 14, 14]);
    expect((await readLog(id)).body.text).toBe("one\ntwo\nthree\n");
  });

  test("refuses a gap and says where the log ends, unless the bytes between are said to be gone", async () => {
    const id = await begin();
    await append(id, { offset: 0, text: "one\n" });
    const gap = await append(id, { offset: 10, text: "later\n" });
    expect([...codes(gap), gap.headers.get("upload-offset")]).toEqual([409, 40911, "4"]);
    expect((await append(id, { offset: 10, text: "later\n", gap: true })).body).toEqual({ log_size: 16 });
    const { body } = await readLog(id, "?offset=4");
    expect([body.offset, body.text, body.dropped]).toEqual([10, "later\n", { from: 4, to: 10 }]);
  });

  test("refuses what cannot be stored, and what is too much", async () => {
    const id = await begin();
    const refused = [
      { offset: 0, text: "a\0b" },
      { offset: 0, text: "\ud800" },
      { offset: 0, text: "ü".repeat(131_073) },
      { offset: -1, text: "" },
      { text: "" },
    ];
    for (const piece of refused) expect(codes(await append(id, piece))).toEqual([422, 42201]);
    await append(id, { offset: 0, text: "ü" });
    expect(codes(await append(id, { offset: 1, text: "üx" }))).toEqual([422, 42201]);
  });

  test("is for the holder of the task, and for an hour after its end", async () => {
    const id = await begin();
    const other = (await plane.serviceToken("operator")).token;
    expect(codes(await append(id, { offset: 0, text: "x" }, other))).toEqual([409, 40909]);
    await plane.update(id, { status: "completed" });
    plane.step(3_500_000);
    expect((await append(id, { offset: 0, text: "last words\n" })).body).toEqual({ log_size: 11 });
    expect((await readLog(id)).body.is_complete).toBe(true);
    plane.step(200_000);
    expect(codes(await append(id, { offset: 11, text: "x" }))).toEqual([409, 40906]);
  });

  test("is a sign of life, and revives a lost task", async () => {
    const id = await begin({ lease_seconds: 30 });
    await plane.pass(32);
    expect((await plane.read(id)).body.outcome).toBe("lost");
    await append(id, { offset: 0, text: "still here\n" });
    expect((await plane.read(id)).body.status).toBe("in_progress");
  });

  test("comes with a report, too, which is refused whole when its log has a gap", async () => {
    const id = await begin({ log: { offset: 0, text: "begin\n" } });
    expect(codes(await plane.update(id, { progress_percentage: 50, log: { offset: 100, text: "x" } }))).toEqual([
      409, 40911,
    ]);
    expect((await plane.read(id)).body.progress_percentage).toBe(0);
    const { body } = await plane.update(id, { status: "completed", log: { offset: 6, text: "end\n" } });
    expect([body.status, (await readLog(id)).body.text]).toEqual(["completed", "begin\nend\n"]);
  });

  test("of a batch is answered with the size, and with where a gap begins", async () => {
    const id = await begin();
    const { body } = await plane.batch([
      { operation: "log", task_id: id, body: { offset: 0, text: "abc" } },
      { operation: "log", task_id: id, body: { offset: 9, text: "x" } },
    ]);
    expect(body.results).toEqual([
      { task_id: id, status: 200, log_size: 3 },
      { task_id: id, status: 409, log_size: 3, errors: [expect.objectContaining({ error_code: 40911 })] },
    ]);
  });
});

describe("read-task-log", () => {
  test("a task without a log has an empty one and no link to it", async () => {
    const id = await begin();
    expect((await readLog(id)).body).toMatchObject({ text: "", size: 0, next_offset: 0, dropped: null });
    expect((await plane.read(id)).body._links.log).toBeUndefined();
    await append(id, { offset: 0, text: "x" });
    expect((await plane.read(id)).body._links.log).toEqual({ href: `/tasks/${id}/log`, templated: false, type: "get" });
  });

  test("reads parts that end between characters, and the end", async () => {
    const id = await begin();
    await append(id, { offset: 0, text: "aüb\u{1f600}c" });
    const parts = await Promise.all(
      ["?limit=2", "?offset=2", "?offset=4&limit=1", "?tail=2", "?offset=99"].map((query) => readLog(id, query)),
    );
    expect(parts.map(({ body }) => [body.offset, body.text, body.next_offset])).toEqual([
      [0, "a", 1],
      [3, "b\u{1f600}c", 9],
      [4, "\u{1f600}", 8],
      [8, "c", 9],
      [9, "", 9],
    ]);
  });

  test("the end is what stands behind the last gap, and says what is missing before it", async () => {
    const id = await begin();
    await append(id, { offset: 0, text: "first\n" });
    await append(id, { offset: 10, text: "middle\n", gap: true });
    await append(id, { offset: 30, text: "FATAL\n", gap: true });
    const parts = await Promise.all(
      ["?tail=1000", "?tail=22", "?tail=12", "?tail=4"].map((query) => readLog(id, query)),
    );
    expect(parts.map(({ body }) => [body.offset, body.text, body.next_offset, body.dropped])).toEqual([
      [30, "FATAL\n", 36, { from: 17, to: 30 }],
      [30, "FATAL\n", 36, { from: 17, to: 30 }],
      [30, "FATAL\n", 36, { from: 24, to: 30 }],
      [32, "TAL\n", 36, null],
    ]);
    const { text } = await readLog(id, "", "text/plain");
    expect(text).toBe("first\n\n[4 bytes are missing here]\nmiddle\n\n[13 bytes are missing here]\nFATAL\n");
  });

  test("the end of a log in many small pieces reaches its end", async () => {
    const id = await begin();
    // With a gap between each, so that they are not joined.
    const pieces = Array.from({ length: 300 }, (_, at) => ({ offset: at * 10, text: "piece\n", gap: true }));
    await plane.batch(pieces.map((body) => ({ operation: "log", task_id: id, body })));
    const { body } = await readLog(id, "?tail=100000");
    expect([body.offset, body.text, body.next_offset, body.size]).toEqual([2990, "piece\n", 2996, 2996]);
  });

  test("refuses parameters that make no sense", async () => {
    const id = await begin();
    const answers = await Promise.all(
      ["?offset=-1", "?limit=x", "?tail=1&offset=2", "?nonsense=1"].map((query) => readLog(id, query)),
    );
    expect(answers.map(codes)).toEqual([
      [400, 40003],
      [400, 40003],
      [400, 40003],
      [400, 40001],
    ]);
  });

  test("is 304 while nothing is added", async () => {
    const id = await begin();
    const etag = (await readLog(id)).headers.get("etag") ?? "";
    const again = () => plane.ask(`/tasks/${id}/log`, { token: owner, headers: { "If-None-Match": etag } });
    expect((await again()).status).toBe(304);
    await append(id, { offset: 0, text: "x" });
    expect((await again()).status).toBe(200);
  });

  test("T34: hostile bytes come back as text to save, which no browser shows", async () => {
    const id = await begin();
    const hostile = "<script>alert(1)</script>\u001b]0;title\u0007\u202e\r\n";
    await append(id, { offset: 0, text: hostile });
    const answer = await readLog(id, "", "text/plain");
    expect([answer.status, answer.text]).toEqual([200, hostile]);
    expect(
      ["content-type", "content-disposition", "x-content-type-options", "content-security-policy"].map((name) =>
        answer.headers.get(name),
      ),
    ).toEqual([
      "text/plain; charset=utf-8",
      `attachment; filename="task-${id}.log"`,
      "nosniff",
      "default-src 'none'; frame-ancestors 'none'",
    ]);
  });

  test("chooses the kind by Accept, and has no others", async () => {
    const id = await begin();
    const kinds = ["text/plain;q=0.5, application/json", "application/json;q=0.5, text/plain", "*/*", "text/html"];
    const answers = await Promise.all(kinds.map((accept) => readLog(id, "", accept)));
    expect(answers.map(({ status, headers }) => [status, headers.get("content-type")])).toEqual([
      [200, "application/api.svc.tasks=v1+json"],
      [200, "text/plain; charset=utf-8"],
      [200, "application/api.svc.tasks=v1+json"],
      [406, "application/json"],
    ]);
  });

  test("is for those who may see the task", async () => {
    const id = await begin();
    const unit = await plane.addUnit("Elsewhere");
    const { token } = await plane.serviceToken("viewer", unit);
    const answers = await Promise.all(
      ["text/plain", "*/*"].map((accept) => plane.ask(`/tasks/${id}/log`, { token, accept })),
    );
    expect(answers.map(codes)).toEqual([
      [404, 40402],
      [404, 40402],
    ]);
    expect(codes(await plane.ask(`/tasks/${id}/log`, { token: plane.runner }))).toEqual([403, 40302]);
  });
});

test("logs go after their days, those of success sooner, and the link with them", async () => {
  const ends = [{ status: "completed" }, { status: "failed", error: { code: "broken", message: "It broke." } }];
  const ids = await Promise.all(ends.map((end) => begin({ ...end, log: { offset: 0, text: "text" } })));
  const sizes = async () => (await Promise.all(ids.map((id) => readLog(id)))).map(({ body }) => body.size);
  const remove = (days: number) =>
    removeOldLogs(plane.database, {
      days: { success: 30, others: 180 },
      now: plane.clock.now + days * 86_400_000,
      signal: new AbortController().signal,
    });
  await remove(29);
  expect(await sizes()).toEqual([4, 4]);
  await remove(31);
  expect(await sizes()).toEqual([0, 4]);
  const links = await Promise.all(ids.map(async (id) => (await plane.read(id)).body._links.log !== undefined));
  expect(links).toEqual([false, true]);
});
