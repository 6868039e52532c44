import { afterAll, expect, test } from "bun:test";
import { revokeToken } from "../../src/resources/api-tokens/store";
import { makeFolder, openPlane } from "../harness";

// Two control planes on one folder share nothing but the file, as two processes do.
const folder = makeFolder();
const serving = await openPlane({}, folder);
const administering = await openPlane({}, folder);
afterAll(async () => {
  await serving.close();
  await administering.close();
});

const rounds = 8;
/** Long enough for a request to begin with the stamps of a moment ago, where the database has such. */
const quiet = 400;
const pause = () => new Promise((resolve) => setTimeout(resolve, quiet));

/** Another page each time, so that it is read, and one that is in memory, so that it is not. */
const paths = (round: number) => [`/tasks?start=${round + 2}`, "/tasks", "/tasks/unknown", "/tasks?limit=wrong"];

test("T6, R12: after a quiet time, not one request that begins after a token was revoked elsewhere is accepted", async () => {
  const before: number[] = [];
  const after: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const { id, token } = await administering.serviceToken("viewer");
    const ask = async (path = "") => (await serving.ask(path, { token })).status;
    await ask("/tasks");
    await ask("/tasks");
    await pause();
    before.push(...(await Promise.all(paths(round).map(ask))));
    await pause();
    await administering.database.change((db) => revokeToken(db, id, administering.clock.now));
    after.push(...(await Promise.all(paths(round).map(ask))));
  }
  expect(before).toEqual(Array.from({ length: rounds }, () => [200, 200, 404, 400]).flat());
  expect(after).toEqual(Array.from({ length: rounds * 4 }, () => 401));
}, 60_000);

test("R12: after a quiet time, a token that was made elsewhere is good at once, and what was written elsewhere is seen at once", async () => {
  const totals: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await pause();
    const { token } = await administering.serviceToken("operator");
    const made = await administering.ask("/tasks", { token, method: "POST", body: { category: "backup", type: "x" } });
    expect(made.status).toBe(201);
    totals.push((await serving.ask("/tasks?limit=1", { token })).body.total_count);
    await pause();
    expect(
      (await administering.ask("/tasks", { token, method: "POST", body: { category: "backup", type: "x" } })).status,
    ).toBe(201);
    totals.push((await serving.ask("/tasks?limit=1", { token })).body.total_count);
  }
  expect(totals).toEqual(Array.from({ length: rounds * 2 }, (_, index) => index + 1));
}, 60_000);
