import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { refuse } from "@holdfast/api/conventions/api-error";
import { createLink, invitationLife } from "../../src/access/one-time-links";
import type { Answered, Plane } from "../harness";
import { addPerson, countHashes, openPlaneForPeople, otherPassword, password, signedIn, trySignIn } from "./people";

let plane: Plane;
let hashes: () => number;
beforeAll(async () => {
  plane = await openPlaneForPeople();
  hashes = countHashes(plane, "account");
});
afterAll(() => plane.close());

/** Each test has addresses and people of its own. */
let number = 0;
let email: string;
let home: string;
const newPeer = () => `198.18.${++number >> 8}.${number & 255}`;
beforeEach(() => {
  home = newPeer();
  email = `person-${number}@example.org`;
});

const day = 86_400_000;
const wrong = (peer: string, who = email) => trySignIn(plane, { email: who, password: otherPassword }, { peer });
const right = (peer: string, who = email) => trySignIn(plane, { email: who, password }, { peer });
const statusOf = async (asked: Promise<Answered>) => (await asked).status;
const answerOf = ({ status, headers, text }: Answered) => [status, headers.get("retry-after"), text];

/** Fails from elsewhere until an account is held up for a quarter of an hour after each further failure. */
async function attack(who = email): Promise<void> {
  for (const _ of Array(5).keys()) expect(await statusOf(wrong(newPeer(), who))).toBe(401);
  for (const seconds of [2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]) {
    plane.clock.now += seconds * 1000;
    expect(await statusOf(wrong(newPeer(), who))).toBe(401);
  }
}

/** From how many addresses a user is known to have signed in. */
const countAddresses = async (userId: string) =>
  (
    await plane.database.snapshot((db) =>
      db.selectFrom("sign_in_addresses").select("network").where("user_id", "=", userId).execute(),
    )
  ).length;

describe("T20: failures from elsewhere", () => {
  test("hold up neither an address that has signed in before nor a session, and go on to hold up all others", async () => {
    await addPerson(plane, { email });
    const person = signedIn(plane, await right(home));
    await attack();
    for (const _ of Array(3).keys()) {
      expect(await statusOf(right(newPeer()))).toBe(429);
      expect(await statusOf(right(home))).toBe(201);
      plane.clock.now += 900_000;
      expect(await statusOf(wrong(newPeer()))).toBe(401);
    }
    const body = { current_password: password, password: "lantern moss quiet river" };
    expect(await statusOf(person.ask("/session/password", { method: "POST", body, peer: newPeer() }))).toBe(204);
  });

  test("leave an address that has signed in before as many attempts as it has anyway, and a delay of its own", async () => {
    await addPerson(plane, { email });
    expect(await statusOf(right(home))).toBe(201);
    await attack();
    const before = hashes();
    for (const _ of Array(8).keys()) expect(await statusOf(wrong(home))).toBe(429);
    expect(await statusOf(right(home))).toBe(429);
    expect(hashes() - before).toBe(5);
    plane.clock.now += 2000;
    expect(await statusOf(right(home))).toBe(201);
    expect(await statusOf(right(newPeer()))).toBe(429);
  });

  test("do not show to who shares the address whether there is such an account: words, delays and hashes are alike", async () => {
    const [own, all] = [newPeer(), countHashes(plane)];
    const absent = `absent-${email}`;
    await addPerson(plane, { email });
    expect(await statusOf(right(own))).toBe(201);
    for (const who of [email, absent]) await attack(who);
    const last_at = plane.clock.now;
    await plane.database.change((db) => db.updateTable("sign_in_failures").set({ last_at }).execute());
    const before = all();
    const seen = [];
    for (const who of [email, absent]) {
      const answers = [];
      for (const _ of Array(7).keys()) answers.push(answerOf(await wrong(own, who)));
      seen.push({ answers, hashes: all() - before });
    }
    expect(seen[1]?.answers).toEqual(seen[0]?.answers ?? []);
    expect(seen.map((one) => one.hashes)).toEqual([5, 10]);
    expect(seen[0]?.answers[0]).toEqual([429, "900", expect.stringContaining("Wait 900 seconds")]);
  });

  test("hold up an address again from which the account was not used for 90 days, or never, and any other account there", async () => {
    const [first, second] = [email, `second-${email}`];
    await addPerson(plane, { email: first });
    await addPerson(plane, { email: second });
    expect(await statusOf(right(home, first))).toBe(201);
    await attack(second);
    expect(await statusOf(right(home, second))).toBe(429);
    plane.clock.now += 90 * day - 7200_000;
    await attack(first);
    expect(await statusOf(right(home, first))).toBe(201);
    plane.clock.now += 90 * day;
    await attack(first);
    expect(await statusOf(right(home, first))).toBe(429);
  });

  test("do not count in a session, nor do those of a session count anywhere else", async () => {
    await addPerson(plane, { email });
    const [one, other] = [signedIn(plane, await right(home)), signedIn(plane, await right(home))];
    const enrol = (session: typeof one, given: string) =>
      statusOf(session.ask("/session/totp", { method: "POST", body: { password: given }, peer: home }));
    for (const _ of Array(5).keys()) expect(await enrol(one, otherPassword)).toBe(422);
    expect(await enrol(one, password)).toBe(429);
    expect(await enrol(other, password)).toBe(201);
    for (const _ of Array(5).keys()) expect(await statusOf(wrong(newPeer()))).toBe(401);
    plane.clock.now += 2000;
    expect(await enrol(one, password)).toBe(201);
  });
});

describe("the addresses from which a person has signed in", () => {
  test("are networks in IPv6, at most 20 and the latest, and go with the user", async () => {
    const id = await addPerson(plane, { email });
    for (const index of Array(25).keys()) {
      plane.clock.now += 1000;
      expect(await statusOf(right(`2001:db8:0:${index}::1`))).toBe(201);
    }
    expect(await countAddresses(id)).toBe(20);
    await attack();
    const latest = ["2001:db8:0:24::1", "2001:db8:0:24:ffff::2", "2001:db8:0:5::1"];
    for (const peer of latest) expect(await statusOf(right(peer))).toBe(201);
    for (const peer of ["2001:db8:0:4::1", "2001:db8:0:25::1"]) expect(await statusOf(right(peer))).toBe(429);
    await plane.database.change((db) => db.deleteFrom("users").where("id", "=", id).execute());
    expect(await countAddresses(id)).toBe(0);
  });

  test("are forgotten when the password is changed, but for the one where that is done, and when it is set by a link", async () => {
    const id = await addPerson(plane, { email });
    const peers = [home, newPeer(), newPeer()];
    const [person] = await Promise.all(peers.map(async (peer) => signedIn(plane, await right(peer))));
    expect(await countAddresses(id)).toBe(3);
    const body = { current_password: password, password: otherPassword };
    await person?.ask("/session/password", { method: "POST", body, peer: home });
    expect(await countAddresses(id)).toBe(1);
    const secret = await plane.database.change((db) =>
      createLink(db, "invitation", id, plane.clock.now, invitationLife),
    );
    const followed = plane.ask("/invitation", { method: "POST", body: { secret, password }, peer: newPeer() });
    expect(await statusOf(followed)).toBe(201);
    expect(await countAddresses(id)).toBe(1);
    await attack();
    expect(await statusOf(right(home))).toBe(429);
  });
});

describe("T20: an attempt of which nothing was compared", () => {
  const overloaded = () => refuse("overloaded", "Too many people are signing in. Try again in a moment.");

  /** Lets comparing fail with the given error, as often as is said by turns. */
  function breakComparing(error: () => Error, isBroken: () => boolean): () => void {
    const { isRight } = plane.service.passwords;
    plane.service.passwords.isRight = (given, stored) =>
      isBroken() ? Promise.reject(error()) : isRight(given, stored);
    return () => {
      plane.service.passwords.isRight = isRight;
    };
  }

  test.each([
    ["too many are signing in", overloaded, 503],
    ["something breaks", () => new Error("broken on purpose"), 500],
  ])("is no failure: where %s, the owner has all attempts left", async (_, error, status) => {
    await addPerson(plane, { email });
    const mend = breakComparing(error, () => true);
    for (const _ of Array(25).keys()) expect(await statusOf(right(home))).toBe(status);
    mend();
    for (const _ of Array(5).keys()) expect(await statusOf(wrong(home))).toBe(401);
    expect(await statusOf(wrong(home))).toBe(429);
  });

  test("makes no delay begin again that has passed", async () => {
    await addPerson(plane, { email });
    await attack();
    plane.clock.now += 900_000;
    const mend = breakComparing(overloaded, () => true);
    expect(await statusOf(right(home))).toBe(503);
    mend();
    expect(await statusOf(right(home))).toBe(201);
  });

  test("gives nothing to others that are made at once: of all of them five are compared", async () => {
    await addPerson(plane, { email });
    let turn = 0;
    const mend = breakComparing(overloaded, () => ++turn % 2 === 0);
    const atOnce = await Promise.all(Array.from({ length: 40 }, () => statusOf(wrong(newPeer()))));
    mend();
    const after = [];
    for (const _ of Array(6).keys()) after.push(await statusOf(wrong(newPeer())));
    const counted = [...atOnce, ...after].filter((status) => status === 401).length;
    expect([counted, after.at(-1), new Set(atOnce).has(503)]).toEqual([5, 429, true]);
  });

  test("is one with a right password and no role to enter with", async () => {
    await addPerson(plane, { email, roles: [] });
    for (const _ of Array(8).keys()) expect(await statusOf(right(home))).toBe(401);
    const { body } = await right(home);
    expect(body.errors).toEqual([
      { error_code: 40107, error_message: "You hold no role here. Ask an administrator for one." },
    ]);
  });

  test("leaves nothing behind while there is no room to compare", async () => {
    const { requireRoom } = plane.service.passwords;
    plane.service.passwords.requireRoom = () => {
      throw overloaded();
    };
    expect(await statusOf(right(home))).toBe(503);
    plane.service.passwords.requireRoom = requireRoom;
    const rows = await plane.database.snapshot((db) =>
      db.selectFrom("sign_in_failures").select("failures").where("key", "=", `address ${home}`).execute(),
    );
    expect(rows).toEqual([]);
  });
});
