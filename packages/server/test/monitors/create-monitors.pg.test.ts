import { afterAll, beforeAll, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { auditEvents } from "../access/people";
import { codesOf } from "../conformance/codes-of";
import type { Ask } from "../harness";
import { openPingPlane, type PingPlane } from "./ping-plane";

let plane: PingPlane;
beforeAll(async () => {
  plane = await openPingPlane();
});
afterAll(() => plane.close());

const createAll = (monitors: unknown, ask: Ask = {}) =>
  plane.ask("/monitors/_batch", { method: "POST", token: plane.owner, body: { monitors }, ...ask });

test("each monitor of a batch is created or refused by itself, in order, without its ping URL", async () => {
  const unit = await plane.addUnit("Batch");
  const slug = randomUUID();
  const { status, body } = await createAll(
    [
      { name: "One", slug },
      { name: "Two", slug },
      { name: "" },
      "three",
      { name: "Four", nosuch: 1 },
      { name: "Five" },
    ],
    { unit },
  );
  expect(status).toBe(200);
  expect(body.results.map((result: { status: number }) => result.status)).toEqual([201, 409, 422, 422, 422, 201]);
  const [one, two, , three, four, five] = body.results;
  expect(one.monitor).toMatchObject({ name: "One", slug, organizational_unit_id: unit, state: "waiting" });
  expect(two).toEqual({ status: 409, errors: [expect.objectContaining({ error_code: 40902, field: "/slug" })] });
  expect(three.errors[0].error_message).toContain("has to be an object");
  expect(four.errors[0].field).toBe("/nosuch");
  expect(JSON.stringify(body)).not.toContain("ping_url");
  const read = await plane.ask(`/monitors/${five.monitor.id}`, { token: plane.owner });
  expect(read.body).toEqual({ ...five.monitor, ping_url: expect.stringContaining("/ping/") });
});

test("each monitor that a batch has created is an audit event, and a refused one is none", async () => {
  const unit = await plane.addUnit("Audited");
  const { body } = await createAll([{ name: "One" }, { name: "" }, { name: "Two" }], { unit });
  const made = body.results.flatMap(({ monitor }: { monitor?: { id: string } }) => monitor?.id ?? []);
  const events = (await auditEvents(plane)).filter(({ operation }) => operation === "create-monitors");
  expect(events.slice(-2)).toMatchObject(
    made.map((id: string) => ({ object: { type: "monitor", id }, organizational_unit_id: unit, result: "done" })),
  );
  const before = events.length;
  expect((await createAll([{ name: "" }], { unit })).status).toBe(200);
  expect((await auditEvents(plane)).filter(({ operation }) => operation === "create-monitors")).toHaveLength(before);
});

test("a repeated batch with the same key creates nothing more", async () => {
  const headers = { "Idempotency-Key": randomUUID() };
  const unit = await plane.addUnit("Repeated");
  const first = await createAll([{ name: "One" }], { unit, headers });
  const second = await createAll([{ name: "One" }], { unit, headers });
  expect(second.body).toEqual(first.body);
  const { body } = await plane.ask("/monitors", { token: plane.owner, unit });
  expect(body._embedded.items).toHaveLength(1);
  expect(codesOf(await createAll([{ name: "Other" }], { unit, headers }))).toEqual([40903]);
});

test.each([
  ["no list", { monitors: {} }],
  ["none", { monitors: [] }],
  ["too many", { monitors: Array.from({ length: 501 }, () => ({ name: "x" })) }],
  ["nothing", {}],
  ["another field", { monitors: [{ name: "x" }], dry_run: true }],
])("a batch of %s is refused as a whole", async (_, body) => {
  const answer = await plane.ask("/monitors/_batch", { method: "POST", token: plane.owner, body });
  expect([answer.status, codesOf(answer)]).toEqual([422, [42201]]);
});

test("T9: a batch creates nothing in a unit in which the caller may not", async () => {
  const [own, other] = [await plane.addUnit("Own"), await plane.addUnit("Not own")];
  const { token } = await plane.serviceToken("admin", own);
  const { body } = await createAll(
    [
      { name: "In", organizational_unit_id: own },
      { name: "Out", organizational_unit_id: other },
    ],
    { token, unit: own },
  );
  expect(body.results.map((result: { status: number }) => result.status)).toEqual([201, 403]);
  const { token: viewer } = await plane.serviceToken("viewer", own);
  expect((await createAll([{ name: "In" }], { token: viewer, unit: own })).status).toBe(403);
});
