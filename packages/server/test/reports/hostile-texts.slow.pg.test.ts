import { afterAll, expect, test } from "bun:test";
import { textLimits } from "@holdfast/api/conventions/text-limits";
import { createApp } from "../../src/http/app";
import { type Answered, readAnswer, walk } from "../harness";
import { someOnPostgres } from "../runs";
import { readStrictly } from "../streams/read-strictly";
import { becomesSaid, begin, logFields, textFields } from "./hostile-fields";
import { countHardToStore, hostileBytes, hostileTexts } from "./hostile-texts";
import { openReportingPlane } from "./reporting-plane";
import { refusal, uuid } from "./shapes";

const plane = await openReportingPlane();
const { token: owner } = await plane.serviceToken("owner");
const texts = someOnPostgres(countHardToStore, hostileTexts);
let count = 0;

const stream = await plane.request("/task-events?snapshot=false", { token: owner });
const received: Uint8Array[] = [];
const reader = stream.body?.getReader();
const ended = receive();
afterAll(async () => {
  await reader?.cancel();
  await ended;
  await plane.close();
});

async function receive(): Promise<void> {
  const part = await reader?.read();
  received.push(...(part?.value ? [part.value] : []));
  return part?.done === false ? receive() : undefined;
}

/** Every text in every field, each in a task of its own, and what should become of it. */
const trialsOf = <Field extends (typeof logFields)[number]>(fields: readonly Field[]) =>
  fields.flatMap((field) =>
    texts.map((text) => ({ id: uuid(++count), field, text: text.text, expected: field.becomes(text) })),
  );
const inTasks = trialsOf(textFields);
const inLogs = trialsOf(logFields);
const reasons = texts.map((text) => ({
  id: uuid(++count),
  text: text.text,
  expected: becomesSaid(text, textLimits.abortReason),
}));
const taken = inTasks.filter(({ expected }) => expected !== null);
const takenLogs = inLogs.filter(({ expected }) => expected !== null);

interface Result {
  status: number;
  lease?: { abort_reason: string | null };
  errors?: object[];
}

/** Sends reports in batches that are small enough, and gives their results. */
async function send(reports: object[]): Promise<Result[]> {
  const results: Result[] = [];
  for (let from = 0; from < reports.length; from += 250) {
    const { status, body } = await plane.batch(reports.slice(from, from + 250));
    expect([from, status]).toEqual([from, 200]);
    results.push(...body.results);
  }
  return results;
}

/** Finds answers that differ from the expected ones, in a form that shows which character it is. */
function otherwise(answers: readonly { what: unknown[]; got: unknown; expected: unknown }[]): string[] {
  return answers
    .map(({ what, got, expected }) => [what, got, expected].map((one) => JSON.stringify(one)))
    .filter(([, got, expected]) => got !== expected)
    .map(([what, got, expected]) => `${what}: ${got} instead of ${expected}`);
}

const sent = [...inTasks, ...inLogs];
const results = await send([
  ...sent.flatMap(({ id, field, text }) => field.reports(id, text)),
  ...reasons.map(({ id }) => begin(id)),
]);
/** Tasks of which at least the first report was taken. */
const accepted = [
  ...sent.filter(({ id, field, text, expected }) => expected !== null || field.reports(id, text).length > 1),
  ...reasons,
].map(({ id }) => id);
const asked: Answered[] = [];
for (const { id, text } of reasons) {
  asked.push(await plane.update(id, { status: "aborting", reason: text }, { token: owner }));
}
/** Tasks by id, as they are shown. */
const listed = new Map<string, { abort?: { reason: string | null } }>();
for (const item of await walk(plane, "/tasks?limit=1000", { token: owner })) listed.set(item.id, item);
const reasonOf = (task: { abort?: { reason: string | null } } | undefined) => task?.abort?.reason ?? null;

test("T34: a hostile text is taken, or refused for its field alone, and no report beside it suffers", () => {
  let at = 0;
  const answers = sent.flatMap(({ id, field, text, expected }) =>
    field.reports(id, text).map((_, index, { length }) => {
      const result = results[at++];
      const isLast = index === length - 1;
      const good = index === 0 ? [201] : [200];
      return {
        what: [field.field, text],
        got: refusal({ status: result?.status ?? 0, body: result ?? {} }),
        expected: isLast && expected === null ? [422, 42201, field.field] : good,
      };
    }),
  );
  expect(otherwise(answers)).toEqual([]);
});

test("T34: the list and the task itself show a text as the field is documented to", async () => {
  const answers = [];
  for (const { id, field, text, expected } of taken) {
    const { status, body } = await plane.read(id);
    const what = [field.field, text];
    answers.push({ what, got: [status, field.read(body)], expected: [200, expected] });
    answers.push({ what, got: listed.get(id), expected: body });
  }
  expect(otherwise(answers)).toEqual([]);
});

test("T34: a log has exactly the bytes that were sent, as JSON and as a file that no browser shows", async () => {
  const answers = [];
  for (const { id, text, expected, field } of takenLogs) {
    const json = await plane.ask(`/tasks/${id}/log`, { token: owner });
    const file = await plane.request(`/tasks/${id}/log`, { token: owner, accept: "text/plain" });
    const names = ["content-type", "content-disposition", "x-content-type-options", "content-security-policy"];
    const size = Buffer.byteLength(text);
    const bytes = Buffer.from(await file.arrayBuffer()).toString("hex");
    answers.push({
      what: [field.field, text],
      got: [
        json.status,
        json.body.text,
        json.body.size,
        file.status,
        bytes,
        names.map((name) => file.headers.get(name)),
      ],
      expected: [
        ...[200, expected, size, 200, Buffer.from(expected ?? "").toString("hex")],
        [
          "text/plain; charset=utf-8",
          `attachment; filename="task-${id}.log"`,
          "nosniff",
          "default-src 'none'; frame-ancestors 'none'",
        ],
      ],
    });
  }
  expect(otherwise(answers)).toEqual([]);
});

test("T34: a filter finds the text that is shown, and takes one that no task has without harm", async () => {
  const answers = [];
  for (const { id, field, text, expected } of inTasks.filter((one) => one.field.filter !== undefined)) {
    const filter = encodeURIComponent(JSON.stringify({ [field.filter ?? ""]: expected ?? text }));
    const { status, body } = await plane.ask(`/tasks?limit=1000&filter=${filter}`, { token: owner });
    const found: { id: string }[] = body._embedded?.items ?? [];
    const isTooLong = text.length > 8000;
    answers.push({
      what: [field.filter, text],
      got: [status < 300, status < 500, found.some((item) => item.id === id), found.map(field.read)],
      expected: [!isTooLong, true, expected !== null, found.map(() => expected)],
    });
  }
  expect(otherwise(answers)).toEqual([]);
});

test("T34: the reason of an abort comes to the list, the runner and the audit trail as it is documented", async () => {
  const beats = await send(reasons.map(({ id }) => ({ operation: "update", task_id: id, body: {} })));
  const { body } = await plane.ask("/audit-events?limit=1000", { token: owner });
  const events = new Map<string, { after: { reason: string | null } | null }>();
  for (const event of body._embedded.items) events.set(event.object.id, event);
  const answers = reasons.map(({ id, text, expected }, index) => {
    // A refused request for an abort leaves none; a reason of which nothing can be shown is none.
    const reason = expected === null || expected === "" ? null : expected;
    const after = events.get(id)?.after?.reason ?? null;
    return {
      what: [text],
      got: [asked[index]?.status, reasonOf(listed.get(id)), beats[index]?.lease?.abort_reason, after],
      expected: [expected === null ? 422 : 200, reason, reason, reason],
    };
  });
  expect(otherwise(answers)).toEqual([]);
});

test("T34: the stream is whole events, and the last of each task is the task as the list shows it", async () => {
  const known = () => new Map<string, object>(readStrictly(Buffer.concat(received)).map(({ data }) => [data.id, data]));
  const compare = () => {
    const heard = known();
    return otherwise(accepted.map((id) => ({ what: [id], got: heard.get(id), expected: listed.get(id) })));
  };
  for (const deadline = performance.now() + 60_000; compare().length > 0 && performance.now() < deadline; ) {
    await Bun.sleep(100);
  }
  expect(listed.size).toBe(accepted.length);
  expect(compare()).toEqual([]);
});

const app = createApp(plane.service);
/** Sends a body as it is. */
async function post(path: string, body: Uint8Array<ArrayBuffer>): Promise<Answered> {
  const headers = { Authorization: `Bearer ${plane.runner}`, "Content-Type": "application/json" };
  return readAnswer(await app.request(`http://localhost${path}`, { method: "POST", headers, body }, { peer: "" }));
}

test.each([...textFields, ...logFields])(
  "T34: bytes that are no UTF-8 in $field refuse the whole request",
  async (field) => {
    for (const bytes of hostileBytes) {
      const id = uuid(++count);
      const [before = "", after = ""] = JSON.stringify({ reports: field.reports(id, "HERE") }).split("HERE");
      const body = Uint8Array.from([...Buffer.from(`${before}a`), ...bytes, ...Buffer.from(`b${after}`)]);
      expect([bytes, ...refusal(await post("/task-reports", body))]).toEqual([bytes, 400, 40015]);
      expect((await plane.read(id)).status).toBe(404);
    }
  },
);

test("T34: a key that every object has is an unknown field, and changes no object", async () => {
  const names = ["__proto__", "constructor", "toString", "hasOwnProperty"];
  for (const name of names) {
    const body = `{"category":"backup","type":"x","${name}":{"name":"polluted"}}`;
    expect([name, ...refusal(await post("/tasks", Uint8Array.from(Buffer.from(body))))]).toEqual([
      ...[name, 422, 42201],
      `/${name}`,
    ]);
  }
  expect([Object.keys(Object.prototype), "name" in {}]).toEqual([[], false]);
});
