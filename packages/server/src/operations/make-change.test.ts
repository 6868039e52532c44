import { expect, test } from "bun:test";
import { userBodies } from "@holdfast/api/resources/users";
import { openPlane, root } from "../../test/harness";
import { type ActingFor, implementChange } from "./change";
import { makeChange } from "./make-change";

test("T9: only a caller who may act for people does so, and nothing is changed or told where another one tries", async () => {
  const plane = await openPlane();
  const { token } = await plane.serviceToken("owner");
  const caller = await plane.service.checkToken(token, (await plane.database.dataVersions()).access);
  const made: ActingFor[] = [];
  const actAs = (mayActForPeople: boolean, actingFor: ActingFor) =>
    makeChange(
      {
        ...plane.service,
        reloadCaller: async () => ({ ...caller, ...(mayActForPeople ? { mayActForPeople: true } : {}) }),
      },
      {
        operation: {
          kind: "write",
          id: "create-user",
          method: "post",
          path: "/users",
          permission: "users:write",
          summary: "",
          status: 201,
        },
        implementation: implementChange(userBodies.create, async (call) => {
          made.push(call.actingFor);
          return { object: { type: "user", id: "1" } };
        }),
        version: 2,
        caller,
        unitId: root,
        address: null,
        requestId: null,
        ask: async () => ({ variables: {}, parameters: new Map(), body: {}, actingFor }),
        requireMatch: () => {},
        findEarlierAnswer: async () => undefined,
        answer: async () => "done",
        runLater: () => {},
      },
    );
  const events = () => plane.database.snapshot((db) => db.selectFrom("audit_events").select("operation").execute());
  for (const actingFor of [{ userId: caller.tokenId }, { isConfirmed: true }] as const) {
    await expect(actAs(false, actingFor)).rejects.toThrow("Only the person can do this.");
  }
  expect([made, await events()]).toEqual([[], []]);
  expect(await actAs(true, { isConfirmed: true })).toBe("done");
  expect(await actAs(false, {})).toBe("done");
  expect(made).toEqual([{ isConfirmed: true }, {}]);
  expect(await events()).toEqual([{ operation: "create-user" }, { operation: "create-user" }]);
  await plane.close();
});
