import { afterAll, expect, test } from "bun:test";
import { maxKeysPerCaller } from "../../src/http/idempotency";
import { openPlane } from "../harness";

const plane = await openPlane();
afterAll(plane.close);
const day = 86_400_000;

test("T21: a caller has 10,000 idempotency keys a day; then new ones are refused, and others are not affected", async () => {
  const owner = await plane.serviceToken("owner", undefined, 2 * day);
  const other = await plane.serviceToken("owner");
  const create = (token: string, key?: string) =>
    plane.ask("/tasks", {
      method: "POST",
      token,
      body: { category: "backup", type: "x" },
      ...(key === undefined ? {} : { headers: { "Idempotency-Key": key } }),
    });
  expect((await create(owner.token, "first")).status).toBe(201);
  const keys = Array.from({ length: maxKeysPerCaller - 1 }, (_, n) => ({
    caller: owner.id,
    key: `key-${n}`,
    request_hash: "",
    answer: "{}",
    created_at: plane.clock.now,
  }));
  await plane.database.change(async (db) => {
    for (let at = 0; at < keys.length; at += 500) {
      await db
        .insertInto("idempotency_keys")
        .values(keys.slice(at, at + 500))
        .execute();
    }
  });
  const refused = await create(owner.token, "one-more");
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "86400"]);
  expect(refused.body).toEqual({
    errors: [
      {
        error_code: 42901,
        error_message: expect.stringMatching(/^You have used 10000 idempotency keys.*without Idempotency-Key, or wait/),
      },
    ],
  });
  // A repeated request has the same answer, and requests without a key and those of others are answered.
  expect((await create(owner.token, "first")).status).toBe(201);
  expect((await create(owner.token)).status).toBe(201);
  expect((await create(other.token, "one-more")).status).toBe(201);
  plane.clock.now += day;
  expect((await create(owner.token, "one-more")).status).toBe(201);
});
