import { afterAll, expect, test } from "bun:test";
import { openReportingPlane } from "./reporting-plane";
import { leaseShown, refusal, uuid } from "./shapes";

const plane = await openReportingPlane();
afterAll(plane.close);
const north = await plane.addUnit("North");
const harbour = await plane.addUnit("Harbour", north);
const south = await plane.addUnit("South");
const { token: owner } = await plane.serviceToken("owner");
const inNorth = await plane.serviceToken("reporter", north);
const inSouth = await plane.serviceToken("reporter", south);
const operator = await plane.serviceToken("operator");
const viewer = await plane.serviceToken("viewer");

let count = 0;
const nextId = () => uuid(++count);

test("the holder is a token and all that it is rotated to", async () => {
  const { body } = await plane.create({}, { token: inNorth.token });
  const rotate = (id: string) =>
    plane.ask(`/api-tokens/${id}/rotate`, { method: "POST", token: owner, body: { overlap_seconds: 60 } });
  const second = (await rotate(inNorth.id)).body;
  const third = (await rotate(second.id)).body;
  expect((await plane.update(body.id, { progress_percentage: 5 }, { token: second.token })).status).toBe(200);
  expect((await plane.update(body.id, {}, { token: third.token })).status).toBe(200);
  expect((await plane.create({ id: body.id }, { token: third.token })).status).toBe(200);
  expect((await plane.update(body.id, { status: "completed" }, { token: third.token })).status).toBe(200);
});

test("a person is the holder with all tokens", async () => {
  const user = await plane.addUser({ roles: [{ role: "operator" }] });
  const [first, second] = [await plane.personalToken(user), await plane.personalToken(user)];
  const { body } = await plane.create({}, { token: first.token });
  expect((await plane.update(body.id, { status: "completed" }, { token: second.token })).status).toBe(200);
});

test("another holder is told so who may read tasks, and nothing otherwise", async () => {
  const { body } = await plane.create({});
  const stranger = await plane.serviceToken("reporter");
  const claim_id = nextId();
  const claims = [{ claim_id }, { status: "in_progress", claim_id }, { attempt: 2, status: "in_progress", claim_id }];
  for (const said of [{}, { progress_percentage: 1 }, { status: "completed" }, { status: "in_progress" }, ...claims]) {
    expect(refusal(await plane.update(body.id, said, { token: operator.token }))).toEqual([409, 40909]);
    const hidden = await plane.update(body.id, said, { token: stranger.token });
    const absent = await plane.update(nextId(), said, { token: stranger.token });
    expect([hidden.status, hidden.text]).toEqual([404, absent.text]);
  }
  expect((await plane.read(body.id)).body.status).toBe("in_progress");
});

test("nobody reports without the permission, or for a unit that they do not cover", async () => {
  expect(refusal(await plane.create({}, { token: viewer.token }))).toEqual([403, 40302]);
  expect(refusal(await plane.batch([], { token: viewer.token }))).toEqual([403, 40302]);
  expect(refusal(await plane.update(nextId(), {}, { token: viewer.token }))).toEqual([403, 40302]);
  expect(refusal(await plane.create({}, { token: inNorth.token, unit: south }))).toEqual([403, 40301]);
  expect(refusal(await plane.create({ organizational_unit_id: south }, { token: inNorth.token }))).toEqual([
    403, 40301,
  ]);
  expect(refusal(await plane.create({ organizational_unit_id: nextId() }, { token: inNorth.token }))).toEqual([
    403, 40301,
  ]);
  const mixed = await plane.addUser({
    roles: [
      { role: "reporter", unitId: north },
      { role: "viewer", unitId: south },
    ],
  });
  const { token } = await plane.personalToken(mixed, north);
  expect(refusal(await plane.create({ organizational_unit_id: south }, { token }))).toEqual([403, 40302]);
});

test("a task belongs to the unit of the request, or to the covered one that it names", async () => {
  const made = [
    await plane.create({}, { token: inNorth.token }),
    await plane.create({}, { token: inNorth.token, unit: harbour }),
    await plane.create({ organizational_unit_id: harbour.toUpperCase() }, { token: inNorth.token }),
  ];
  expect(made.map(({ status, body }) => [status, body.organizational_unit_id])).toEqual([
    [201, north],
    [201, harbour],
    [201, harbour],
  ]);
});

test("a task outside of the unit of the request is not there, also for its holder", async () => {
  const { body } = await plane.create({ organizational_unit_id: north });
  for (const said of [{}, { progress_percentage: 1 }, { status: "completed" }]) {
    expect(refusal(await plane.update(body.id, said, { unit: harbour }))).toEqual([404, 40402]);
    expect(refusal(await plane.update(body.id, said, { unit: south }))).toEqual([404, 40402]);
  }
  expect(refusal(await plane.update(body.id, { status: "aborting" }, { token: operator.token, unit: south }))).toEqual([
    404, 40402,
  ]);
  expect((await plane.update(body.id, {}, { unit: north })).status).toBe(200);
});

test("T27: whoever knows the id of another unit's task cannot report on it, not even in the moment in which it is created", async () => {
  const id = nextId();
  const create = { id, organizational_unit_id: north, status: "queued" };
  const claim = { status: "in_progress", claim_id: nextId() };
  const tries = [plane.create(create), ...[1, 2, 3].map(() => plane.update(id, claim, { token: inSouth.token }))];
  const [created, ...others] = await Promise.all(tries);
  expect(created?.status).toBe(201);
  expect(others.map(refusal)).toEqual([
    [404, 40402],
    [404, 40402],
    [404, 40402],
  ]);
  expect((await plane.read(id)).body.status).toBe("queued");
});

test("an id belongs to one task: of one holder, in one unit, of one category and type", async () => {
  const id = nextId();
  const given = { id, organizational_unit_id: north };
  const first = await plane.create(given);
  plane.step(60_000);
  const again = await plane.create({ ...given, progress_percentage: 70, status: "completed" });
  const shown = { ...first.body, lease: leaseShown() };
  expect([again.status, again.body, again.headers.get("location")]).toEqual([200, shown, null]);
  const clash = [409, 40902, "/id"];
  expect(refusal(await plane.create({ ...given, category: "restore" }))).toEqual(clash);
  expect(refusal(await plane.create({ ...given, type: "borg_create" }))).toEqual(clash);
  expect(refusal(await plane.create({ ...given, organizational_unit_id: harbour }))).toEqual(clash);
  expect(refusal(await plane.create({ id }, { token: inSouth.token }))).toEqual(clash);
  expect(refusal(await plane.create(given, { token: operator.token }))).toEqual(clash);
  const [imported] = await plane.addTasks([{}]);
  expect(refusal(await plane.create({ id: imported?.id ?? "" }))).toEqual(clash);
});
