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

/** Things of an example's own, so that it can do with them what it likes. */
async function makeGiven(): Promise<Given> {
  const name = crypto.randomUUID();
  const unit = await holdfast.organizationalUnits.create({ name });
  const empty = await holdfast.organizationalUnits.create({ name: `${name} empty` });
  const role = await holdfast.roles.create({ name, permissions: ["tasks:read"] });
  const [user, invited] = await Promise.all(
    ["user", "invited"].map((one) => holdfast.users.create({ email: `${one}-${name}@example.com`, full_name: one })),
  );
  const task = await holdfast.tasks.create({ category: "backup", type: "restic_backup", can_abort: true });
  const monitor = await holdfast.monitors.create({ name, slug: name });
  const pingKey = await holdfast.pingKeys.create({ name });
  const [entity] = await holdfast.entities.list().first(1);
  // In the unit, which has room for a hundred.
  const webhook = await connect({ token: running.place.token, unit: unit.id }).webhooks.create({
    name,
    kind: "standard",
    url: "https://hooks.example.org/",
    events: ["task.failed"],
  });
  const delivery = await holdfast.webhooks.test(webhook.id);
  const [key] = await holdfast.keys.list().first(1);
  const [event] = await holdfast.auditEvents.list().first(1);
  return {
    holdfast: connect({ token: running.place.token }),
    signedIn: connect({ session: true, baseUrl: running.place.baseUrl, fetch: browserFetch() }),
    token: running.place.token,
    taskId: task.id,
    userId: given(user).id,
    invitedUserId: given(invited).id,
    unitId: unit.id,
    emptyUnitId: empty.id,
    roleId: role.id,
    reporterRoleId: await roleId(holdfast, "reporter"),
    apiTokenId: (await createToken(holdfast, "viewer", name)).id,
    keyId: given(key).id,
    oldKeyId,
    auditEventId: given(event).id,
    monitorId: monitor.id,
    entityId: given(entity).id,
    pingKeyId: pingKey.id,
    webhookId: webhook.id,
    webhookDeliveryId: delivery.id,
    ownEmail: person.email,
    ownPassword: person.password,
  };
}

let shared: Promise<Given> | undefined;

/** An example says in its first line what it takes. Those that take neither an id nor a session use nothing up, so they share what there is. */
function givenFor(run: (given: Given) => Promise<void>): Promise<Given> {
  if (/^async \(\{[^}]*(Id|signedIn)\b/.test(String(run))) return makeGiven();
  shared ??= makeGiven();
  return shared;
}

test.each(Object.entries(examples))("the example of %s runs", async (_, run) => {
  const printed = spyOn(console, "log").mockImplementation(() => {});
  try {
    expect(await run(await givenFor(run))).toBeUndefined();
  } finally {
    printed.mockRestore();
  }
});
