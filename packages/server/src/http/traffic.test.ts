import { expect, test } from "bun:test";
import { type CountedRequest, createTraffic, type Place, type Traffic } from "./traffic";

const limits = { inFlight: 2, pendingBodies: 4, pendingBodiesOfAddress: 2, arrival: 60_000, slowestLine: 32 };
const visitor = { addressOf: () => "192.0.2.1", kind: "other" as const };
const overloaded = { errors: [{ error_code: 50302, error_message: expect.stringContaining("Try again") }] };
const late = { errors: [{ error_code: 40801, error_message: expect.stringContaining("Send it again") }] };

/** What began is awaited from the end of its turn. */
const endOfTurn = () => new Promise(setImmediate);

/** Begins a request that is given a place. */
function begin(traffic: Traffic, request: CountedRequest): Place {
  const place = traffic.begin(request);
  if (!place) throw new Error("There is no place.");
  return place;
}

/** Begins a request whose body arrives when the test says so, and notes how it went. */
function beginBody(traffic: Traffic, address: string) {
  const place = begin(traffic, { addressOf: () => address, kind: "other" });
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
  const traffic = createTraffic(limits);
  const [first] = [begin(traffic, visitor), begin(traffic, visitor)];
  expect(traffic.begin(visitor)).toBeUndefined();
  expect(traffic.inFlight()).toBe(2);
  first.end();
  first.end();
  expect(traffic.inFlight()).toBe(1);
  traffic.begin(visitor);
  expect(traffic.inFlight()).toBe(2);
});

test("T38: a probe is never refused", () => {
  const traffic = createTraffic(limits);
  for (let count = 0; count < 5; count++) traffic.begin({ ...visitor, kind: "probe" });
  expect(traffic.inFlight()).toBe(5);
  expect(traffic.begin(visitor)).toBeUndefined();
});

test("T38: a request whose body has not arrived takes no place of those that are being answered", async () => {
  const traffic = createTraffic(limits);
  const slow = [beginBody(traffic, "192.0.2.1"), beginBody(traffic, "192.0.2.1"), beginBody(traffic, "192.0.2.2")];
  await endOfTurn();
  expect([traffic.inFlight(), traffic.pendingBodies()]).toEqual([0, 3]);
  slow[0]?.arrive("body");
  expect(await slow[0]?.outcome).toBe("body");
  expect([traffic.inFlight(), traffic.pendingBodies()]).toEqual([1, 2]);
  slow[0]?.end();
  expect([traffic.inFlight(), traffic.pendingBodies()]).toEqual([0, 2]);
});

test("T38: a body that arrives while too much is being answered is refused, and counts no more", async () => {
  const traffic = createTraffic(limits);
  const slow = beginBody(traffic, "192.0.2.1");
  const others = [begin(traffic, visitor), begin(traffic, visitor)];
  slow.arrive("body");
  expect(await slow.outcome).toEqual(overloaded);
  slow.end();
  for (const other of others) other.end();
  expect([traffic.inFlight(), traffic.pendingBodies()]).toEqual([0, 0]);
});

test("T38: of too many pending bodies of one address, the oldest of this address is cut", async () => {
  const traffic = createTraffic(limits);
  const stranger = beginBody(traffic, "192.0.2.9");
  const [oldest, second, third] = ["192.0.2.1", "192.0.2.1", "192.0.2.1"].map((one) => beginBody(traffic, one));
  expect(await oldest?.outcome).toEqual(late);
  expect(traffic.pendingBodies()).toBe(3);
  for (const one of [stranger, second, third]) one?.arrive("body");
  // Only two are answered at the same time.
  expect(await Promise.all([stranger.outcome, second?.outcome])).toEqual(["body", "body"]);
  expect(await third?.outcome).toEqual(overloaded);
});

test("T38: of too many pending bodies in all, the oldest is cut, whatever its address", async () => {
  const traffic = createTraffic(limits);
  const bodies = [1, 2, 3, 4, 5].map((host) => beginBody(traffic, `192.0.2.${host}`));
  expect(await bodies[0]?.outcome).toEqual(late);
  expect(traffic.pendingBodies()).toBe(4);
  bodies[1]?.arrive("body");
  expect(await bodies[1]?.outcome).toBe("body");
});

test("of many bodies that begin together, none is cut that has arrived", async () => {
  const traffic = createTraffic({ ...limits, inFlight: 20 });
  const bodies = Array.from({ length: 20 }, () => beginBody(traffic, "192.0.2.1"));
  for (const one of bodies) one.arrive("body");
  expect(await Promise.all(bodies.map((one) => one.outcome))).toEqual(bodies.map(() => "body"));
  await endOfTurn();
  expect(traffic.pendingBodies()).toBe(0);
});

test("T18: a body that takes too long is cut", async () => {
  const traffic = createTraffic({ ...limits, arrival: 10 });
  const slow = beginBody(traffic, "192.0.2.1");
  expect(await slow.outcome).toEqual(late);
  expect([traffic.inFlight(), traffic.pendingBodies()]).toEqual([0, 0]);
});

test("T18: a body that comes slowly but steadily has the time that it needs", async () => {
  const traffic = createTraffic({ ...limits, arrival: 30, slowestLine: 1 });
  const place = begin(traffic, visitor);
  const arrived = await place.whileArriving(async (cut, onBytes) => {
    for (let part = 0; part < 10; part++) {
      onBytes(1_000);
      await Bun.sleep(10);
    }
    return cut.aborted;
  });
  expect(arrived).toBe(false);
});

test("T38: a request counts in its turn once its body has arrived", async () => {
  const traffic = createTraffic({}, () => true);
  const place = begin(traffic, { addressOf: () => "a", kind: "other", hasBody: true });
  await expect(place.whileArriving(async () => {})).rejects.toThrow("Too many requests");
});

test("what comes from no listener is not refused for coming in one turn", () => {
  const traffic = createTraffic({}, () => true);
  expect(traffic.begin({ addressOf: () => "a", kind: "other" })).toBeUndefined();
  begin(traffic, { addressOf: () => "a", kind: "other", isFromListener: false });
  expect(traffic.inFlight()).toBe(1);
});
