import { expect, test } from "bun:test";
import { openPlane } from "../../test/harness";
import { implementRead } from "./item-read";
import { variableOf } from "./path-variables";

test("an item below another one is found by the variables that its path names, in whatever order they come", async () => {
  const plane = await openPlane();
  const { token } = await plane.serviceToken("owner");
  const caller = await plane.service.checkToken(token, (await plane.database.dataVersions()).access);
  const reading = implementRead(
    "delivery_id",
    async (_snapshot, _scope, id, variables) => ({ id, of: variableOf(variables, "webhook_id") }),
    "delivery",
    { 1: (row) => JSON.stringify(row) },
  );
  const call = {
    parts: plane.service,
    scope: { caller, unitId: caller.unitId, permission: "tasks:read" },
    resource: "deliveries",
    version: 1,
    path: "/webhooks/{webhook_id}/deliveries/{delivery_id}",
    query: "",
  } as const;
  const signal = new AbortController().signal;
  for (const variables of [
    { webhook_id: "hook", delivery_id: "parcel" },
    { delivery_id: "parcel", webhook_id: "hook" },
  ]) {
    expect(await reading.read({ ...call, variables }, undefined, signal)).toEqual({
      body: '{"id":"parcel","of":"hook"}',
    });
  }
  await plane.close();
});

test("a variable that the path does not declare is a mistake in the code, not an empty id", () => {
  expect(() => variableOf({ task_id: "1" }, "tasks_id")).toThrow("The path of the operation has no variable tasks_id.");
});
