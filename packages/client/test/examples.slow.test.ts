import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import { type Client, connect, type Fetch } from "../src/index";
import { examples, type Given } from "./examples";
import { createToken, given, roleId } from "./scenarios/world";
import { type RunningHoldfast, startHoldfast } from "./start-holdfast";

let running: RunningHoldfast;
let holdfast: Client;
let oldKeyId: string;
const person = { email: "ida@client.example", password: "tractor sails violet noon" };

beforeAll(async () => {
  running = await startHoldfast({ tasks: 50 });
  holdfast = connect({ token: running.place.token });
  // A key that has signed a token, but none that this test uses. One without any would be gone after the next.
  oldKeyId = (await holdfast.keys.rotate()).id;
  await createToken(holdfast, "viewer", "of the old key");
  await holdfast.keys.rotate();
  const secret = running.firstOwnerSecret;
  await holdfast.request("/first-owner", { method: "post", body: { ...person, secret, full_name: "Ida" } });
}, 120_000);

afterAll(() => running.stop());

/** A fetch that keeps the cookie of a session, as a browser does. It signs in when it is first used. */
function browserFetch(): Fetch {
  let cookie: Promise<string> | undefined;
  const signIn = async () => {
    const answer = await fetch(`${running.place.baseUrl}/session`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(person),
    });
    return answer.headers.getSetCookie().join().split(";")[0] ?? "";
  };
  return async (url, init) => {
    cookie ??= signIn();
    return fetch(url, { ...init, headers: { ...Object.fromEntries(new Headers(init.headers)), Cookie: await cookie } });
  };
}

/** Things of an example's own, so that it can do with them what it likes: those that it asks for. */
async function makeGiven(run: (given: Given) => Promise<void>): Promise<Given> {
  const name = crypto.randomUUID();
  // An example says in its first line what it takes.
  const [, asked = ""] = /^async \(\{([^}]*)\}/.exec(String(run)) ?? [];
  const takes = new Set(asked.split(",").map((one) => one.trim()));
  const idOf = async (wanted: readonly (keyof Given)[], make: () => Promise<{ id: string } | undefined>) =>
    wanted.some((one) => takes.has(one)) ? given(await make()).id : "not asked for";
  const makeUser = (one: string) => () =>
    holdfast.users.create({ email: `${one}-${name}@example.com`, full_name: one });
  const unitId = await idOf(["unitId", "webhookId", "webhookDeliveryId"], () =>
    holdfast.organizationalUnits.create({ name }),
  );
  // In the unit, which has room for a hundred.
  const webhookId = await idOf(["webhookId", "webhookDeliveryId"], () =>
    connect({ token: running.place.token, unit: unitId }).webhooks.create({
      name,
      kind: "standard",
      url: "https://hooks.example.org/",
      events: ["task.failed"],
    }),
  );
  return {
    holdfast: connect({ token: running.place.token }),
    signedIn: connect({ session: true, baseUrl: running.place.baseUrl, fetch: browserFetch() }),
    token: running.place.token,
    taskId: await idOf(["taskId"], () =>
      holdfast.tasks.create({ category: "backup", type: "restic_backup", can_abort: true }),
    ),
    userId: await idOf(["userId"], makeUser("user")),
    invitedUserId: await idOf(["invitedUserId"], makeUser("invited")),
    unitId,
    emptyUnitId: await idOf(["emptyUnitId"], () => holdfast.organizationalUnits.create({ name: `${name} empty` })),
    roleId: await idOf(["roleId"], () => holdfast.roles.create({ name, permissions: ["tasks:read"] })),
    reporterRoleId: await roleId(holdfast, "reporter"),
    apiTokenId: await idOf(["apiTokenId"], () => createToken(holdfast, "viewer", name)),
    keyId: await idOf(["keyId"], async () => (await holdfast.keys.list().first(1))[0]),
    oldKeyId,
    auditEventId: await idOf(["auditEventId"], async () => (await holdfast.auditEvents.list().first(1))[0]),
    monitorId: await idOf(["monitorId"], () => holdfast.monitors.create({ name, slug: name })),
    entityId: await idOf(["entityId"], async () => (await holdfast.entities.list().first(1))[0]),
    pingKeyId: await idOf(["pingKeyId"], () => holdfast.pingKeys.create({ name })),
    webhookId,
    webhookDeliveryId: await idOf(["webhookDeliveryId"], () => holdfast.webhooks.test(webhookId)),
    ownEmail: person.email,
    ownPassword: person.password,
  };
}

test.each(Object.entries(examples))("the example of %s runs", async (_, run) => {
  const printed = spyOn(console, "log").mockImplementation(() => {});
  try {
    expect(await run(await makeGiven(run))).toBeUndefined();
  } finally {
    printed.mockRestore();
  }
});
