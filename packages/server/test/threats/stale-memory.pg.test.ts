import { expect, test } from "bun:test";
import { revokeToken } from "../../src/resources/api-tokens/store";
import { openPlane } from "../harness";

test.each([
  ["a service that asks for the versions sees what another has committed", false],
  ["the control: one that does not ask goes on with what it remembers, and that shows", true],
])("R10, R12: %s", async (_, isFrozen) => {
  const plane = await openPlane();
  const other = await openPlane({}, plane.folder);
  const [revoked, kept] = [await plane.serviceToken("viewer"), await plane.serviceToken("viewer")];
  const dataVersions = await plane.database.dataVersions();
  const ask = plane.database.dataVersions;
  plane.database.dataVersions = () => (isFrozen ? dataVersions : ask());
  const total = async () => (await plane.ask("/tasks?limit=1", { token: kept.token })).body.total_count;
  const seen = [await total(), (await plane.ask("/tasks?limit=1", { token: revoked.token })).status];
  await other.addTasks([{}]);
  await other.database.change((db) => revokeToken(db, revoked.id, other.clock.now));
  seen.push(await total(), (await plane.ask("/tasks?limit=1", { token: revoked.token })).status);
  expect(seen).toEqual([0, 200, ...(isFrozen ? [0, 200] : [1, 401])]);
  await other.close();
  await plane.close();
});
