import { expect, test } from "bun:test";
import { openPlane } from "../harness";
import { countHashes, otherPassword, password, trySignIn } from "./people";

const rounds = 25;

test("T20: a known and an unknown address take the same time to refuse, and one hash each", async () => {
  const plane = await openPlane();
  const hashes = countHashes(plane);
  const id = await plane.addUser({ email: "known@example.org", roles: [{ role: "viewer" }] });
  const password_hash = await plane.service.passwords.hash(password);
  await plane.database.change((db) => db.updateTable("users").set({ password_hash }).where("id", "=", id).execute());
  const took = { "known@example.org": [] as number[], "unknown@example.org": [] as number[] };
  const emails = ["known@example.org", "unknown@example.org"] as const;
  for (const round of Array(rounds + 1).keys()) {
    for (const email of round % 2 === 0 ? emails : emails.toReversed()) {
      const startedAt = performance.now();
      const { status } = await trySignIn(plane, { email, password: otherPassword });
      const spent = performance.now() - startedAt;
      expect(status).toBe(401);
      // The first round opens what is opened once.
      took[email].push(...(round === 0 ? [] : [spent]));
      await plane.database.change((db) => db.deleteFrom("sign_in_failures").execute());
    }
  }
  expect(hashes()).toBe(2 * (rounds + 1));
  const [known, unknown] = [median(took["known@example.org"]), median(took["unknown@example.org"])];
  // Medians lie within a few per cent on a quiet machine; a missing hash would show as nearly all of the time.
  expect(Math.abs(known - unknown) / Math.max(known, unknown)).toBeLessThan(0.25);
  await plane.close();
}, 120_000);

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
