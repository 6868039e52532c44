import { afterAll, beforeAll, expect, test } from "bun:test";
import { openPlane, type Plane } from "../../test/harness";
import { createLink, useLink, voidLinks } from "./one-time-links";

let plane: Plane;
let user: string;
beforeAll(async () => {
  plane = await openPlane();
  user = await plane.addUser({});
});
afterAll(() => plane.close());

const make = (life = 1000, now = 0) => plane.database.change((db) => createLink(db, "invitation", user, now, life));
const use = (secret: string, now = 0, purpose: "invitation" | "first_owner" = "invitation") =>
  plane.database.change(async (db) => (await useLink(db, secret, purpose, now))?.user_id);

test("a link is good once, even if it is used many times at once", async () => {
  const secret = await make();
  expect(secret).toMatch(/^[\w-]{43}$/);
  const uses = await Promise.all([use(secret), use(secret), use(secret)]);
  expect(uses.filter((userId) => userId === user)).toHaveLength(1);
});

test("a link is good until its last millisecond, and for its purpose alone", async () => {
  const secret = await make(1000);
  expect(await use(secret, 500, "first_owner")).toBeUndefined();
  expect(await use(secret, 1000)).toBeUndefined();
  expect(await use(secret, 999)).toBe(user);
});

test("void links are good for nothing", async () => {
  const secrets = [await make(), await make()];
  await plane.database.change((db) => voidLinks(db, user));
  expect(await Promise.all(secrets.map((secret) => use(secret)))).toEqual([undefined, undefined]);
});

test("what never was a link is none, and what has expired does not stay", async () => {
  await make(1000, 0);
  await make(1000, 5000);
  expect([await use(""), await use("\0"), await use("x".repeat(10_000))]).toEqual([undefined, undefined, undefined]);
  const left = await plane.database.snapshot((db) => db.selectFrom("one_time_links").select("created_at").execute());
  expect(left).toEqual([{ created_at: 5000 }]);
});
