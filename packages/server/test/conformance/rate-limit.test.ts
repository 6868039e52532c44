import { describe, expect, test } from "bun:test";
import { createRateLimit } from "../../src/access/rate-limit";
import { readSettings } from "../../src/settings/settings";
import { addPerson, openPlaneForPeople, signIn } from "../access/people";
import { openPlane } from "../harness";

/** A clock that stands still: nothing is filled up again while a slow machine works. */
const stopped = () => 0;

/** Limit if nothing is set. */
const { rate_limit: standard } = readSettings({ flags: {}, environment: {}, file: null });

describe("the rate limit", () => {
  test("is 500 requests a second with bursts to 1,000 unless it is set otherwise", async () => {
    const plane = await openPlane({ rate_limit: String(standard) });
    const { token } = await plane.serviceToken("viewer");
    const { headers } = await plane.ask("/tasks", { token });
    expect(headers.get("ratelimit-policy")).toBe('"token";q=1000;w=2');
    expect(headers.get("ratelimit")).toMatch(/^"token";r=999;t=1$/);
    await plane.close();
  });

  test("is not met by a program that walks pages one after the other, 2 ms each", () => {
    let elapsed = 0;
    const limitRate = createRateLimit(standard, () => elapsed);
    const walk = () => {
      for (let page = 0; page < 10_000; page++) {
        elapsed += 2;
        limitRate({ limitedAs: "walker", userId: null });
      }
    };
    expect(walk).not.toThrow();
  });

  test("refuses with 429 and says when to come back, while another service goes on", async () => {
    const plane = await openPlane({ rate_limit: "1" });
    const [busy, calm] = [await plane.serviceToken("viewer"), await plane.serviceToken("viewer")];
    const statuses = [];
    for (let count = 0; count < 2; count++) statuses.push((await plane.ask("/tasks", { token: busy.token })).status);
    const { status, headers, body } = await plane.ask("/tasks", { token: busy.token });
    expect([...statuses, status]).toEqual([200, 200, 429]);
    expect(body).toEqual({
      errors: [
        {
          error_code: 42901,
          error_message: "This service may make 1 requests a second. Wait a second, then try again.",
        },
      ],
    });
    expect(headers.get("retry-after")).toBe("1");
    expect(headers.get("ratelimit-policy")).toBe('"token";q=2;w=2');
    expect(headers.get("ratelimit")).toMatch(/^"token";r=0;t=2$/);
    expect(headers.get("vary")).toBe("Accept, Accept-Encoding, Authorization, x-svc-organizationalunit-context");
    expect((await plane.ask("/tasks", { token: calm.token })).status).toBe(200);
    await plane.close();
  });

  test("counts all tokens and sessions of a person together, however many they make", async () => {
    const plane = await openPlaneForPeople();
    plane.service.limitRate = createRateLimit(2, stopped);
    const viewer = await addPerson(plane, { email: "viewer@example.org" });
    const session = await signIn(plane, "viewer@example.org");
    const again = await signIn(plane, "viewer@example.org");
    const made = await session.ask("/api-tokens", { method: "POST", body: { kind: "personal", name: "more" } });
    const { token } = await plane.personalToken(viewer);
    const answers = [
      made,
      await plane.ask("/tasks", { token: made.body.token }),
      await plane.ask("/tasks", { token }),
      await again.ask("/session"),
      await plane.ask("/tasks", { token }),
      await plane.ask("/tasks", { token: made.body.token }),
      await session.ask("/tasks"),
      await again.ask("/session"),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 200, 200, 429, 429, 429, 429]);
    expect(answers[4]?.body.errors).toEqual([
      {
        error_code: 42901,
        error_message:
          "You, with all your tokens and sessions together, may make 2 requests a second. Wait a second, then try again.",
      },
    ]);
    const other = await plane.personalToken(await addPerson(plane));
    expect((await plane.ask("/tasks", { token: other.token })).status).toBe(200);
    await plane.close();
  });

  test("counts a service token together with those that it was rotated from", async () => {
    const plane = await openPlane();
    plane.service.limitRate = createRateLimit(1, stopped);
    const admin = await plane.personalToken(await plane.addUser({ roles: [{ role: "admin" }] }));
    const second = await plane.personalToken(await plane.addUser({ roles: [{ role: "admin" }] }));
    const first = await plane.serviceToken("viewer");
    const rotate = async (id: string, token: string) =>
      (await plane.ask(`/api-tokens/${id}/rotate`, { method: "POST", token, body: { overlap_seconds: 60 } })).body;
    const next = await rotate(first.id, admin.token);
    const last = await rotate(next.id, second.token);
    const statuses = [];
    for (const { token } of [first, last, next, last]) statuses.push((await plane.ask("/tasks", { token })).status);
    expect(statuses).toEqual([200, 200, 429, 429]);
    await plane.close();
  });

  test("counts 304 and refusals too", async () => {
    const plane = await openPlane({ rate_limit: "1" });
    const { token } = await plane.serviceToken("viewer");
    const unchanged = await plane.ask("/tasks", { token, headers: { "If-None-Match": "*" } });
    const refused = await plane.ask("/tasks", { token, accept: "text/html" });
    expect([unchanged.status, refused.status]).toEqual([304, 406]);
    expect(unchanged.headers.get("ratelimit")).toStartWith('"token";r=1;');
    expect(refused.headers.get("ratelimit")).toStartWith('"token";r=0;');
    expect((await plane.ask("/tasks", { token })).status).toBe(429);
    await plane.close();
  });

  test("does not hold for paths that need no token", async () => {
    const plane = await openPlane({ rate_limit: "1" });
    const statuses = new Set<number>();
    for (let count = 0; count < 5; count++) statuses.add((await plane.ask("/healthz")).status);
    expect([...statuses]).toEqual([200]);
    await plane.close();
  });

  test("can be turned off", async () => {
    const plane = await openPlane({ rate_limit: "0" });
    const { token } = await plane.serviceToken("viewer");
    const { status, headers } = await plane.ask("/tasks", { token });
    expect([status, headers.has("ratelimit"), headers.has("ratelimit-policy")]).toEqual([200, false, false]);
    await plane.close();
  });
});
