import { afterAll, expect, test } from "bun:test";
import { openTokenPlane, service } from "./token-plane";

const plane = await openTokenPlane();
afterAll(() => plane.close());
const { units, person, create, rotate, revoke } = plane;

const { token } = await person("admin", units.berlin);
const at = (days: number) => new Date(plane.clock.now + days * 86_400_000).toISOString();
const names = async (filter: object) => {
  const query = encodeURIComponent(JSON.stringify({ kind: "service", ...filter }));
  const { body } = await plane.ask(`/api-tokens?filter=${query}`, { token });
  expect(body.total_count).toBe(body._embedded.items.length);
  return body._embedded.items.map((item: { name: string }) => item.name).sort();
};
async function make(name: string, days: number): Promise<string> {
  const { status, body } = await create({ token }, service("viewer", { name, expires_timestamp: at(days) }));
  expect(status).toBe(201);
  return body.id;
}

test("tokens are found by when they expire", async () => {
  await make("ten", 10);
  await make("twenty", 20);
  await make("thirty", 30);
  expect(await names({ expires_timestamp: { $lt: at(20) } })).toEqual(["ten"]);
  expect(await names({ expires_timestamp: { $lte: at(20) } })).toEqual(["ten", "twenty"]);
  expect(await names({ expires_timestamp: { $gt: at(10), $lt: at(30) } })).toEqual(["twenty"]);
  expect(await names({ expires_timestamp: { $gte: at(30) } })).toEqual(["thirty"]);
});

test("tokens are found by whether they were revoked; a rotated one is once its overlap is over, without any commit", async () => {
  await revoke(await make("ended", 25), { token });
  await rotate(await make("replaced", 25), { token }, { overlap_seconds: 0 });
  await rotate(await make("overlapping", 25), { token }, { overlap_seconds: 60 });
  const good = ["overlapping", "overlapping", "replaced", "ten", "thirty", "twenty"];
  expect(await names({ is_revoked: false })).toEqual(good);
  expect(await names({ is_revoked: true })).toEqual(["ended", "replaced"]);
  plane.clock.now += 59_999;
  expect(await names({ is_revoked: { $eq: false } })).toEqual(good);
  plane.clock.now += 1;
  expect(await names({ is_revoked: false })).toEqual(good.slice(1));
  expect(await names({ is_revoked: { $eq: true } })).toEqual(["ended", "overlapping", "replaced"]);
});
