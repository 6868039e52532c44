import { afterAll, afterEach, expect, test } from "bun:test";
import { updateAccount } from "../../src/sign-in/accounts";
import { addPerson, cookieName, openPlaneForPeople, signIn } from "../access/people";
import type { Ask } from "../harness";
import { timeLimit } from "../runs";
import { eventsOf, type Watch, watch } from "./watch";

const plane = await openPlaneForPeople({ session_idle_minutes: "10" });
const { token: owner } = await plane.serviceToken("owner");
const open: Watch[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});
afterAll(plane.close);

async function begin({ token, unit, headers = {} }: Ask): Promise<Watch> {
  const one = await watch(plane, "", {
    headers,
    ...(token === undefined ? {} : { token }),
    ...(unit === undefined ? {} : { unit }),
  });
  open.push(one);
  await one.until((heard) => heard.length > 0);
  return one;
}

const create = (organizational_unit_id: string) =>
  plane.ask("/tasks", {
    method: "POST",
    token: owner,
    body: { category: "backup", type: "restic_backup", organizational_unit_id },
  });

/** Does something that ends a right, and sees that the stream ends within a second of it, with a reason and nothing more. */
async function expectEnd(one: Watch, act: () => Promise<unknown>, status: number): Promise<void> {
  await act();
  const actedAt = performance.now();
  await one.ended;
  expect(performance.now() - actedAt).toBeLessThan(timeLimit(1_000));
  expect(eventsOf(one.heard)).toEqual(["snapshot", "end"]);
  const [error] = one.heard[1]?.data.errors ?? [];
  expect([Math.floor(error.error_code / 100), typeof error.error_message]).toEqual([status, "string"]);
}

const deed = (path: string, method: string, body?: object) => async () => {
  const answer = await plane.ask(path, { method, token: owner, ...(body ? { body } : {}) });
  expect(answer.status).toBeLessThan(300);
};

test("T33: a stream ends when its token is revoked", async () => {
  const { id, token } = await plane.serviceToken("viewer");
  await expectEnd(await begin({ token }), deed(`/api-tokens/${id}`, "DELETE"), 401);
});

test("T33: a stream ends when the token is revoked before the first second is over", async () => {
  const { id, token } = await plane.serviceToken("viewer");
  const one = await watch(plane, "", { token });
  open.push(one);
  await expectEnd(one, deed(`/api-tokens/${id}`, "DELETE"), 401);
});

test("T33: a stream ends when its token expires, by the clock alone", async () => {
  const { token } = await plane.serviceToken("viewer", undefined, 60_000);
  await expectEnd(await begin({ token }), async () => (plane.clock.now += 60_001), 401);
});

test("T33: a stream ends when a role is lost, and when another one that does not suffice is left", async () => {
  const unit = await plane.addUnit("Yard");
  const both = [
    { role: "viewer", unitId: unit },
    { role: "reporter", unitId: unit },
  ] as const;
  const [some, all] = [await plane.addUser({ roles: [...both] }), await plane.addUser({ roles: [both[0]] })];
  const tokens = [await plane.personalToken(some, unit), await plane.personalToken(all, unit)] as const;
  const [left, none] = [await begin(tokens[0]), await begin(tokens[1])];
  const reporter = [{ role_id: await plane.roleId("reporter"), organizational_unit_ids: [unit] }];
  const change = (user: string, access: object[]) =>
    deed(`/users/${user}`, "PATCH", { access_control_configuration: access });
  await expectEnd(left, change(some, reporter), 403);
  await expectEnd(none, change(all, []), 401);
});

test("T33: a stream ends when its user is disabled, whether it has a token or a session", async () => {
  const email = "ines@example.org";
  const user = await addPerson(plane, { email });
  const { token } = await plane.personalToken(user);
  const { cookie } = await signIn(plane, email);
  const [ofToken, ofSession] = [
    await begin({ token }),
    await begin({ headers: { Cookie: `${cookieName}=${cookie}` } }),
  ];
  const disable = deed(`/users/${user}`, "PATCH", { is_enabled: false });
  await expectEnd(ofToken, disable, 401);
  await expectEnd(ofSession, async () => {}, 401);
});

test("T33: a stream ends when its session does: signed out, idle or over", async () => {
  const email = "otto@example.org";
  const user = await addPerson(plane, { email });
  const begun = async () => {
    const session = await signIn(plane, email);
    return { session, one: await begin({ headers: { Cookie: `${cookieName}=${session.cookie}` } }) };
  };
  const out = await begun();
  await expectEnd(out.one, () => out.session.ask("/session", { method: "DELETE" }), 401);
  const idle = await begun();
  await expectEnd(idle.one, async () => (plane.clock.now += 600_001), 401);
  const changed = await begun();
  await plane.database.change((db) => updateAccount(db, user, { full_name: "Otto" }));
  await Bun.sleep(600);
  expect(eventsOf(changed.one.heard)).toEqual(["snapshot"]);
});

test("T33: what a stream may not show any more is never sent: its unit was moved away from the caller", async () => {
  const [yard, abroad] = [await plane.addUnit("Shipyard"), await plane.addUnit("Abroad")];
  const dock = await plane.addUnit("Dock", yard);
  const viewer = await plane.addUser({ roles: [{ role: "viewer", unitId: yard }] });
  const { token } = await plane.personalToken(viewer, yard);
  const [ofDock, ofYard] = [await begin({ token, unit: dock }), await begin({ token, unit: yard })];
  await expectEnd(ofDock, deed(`/organizational-units/${dock}`, "PATCH", { parent_id: abroad }), 403);
  await ofYard.until((heard) => heard.length === 3);
  const { body: secret } = await create(dock);
  const { body: shown } = await create(yard);
  await ofYard.until((heard) => heard.some(({ event }) => event === "match"));
  expect(ofYard.heard.map(({ event, data }) => [event, data.id])).toEqual([
    ["snapshot", undefined],
    ["reset", undefined],
    ["snapshot", undefined],
    ["match", shown.id],
  ]);
  expect(ofYard.text()).not.toContain(secret.id);
});
