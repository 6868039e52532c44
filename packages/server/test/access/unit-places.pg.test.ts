import { afterAll, expect, test } from "bun:test";
import { type Answered, openPlane, root } from "../harness";

const plane = await openPlane();
afterAll(plane.close);

const owner = (await plane.serviceToken("owner")).token;
const path = "/organizational-units";
const absent = "11111111-1111-4111-8111-111111111111";
const errorOf = ({ status, body }: Answered) => [status, body?.errors[0].error_code, body?.errors[0].error_message];
const place = [
  403,
  40301,
  "Renaming, moving and deleting need organizational-units:write in the unit above this one. Ask an administrator there.",
];
const change = (id: string, body: object, token: string, unit = id) =>
  plane.ask(`${path}/${id}`, { method: "PATCH", token, unit, body });
const remove = (id: string, query: string, token: string, unit = id) =>
  plane.ask(`${path}/${id}${query}`, { method: "DELETE", token, unit });
const read = async (id: string) => (await plane.ask(`${path}/${id}`, { token: owner })).body;

/** A token of an administrator of these units. */
async function adminOf(...units: string[]): Promise<string> {
  const user = await plane.addUser({ roles: units.map((unitId) => ({ role: "admin" as const, unitId })) });
  return (await plane.personalToken(user, units[0])).token;
}

test("T9: a unit is taken away from the administrator above it neither by moving it nor by deleting it with move_to", async () => {
  const [above, own] = [await plane.addUnit("Their country"), await plane.addUnit("Own country")];
  const city = await plane.addUnit("City", above);
  const part = await plane.addUnit("Part", city);
  await plane.addTasks([{ organizational_unit_id: city }, { organizational_unit_id: part }]);
  const theirs = (await plane.serviceToken("admin", above)).token;
  const seen = async () => (await plane.ask("/tasks", { token: theirs })).body.total_count;
  const mover = await adminOf(city, own);
  expect(errorOf(await change(city, { parent_id: own }, mover))).toEqual(place);
  expect(errorOf(await remove(city, `?move_to=${own}`, mover))).toEqual(place);
  expect([(await read(city)).parent_id, (await read(part)).parent_id, await seen()]).toEqual([above, city, 2]);

  // A unit below one's own is one's own to give away, by either road.
  expect((await remove(part, `?move_to=${own}`, mover, city)).status).toBe(204);
  expect([(await read(part)).errors[0].error_code, await seen()]).toEqual([40402, 1]);
  const both = await adminOf(above, own);
  expect((await remove(city, `?move_to=${own}`, both, above)).status).toBe(204);
  expect(await seen()).toBe(0);
});

test("T9: by neither road does something come to where the mover may change nothing", async () => {
  const [from, to] = [await plane.addUnit("Sender"), await plane.addUnit("Receiver")];
  const parcel = await plane.addUnit("Parcel", from);
  const mover = await adminOf(from);
  const refused = [403, 40301, "You may not change that organizational unit, or it does not exist. Name another one."];
  for (const target of [to, absent, root]) {
    expect(errorOf(await change(parcel, { parent_id: target }, mover, from))).toEqual(refused);
    expect(errorOf(await remove(parcel, `?move_to=${target}`, mover, from))).toEqual(refused);
  }
});

test("T10: an administrator of a unit, but not of the one above, does not learn which names are taken beside it", async () => {
  const above = await plane.addUnit("Building");
  const own = await plane.addUnit("Own floor", above);
  await plane.addUnit("Hidden floor", above);
  const below = await plane.addUnit("Room", own);
  await plane.addUnit("Other room", own);
  const token = await adminOf(own);
  for (const name of ["Hidden floor", "HIDDEN FLOOR", "Free name", "own floor"]) {
    expect(errorOf(await change(own, { name }, token))).toEqual(place);
  }
  const unchanged = await change(own, { name: "Own floor" }, token);
  expect([unchanged.status, unchanged.body.name, unchanged.body.parent_id]).toEqual([200, "Own floor", null]);
  // Also not which unit is the one above.
  const answers = [above, root, absent].map((parent_id) => change(own, { name: "Hidden floor", parent_id }, token));
  expect(new Set((await Promise.all(answers)).map(({ text }) => text)).size).toBe(1);
  expect((await read(own)).name).toBe("Own floor");

  // Where the names beside it are the caller's to see, that one is taken is no secret.
  expect((await change(below, { name: "Other room" }, token, own)).status).toBe(409);
  expect((await change(below, { name: "Chamber" }, token, own)).body.name).toBe("Chamber");
  const builder = await adminOf(above);
  expect((await change(own, { name: "hidden FLOOR" }, builder, above)).status).toBe(409);
  expect((await change(own, { name: "Free name" }, builder, above)).body.name).toBe("Free name");
});

test("a unit is deleted by those who manage the one above it, whatever is in it", async () => {
  const above = await plane.addUnit("Garden");
  const own = await plane.addUnit("Bed", above);
  const token = await adminOf(own);
  expect(errorOf(await remove(own, "", token))).toEqual(place);
  expect(errorOf(await remove(own, "?move_to=elsewhere", token)).slice(0, 2)).toEqual([400, 40003]);
  const below = await plane.addUnit("Row", own);
  expect((await remove(below, "", token, own)).status).toBe(204);
});
