import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import { lists } from "./declared";
import { openSeededPlane, type SeededPlane } from "./seeded-plane";

let plane: SeededPlane;
beforeAll(async () => {
  plane = await openSeededPlane();
});
afterAll(() => plane.close());

test.each(lists)(
  "the ETag of $name gives 304 without looking into the database again",
  async ({ operation, accept }) => {
    const get = (headers: Record<string, string> = {}) =>
      plane.ask(`${operation.path}?limit=3`, { token: plane.owner, accept, headers });
    const etag = String((await get()).headers.get("etag"));
    await get({ "If-None-Match": etag });
    const snapshot = spyOn(plane.database, "snapshot");
    const { status } = await get({ "If-None-Match": etag });
    const looks = snapshot.mock.calls.length;
    snapshot.mockRestore();
    expect([status, looks]).toEqual([304, 0]);
  },
);
