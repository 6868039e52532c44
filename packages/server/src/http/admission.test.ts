import { expect, test } from "bun:test";
import { ApiError } from "@holdfast/api/conventions/api-error";
import { type Admission, type AdmissionSlot, type AdmittedRequest, createAdmission } from "./admission";

const limits = { inFlight: 2, pendingBodies: 4, pendingBodiesOfAddress: 2, arrival: 60_000, slowestLine: 32 };
const visitor = { addressOf: () => "192.0.2.1", kind: "other" as const };
const overloaded = { errors: [{ error_code: 50302, error_message: expect.stringContaining("Try again") }] };
const late = { errors: [{ error_code: 40801, error_message: expect.stringContaining("Send it again") }] };

/** Bodies are awaited from the end of their tick. */
const endOfTick = () => new Promise(setImmediate);

/** Begins a request that is admitted. */
function begin(admission: Admission, request: AdmittedRequest): AdmissionSlot {
  const place = admission.begin(request);
  if (place instanceof ApiError) throw place;
  return place;
}

/** Begins a request whose body arrives when the test says so, and notes how it went. */
function beginBody(admission: Admission, address: string) {
  const place = begin(admission, { addressOf: () => address, kind: "other", hasBody: true });
  const arrival = Promise.withResolvers<string>();
  const outcome = place
    .whileArriving((cut) => {
      cut.addEventListener("abort", () => arrival.reject(cut.reason));
      return arrival.promise;
    })
    .catch((error: { body: unknown }) => error.body);
  return { outcome, arrive: arrival.resolve, end: place.end };
}

test("T38: a request counts as in flight until it is answered, and one too many is refused", () => {
  const admission = createAdmission(limits);
  const [first] = [begin(admission, visitor), begin(admission, visitor)];
  expect(admission.begin(visitor)).toMatchObject({ body: overloaded });
  expect(admission.inFlight()).toBe(2);
  first.end();
  first.end();
  expect(admission.inFlight()).toBe(1);
  admission.begin(visitor);
  expect(admission.inFlight()).toBe(2);
});

test("T38: a probe is never refused", () => {
  const admission = createAdmission(limits);
  for (let count = 0; count < 5; count++) admission.begin({ ...visitor, kind: "probe" });
  expect(admission.inFlight()).toBe(5);
  expect(admission.begin(visitor)).toMatchObject({ body: overloaded });
});

test("T38: a request whose body has not arrived takes no place of those that are being answered", async () => {
  const admission = createAdmission(limits);
  const slow = [
    beginBody(admission, "192.0.2.1"),
    beginBody(admission, "192.0.2.1"),
    beginBody(admission, "192.0.2.2"),
  ];
  await endOfTick();
  expect([admission.inFlight(), admission.pendingBodies()]).toEqual([0, 3]);
  slow[0]?.arrive("body");
  expect(await slow[0]?.outcome).toBe("body");
  expect([admission.inFlight(), admission.pendingBodies()]).toEqual([1, 2]);
  slow[0]?.end();
  expect([admission.inFlight(), admission.pendingBodies()]).toEqual([0, 2]);
});

test("T38: a body that arrives while too much is being answered is refused, and counts no more", async () => {
  const admission = createAdmission(limits);
  const slow = beginBody(admission, "192.0.2.1");
  const others = [begin(admission, visitor), begin(admission, visitor)];
  slow.arrive("body");
  expect(await slow.outcome).toEqual(overloaded);
  slow.end();
  for (const other of others) other.end();
  expect([admission.inFlight(), admission.pendingBodies()]).toEqual([0, 0]);
});

test("T38: of too many pending bodies of one address, the oldest of this address is cut", async () => {
  const admission = createAdmission(limits);
  const stranger = beginBody(admission, "192.0.2.9");
  const [oldest, second, third] = ["192.0.2.1", "192.0.2.1", "192.0.2.1"].map((one) => beginBody(admission, one));
  expect(await oldest?.outcome).toEqual(late);
  expect(admission.pendingBodies()).toBe(3);
  for (const one of [stranger, second, third]) one?.arrive("body");
  // Only two are answered at the same time.
  expect(await Promise.all([stranger.outcome, second?.outcome])).toEqual(["body", "body"]);
  expect(await third?.outcome).toEqual(overloaded);
});

test("T38: of too many pending bodies in all, the oldest is cut, whatever its address", async () => {
  const admission = createAdmission(limits);
  const bodies = [1, 2, 3, 4, 5].map((host) => beginBody(admission, `192.0.2.${host}`));
  expect(await bodies[0]?.outcome).toEqual(late);
  expect(admission.pendingBodies()).toBe(4);
  bodies[1]?.arrive("body");
  expect(await bodies[1]?.outcome).toBe("body");
});

test("of many bodies that begin together, none is cut that has arrived", async () => {
  const admission = createAdmission({ ...limits, inFlight: 20 });
  const bodies = Array.from({ length: 20 }, () => beginBody(admission, "192.0.2.1"));
  for (const one of bodies) one.arrive("body");
  expect(await Promise.all(bodies.map((one) => one.outcome))).toEqual(bodies.map(() => "body"));
  await endOfTick();
  expect(admission.pendingBodies()).toBe(0);
});

test("T18: a body that takes too long is cut", async () => {
  const admission = createAdmission({ ...limits, arrival: 10 });
  const slow = beginBody(admission, "192.0.2.1");
  expect(await slow.outcome).toEqual(late);
  expect([admission.inFlight(), admission.pendingBodies()]).toEqual([0, 0]);
});

test("T18: a body that comes slowly but steadily has the time that it needs", async () => {
  const admission = createAdmission({ ...limits, arrival: 30, slowestLine: 1 });
  const place = begin(admission, visitor);
  const arrived = await place.whileArriving(async (cut, onBytes) => {
    for (let part = 0; part < 10; part++) {
      onBytes(1_000);
      await Bun.sleep(10);
    }
    return cut.aborted;
  });
  expect(arrived).toBe(false);
});

/** Lets a caller use all of the time for a while. */
async function useTime(admission: Admission, credential: string, callerId: string): Promise<void> {
  const place = begin(admission, { ...visitor, credential });
  place.charge(callerId);
  await Bun.sleep(300);
  place.end();
}

test("R15: a caller that used more than its share waits, whatever its address; probes, reports and others do not", async () => {
  const admission = createAdmission();
  await Promise.all([useTime(admission, "Bearer a", "busy"), useTime(admission, "Bearer b", "busy")]);
  begin(admission, { ...visitor, credential: "Bearer c" }).charge("other");
  const turnOf = (request: Partial<AdmittedRequest>) => begin(admission, { ...visitor, ...request }).turn;
  // Requests that come late in a tick that took long wait for the next one.
  await endOfTick();
  expect(turnOf({ credential: "Bearer c" })).toBeUndefined();
  await endOfTick();
  expect(turnOf({ credential: null })).toBeUndefined();
  expect(turnOf({ credential: "Bearer a", kind: "probe" })).toBeUndefined();
  expect(turnOf({ credential: "Bearer a", kind: "report" })).toBeUndefined();
  // One after the other, it never waits.
  expect(turnOf({ credential: "Bearer a" })).toBeUndefined();
  const waits = [
    turnOf({ credential: "Bearer a" }),
    turnOf({ credential: "Bearer b", addressOf: () => "192.0.2.2" }),
    turnOf({ credential: "Bearer a", kind: "report", isBulk: true }),
  ];
  expect(waits).toEqual(waits.map(() => expect.any(Promise)));
  expect(admission.mustYield("busy")).toBe(true);
  await Promise.all(waits);
});

test("R15: a caller that sends its token in another way each time waits once it is identified", async () => {
  const admission = createAdmission();
  await Promise.all([useTime(admission, "Bearer a", "busy"), useTime(admission, "Bearer a", "busy")]);
  begin(admission, { ...visitor, credential: "Bearer c" }).charge("other");
  // Requests that come late in a tick that took long wait for the next one.
  await endOfTick();
  begin(admission, { ...visitor, credential: "Bearer a" });
  const place = begin(admission, { ...visitor, credential: "bearer  a" });
  expect([place.turn, place.requeue()]).toEqual([undefined, undefined]);
  place.charge("busy");
  const inFlight = admission.inFlight();
  const turn = place.requeue();
  expect(turn).toBeInstanceOf(Promise);
  expect(admission.inFlight()).toBe(inFlight - 1);
  await turn;
  expect(admission.inFlight()).toBe(inFlight);
});

test.each([
  ["that are known", ["one", "two", "three"]],
  ["of one address that are not known yet", []],
])("R15: three callers %s send 200 requests each at once, and none is refused", async (_, known) => {
  const admission = createAdmission();
  for (const id of known) begin(admission, { ...visitor, credential: id }).charge(id);
  const callers = Array.from({ length: 200 }, () => ["one", "two", "three"]).flat();
  const places = callers.map((id) => ({ id, place: begin(admission, { ...visitor, credential: id }) }));
  const answered = places.map(async ({ id, place }) => {
    await place.turn;
    place.charge(id);
    await place.requeue();
    place.end();
  });
  expect(await Promise.all(answered)).toHaveLength(600);
});
