import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import { until } from "../until";
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
    const snapshot = spyOn(plane.database, "snapshot");
    // On PostgreSQL, a commit in any database of the server is one after which it looks again.
    await until("a request looks at nothing", async () => {
      snapshot.mockClear();
      const { status } = await get({ "If-None-Match": etag });
      expect(status).toBe(304);
      return snapshot.mock.calls.length === 0;
    });
    snapshot.mockRestore();
  },
);
