import { expect, test } from "bun:test";
import { updateAccount } from "../../src/sign-in/accounts";
import { openPlane, type Plane } from "../harness";
import { control } from "../runs";
import { countHashes, otherPassword, password, trySignIn } from "./people";

const emails = ["known@example.org", "unknown@example.org"] as const;
type Email = (typeof emails)[number];

const roundsAtOnce = 24;
const maxRounds = 10 * roundsAtOnce;
const longest = 0.05;

/** Somebody who has a password, and nobody. */
async function openPlaneWithOne(): Promise<Plane> {
  const plane = await openPlane();
  const id = await plane.addUser({ email: "known@example.org", roles: [{ role: "viewer" }] });
  const password_hash = await plane.service.passwords.hash(password);
  await plane.database.change((db) => updateAccount(db, id, { password_hash }));
  return plane;
}

async function timeOf(plane: Plane, email: Email): Promise<number> {
  const startedAt = performance.now();
  const { status } = await trySignIn(plane, { email, password: otherPassword });
  const spent = performance.now() - startedAt;
  expect(status).toBe(401);
  await plane.database.change((db) => db.deleteFrom("sign_in_failures").execute());
  return spent;
}

/**
 * Share by which the known address takes longer than the unknown one. Both are asked in turn, now the one first and
 * now the other, so that what else the machine does meets both. While that hides what is looked for, it asks on.
 */
async function differenceIn(plane: Plane, max = maxRounds): Promise<number> {
  const took: Record<Email, number[]> = { "known@example.org": [], "unknown@example.org": [] };
  // The first of all opens what is opened once.
  for (const email of emails) await timeOf(plane, email);
  for (let round = 0; ; ) {
    for (const end = round + roundsAtOnce; round < end; round++) {
      for (const email of round % 2 === 0 ? emails : emails.toReversed()) took[email].push(await timeOf(plane, email));
    }
    const difference = median(took["known@example.org"]) / median(took["unknown@example.org"]) - 1;
    if (Math.abs(difference) < longest || round >= max) return difference;
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

test("T20: a known and an unknown address take the same time to refuse, within 5 %, and one hash each", async () => {
  const plane = await openPlaneWithOne();
  const hashes = countHashes(plane);
  expect(Math.abs(await differenceIn(plane))).toBeLessThan(longest);
  expect(hashes()).toBeGreaterThanOrEqual(2 * roundsAtOnce);
  expect(hashes() % 2).toBe(0);
  await plane.close();
}, 180_000);

/** Lets comparing take a fifth longer where there is a password to compare with. */
function slowDownForKnown({ service: { passwords } }: Plane): void {
  const { isRight } = passwords;
  passwords.isRight = async (given, stored) => {
    const startedAt = performance.now();
    const fits = await isRight(given, stored);
    if (stored !== null) await Bun.sleep((performance.now() - startedAt) / 5);
    return fits;
  };
}

control(
  "a service that takes a fifth longer for a known address is found out",
  async () => {
    const plane = await openPlaneWithOne();
    slowDownForKnown(plane);
    expect(await differenceIn(plane, roundsAtOnce)).toBeGreaterThan(longest);
    await plane.close();
  },
  180_000,
);
