import { expect, test } from "bun:test";
import { auditTrail, countHashes, openPlaneForPeople, password } from "./people";

test("T20: 2,000 guesses with 2,000 made-up X-Forwarded-For reach the hash 20 times, and the audit trail names the peer", async () => {
  const plane = await openPlaneForPeople();
  const hashes = countHashes(plane);
  const peer = "198.51.100.7";
  const statuses: number[] = [];
  for (const number of Array(2000).keys()) {
    const { status } = await plane.ask("/session", {
      method: "POST",
      body: { email: `forwarded-${number}@example.org`, password },
      headers: { "X-Forwarded-For": `10.${number >> 8}.${number & 255}.1`, Forwarded: "for=10.9.9.9" },
      peer,
    });
    statuses.push(status);
  }
  expect([hashes(), statuses]).toEqual([20, [...Array(20).fill(401), ...Array(1980).fill(429)]]);
  const trail = await auditTrail(plane);
  expect([...new Set(trail.map(({ actor }) => actor.address))]).toEqual([peer]);
  expect(trail.reduce((sum, { count }) => sum + count, 0)).toBe(2000);
  expect(trail.length).toBeLessThan(100);
  await plane.close();
}, 120_000);
