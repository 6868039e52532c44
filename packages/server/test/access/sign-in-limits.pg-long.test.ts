import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Answered, Plane } from "../harness";
import { addPerson, auditTrail, countHashes, openPlaneForPeople, otherPassword, password, trySignIn } from "./people";

let plane: Plane;
let hashes: () => number;
beforeAll(async () => {
  plane = await openPlaneForPeople();
  hashes = countHashes(plane, "account");
});
afterAll(() => plane.close());

/** Each test has addresses of its own, so that none gets in another's way. */
let networks = 0;
const newPeer = () => {
  networks += 1;
  return `198.${networks >> 8}.${networks & 255}.1`;
};
const wrong = (email: string, peer: string) => trySignIn(plane, { email, password: otherPassword }, { peer });
const right = (email: string, peer: string) => trySignIn(plane, { email, password }, { peer });
const told = ({ status, headers }: Answered) => [status, headers.get("retry-after")];

describe("T20: guessing", () => {
  test("at one account is slowed down more and more, from whatever address, whether or not there is one", async () => {
    await addPerson(plane, { email: "target@example.org" });
    for (const email of ["target@example.org", "no-target@example.org"]) {
      for (const _ of Array(5).keys()) expect((await wrong(email, newPeer())).status).toBe(401);
      for (const seconds of [2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]) {
        expect(told(await wrong(email, newPeer()))).toEqual([429, String(seconds)]);
        plane.clock.now += seconds * 1000;
        expect((await wrong(email, newPeer())).status).toBe(401);
      }
    }
  });

  test("is told what to do, and the right password does not get through meanwhile", async () => {
    await addPerson(plane, { email: "waits@example.org" });
    for (const _ of Array(5).keys()) await wrong("waits@example.org", newPeer());
    const before = hashes();
    const answered = await right("Waits@Example.org", newPeer());
    expect([answered.status, answered.body]).toEqual([
      429,
      {
        errors: [
          {
            error_code: 42902,
            error_message:
              "Signing in has failed too often. Wait 2 seconds, then try again. Where you have signed in before, the right password is taken at once.",
          },
        ],
      },
    ]);
    expect(hashes()).toBe(before);
    plane.clock.now += 2000;
    expect((await right("waits@example.org", newPeer())).status).toBe(201);
  });

  test("starts anew for an account whose owner has signed in", async () => {
    await addPerson(plane, { email: "anew@example.org" });
    for (const _ of Array(4).keys()) await wrong("anew@example.org", newPeer());
    expect((await right("anew@example.org", newPeer())).status).toBe(201);
    for (const _ of Array(5).keys()) expect((await wrong("anew@example.org", newPeer())).status).toBe(401);
    expect((await wrong("anew@example.org", newPeer())).status).toBe(429);
  });

  test("from one address is slowed down over all accounts, and an own account does not help", async () => {
    const peer = newPeer();
    await addPerson(plane, { email: "own@example.org" });
    for (const number of Array(20).keys()) {
      expect((await right("own@example.org", peer)).status).toBe(201);
      expect((await wrong(`spray-${number}@example.org`, peer)).status).toBe(401);
    }
    const held = await wrong("spray-20@example.org", peer);
    expect([...told(held), held.body.errors[0].error_message]).toEqual([
      429,
      "2",
      "Signing in has failed too often. Wait 2 seconds, then try again.",
    ]);
    expect((await wrong("spray-20@example.org", newPeer())).status).toBe(401);
  });

  test("from one network of IPv6 is slowed down as from one address", async () => {
    for (const number of Array(20).keys()) {
      expect((await wrong(`six-${number}@example.org`, `2001:db8:0:1::${number + 1}`)).status).toBe(401);
    }
    expect((await wrong("six-20@example.org", "2001:db8:0:1:ffff:ffff:ffff:ffff")).status).toBe(429);
    expect((await wrong("six-20@example.org", "2001:db8:0:2::1")).status).toBe(401);
  });

  test("at once gets no further than one after the other", async () => {
    await addPerson(plane, { email: "at-once@example.org" });
    const before = hashes();
    const tried = await Promise.all(Array.from({ length: 40 }, () => wrong("at-once@example.org", newPeer())));
    expect(tried.filter(({ status }) => status === 401).length).toBe(5);
    expect(tried.filter(({ status }) => status === 429).length).toBe(35);
    expect(hashes() - before).toBe(5);
  });

  test("is forgotten after a day", async () => {
    for (const _ of Array(8).keys()) {
      await wrong("forgotten@example.org", newPeer());
      plane.clock.now += 20_000;
    }
    plane.clock.now += 86_400_001;
    for (const _ of Array(5).keys()) expect((await wrong("forgotten@example.org", newPeer())).status).toBe(401);
    expect((await wrong("forgotten@example.org", newPeer())).status).toBe(429);
  });

  test("leaves nothing of what was typed in the table of failures", async () => {
    await wrong("My Secret Password!", newPeer());
    const rows = await plane.database.snapshot((db) => db.selectFrom("sign_in_failures").select("key").execute());
    expect(rows.filter(({ key }) => !/^(account (here )?[0-9a-f]{64}|address [0-9a-f.:]+(\/64)?)$/.test(key))).toEqual(
      [],
    );
  });
});

test("behind a trusted proxy each client has a limit of its own, and is who the audit trail names", async () => {
  const behind = await openPlaneForPeople({ trusted_proxies: "10.0.0.0/8" });
  const from = (client: string, number: number) =>
    behind.ask("/session", {
      method: "POST",
      body: { email: `p${number}@example.org`, password },
      headers: { "X-Forwarded-For": `1.1.1.${number}, ${client}` },
      peer: "10.0.0.1",
    });
  for (const number of Array(20).keys()) expect((await from("203.0.113.7", number)).status).toBe(401);
  expect((await from("203.0.113.7", 20)).status).toBe(429);
  expect((await from("203.0.113.8", 20)).status).toBe(401);
  const told = new Map<string, number>();
  // On a slow machine refusals that are alike are told of in two parts.
  for (const { actor, reason, count } of await auditTrail(behind)) {
    told.set(`${actor.address} ${reason}`, (told.get(`${actor.address} ${reason}`) ?? 0) + count);
  }
  expect([...told].toSorted()).toEqual([
    ["203.0.113.7 attemptsExceeded", 1],
    ["203.0.113.7 signInFailed", 20],
    ["203.0.113.8 signInFailed", 1],
  ]);
  await behind.close();
});
