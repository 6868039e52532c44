import { afterAll, expect, test } from "bun:test";
import { ApiError, refuse } from "@holdfast/api/conventions/api-error";
import { textField } from "@holdfast/api/conventions/body-fields";
import type { ReportOperation, Resource } from "@holdfast/api/conventions/operation";
import { describeApi } from "@holdfast/api/openapi";
import { z } from "zod";
import type { Queries } from "../../src/database/database";
import { createAppOf } from "../../src/http/app";
import { operationEndpoints } from "../../src/http/endpoints/operation-endpoints";
import { checkBody } from "../../src/operations/check-body";
import { type ReportImplementation, writeReport } from "../../src/operations/report";
import { createReportBatcher } from "../../src/operations/report-batcher";
import { renderDocsPage } from "../../src/pages/docs-page";
import { type Ask, openPlane, readAnswer, root } from "../harness";

const body = z.object({ key: textField(50).describe("What is counted."), is_odd: z.boolean().default(false) });
const item = z.object({ key: z.string(), unit: z.string(), by: z.string() });

/** A report of the test's own: it writes a row, and says so. */
const operation: ReportOperation = {
  id: "report-pulse",
  kind: "report",
  method: "post",
  path: "/pulses/{pulse_id}",
  permission: "tasks:report",
  summary: "Say that something is alive.",
  body,
  status: 201,
  item,
};
const pulses: Resource = {
  name: "pulses",
  description: "Pulses.",
  versions: [{ version: 1, operations: [operation] }],
};

type Pulse = z.infer<typeof body>;

/** Writes pulses. An odd one is refused, and the others are written. */
async function writePulses(db: Queries, pulses: readonly Pulse[]): Promise<(boolean | ApiError)[]> {
  const results = [];
  for (const { key, is_odd } of pulses) {
    const known = await db.selectFrom("sign_in_failures").select("key").where("key", "=", key).executeTakeFirst();
    const refusal = is_odd && refuse("alreadyThere", "This is odd. Send something even.");
    if (!known && !refusal) await db.insertInto("sign_in_failures").values({ key, failures: 1, last_at: 0 }).execute();
    results.push(refusal || known !== undefined);
  }
  return results;
}

const plane = await openPlane();
afterAll(plane.close);
const queue = createReportBatcher(plane.database, writePulses);
const reportPulse: ReportImplementation = (call, sent) => {
  const pulse = checkBody(body, sent);
  return writeReport(plane.database, queue, call, {
    items: [pulse],
    canWait: false,
    answer([isRepeated]) {
      if (isRepeated instanceof ApiError) throw isRepeated;
      const shown = { key: pulse.key, unit: call.scope.unitId, by: call.caller.kind };
      return {
        body: JSON.stringify(shown),
        location: `/pulses/${call.variables.pulse_id}`,
        isRepeated: isRepeated === true,
      };
    },
    onCommitted: () => {},
  });
};
const app = createAppOf(
  plane.service,
  operationEndpoints(plane.service, {
    resources: [pulses],
    reads: {},
    domainOfRead: {},
    changes: {},
    reports: { "report-pulse": reportPulse },
  }),
);
const [operator, viewer] = [(await plane.serviceToken("operator")).token, (await plane.serviceToken("viewer")).token];

async function report(sent: unknown, { token = operator, headers = {} }: Ask = {}, query = "") {
  const given = { Authorization: `Bearer ${token}`, "Content-Type": "application/json", ...headers };
  const init = { method: "POST", headers: given, body: JSON.stringify(sent) };
  return readAnswer(await app.request(`http://localhost/pulses/x${query}`, init));
}

const rows = (key: string) =>
  plane.database.snapshot(
    async (db) => (await db.selectFrom("sign_in_failures").selectAll().where("key", "=", key).execute()).length,
  );

test("a report is answered with its item, in its media type and without an ETag", async () => {
  const answer = await report({ key: "first" });
  expect([answer.status, answer.body]).toEqual([201, { key: "first", unit: root, by: "service" }]);
  expect(["content-type", "location", "etag"].map((name) => answer.headers.get(name))).toEqual([
    "application/api.svc.pulses=v1+json",
    "/pulses/x",
    null,
  ]);
  expect(await rows("first")).toBe(1);
});

test("a report that had been written before is answered with 200", async () => {
  const answers = [await report({ key: "twice" }), await report({ key: "twice" })];
  expect(answers.map(({ status, body }) => [status, body.key])).toEqual([
    [201, "twice"],
    [200, "twice"],
  ]);
});

test("a refused report leaves nothing behind, and those beside it are written", async () => {
  const keys = ["even-1", "odd", "even-2"];
  const answers = await Promise.all(keys.map((key) => report({ key, is_odd: key === "odd" })));
  expect(answers.map(({ status }) => status)).toEqual([201, 409, 201]);
  expect(await Promise.all(keys.map(rows))).toEqual([1, 0, 1]);
});

test("a report needs its permission, and is checked like every body", async () => {
  const answers = [
    await report({ key: "a" }, { token: "none" }),
    await report({ key: "a" }, { token: viewer }),
    await report({ key: "a" }, {}, "?nonsense=1"),
    await report({ key: "a", nonsense: 1 }),
    await report([]),
  ];
  expect(answers.map(({ status, body }) => [status, body.errors[0].error_code])).toEqual([
    [401, 40102],
    [403, 40302],
    [400, 40001],
    [422, 42201],
    [400, 40015],
  ]);
  expect(await rows("a")).toBe(0);
});

test("a report with an Idempotency-Key is done once and answered the same again", async () => {
  const keyed = { headers: { "Idempotency-Key": "k1" } };
  const answers = [await report({ key: "keyed" }, keyed), await report({ key: "keyed" }, keyed)];
  expect(answers.map(({ status, text }) => [status, text])).toEqual([
    [201, answers[0]?.text ?? ""],
    [201, answers[0]?.text ?? ""],
  ]);
  const other = await report({ key: "other" }, keyed);
  expect([other.status, other.body.errors[0].error_code]).toEqual([409, 40903]);
});

test("a report is no audit event", async () => {
  const count = () => plane.database.snapshot((db) => db.selectFrom("audit_events").select("number").execute());
  const before = await count();
  await report({ key: "unaudited" });
  expect(await count()).toEqual(before);
});

test("discovery shows a report to those who may send it, and to no others", async () => {
  const discover = async (token: string) =>
    (await readAnswer(await app.request("http://localhost/", { headers: { Authorization: `Bearer ${token}` } }))).body;
  expect(await discover(operator)).toEqual({
    pulses: {
      supported_versions: ["v1"],
      v1: { "report-pulse": { href: "/pulses/{pulse_id}", type: "post", templated: true } },
    },
  });
  expect(await discover(viewer)).toEqual({});
});

const described = {
  vendor: "svc",
  baseUrl: "http://holdfast.test",
  version: "1",
  pageSizes: { default: 1, maximum: 2 },
};

test("the OpenAPI document has the body, the answers and the headers of a report", () => {
  const { paths } = z
    .object({
      paths: z.record(
        z.string(),
        z.record(z.string(), z.looseObject({ responses: z.record(z.string(), z.unknown()) })),
      ),
    })
    .parse(describeApi(described, [pulses]));
  const shown = paths["/pulses/{pulse_id}"]?.post;
  expect(shown?.requestBody).toEqual({
    required: true,
    content: { "application/json": { schema: { $ref: "#/components/schemas/report-pulse_v1_body" } } },
  });
  const content = { "application/api.svc.pulses=v1+json": { schema: { $ref: "#/components/schemas/pulses_v1" } } };
  expect([shown?.responses[200], shown?.responses[201]]).toEqual([
    expect.objectContaining({ content }),
    expect.objectContaining({ content, headers: expect.objectContaining({ Location: expect.anything() }) }),
  ]);
  expect(Object.keys(shown?.responses ?? {})).toEqual(
    "200 201 400 401 403 404 406 409 413 414 415 422 429 431 500 503".split(" "),
  );
  expect([...JSON.stringify(shown?.parameters).matchAll(/parameters\/(\w+)/g)].map((match) => match[1])).toEqual([
    "organizational_unit",
    "idempotency_key",
    "csrf_token",
  ]);
});

test("the docs page has a report with its body and a call of it", () => {
  const page = renderDocsPage(described, [pulses]);
  const wanted = [
    '<article class="operation" id="operation-report-pulse">',
    '<a href="#operation-report-pulse">report-pulse</a>',
    "<td><code>key</code>",
    "curl -X POST",
    "Content-Type: application/json",
  ];
  expect(wanted.filter((one) => !page.includes(one))).toEqual([]);
});
