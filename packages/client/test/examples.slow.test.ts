import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import { camelCase, pathVariables } from "@holdfast/api/reference/client-methods";
import { resources } from "@holdfast/api/resources/index";
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

/** Makes an item of the resource that an id is of: from the example of the body that creates it. */
async function makeItem(idName: string): Promise<string> {
  const resource = resources.find(({ versions: [{ operations }] }) =>
    operations.some(
      (operation) => operation.kind === "read" && pathVariables(operation).map(camelCase).includes(idName),
    ),
  );
  const creating = resource?.versions[0].operations.find(
    ({ kind, id }) => kind === "write" && id.startsWith("create-"),
  );
  const [body] = creating?.kind === "write" ? (Object(creating.body?.meta()).examples ?? []) : [];
  if (!resource || body === undefined)
    throw new Error(`Nothing makes ${idName}. Give the body of its creation an example.`);
  return (await Reflect.get(holdfast, camelCase(resource.name)).create(body)).id;
}

/** Gives an example what it asks for in its first line. Ids are of items of its own, so that it can do with them what it likes. */
async function makeGiven(run: (given: Given) => Promise<void>): Promise<Given> {
  const name = crypto.randomUUID();
  const makeUser = async (one: string) =>
    given(await holdfast.users.create({ email: `${one}-${name}@example.com`, full_name: one })).id;
  const makeUnit = async (one: string) => (await holdfast.organizationalUnits.create({ name: `${name} ${one}` })).id;
  // In a unit of its own, which has room for a hundred.
  const makeWebhook = async () =>
    given(
      await holdfast.in(await makeUnit("hooks")).webhooks.create({
        name,
        kind: "standard",
        url: "https://hooks.example.org/",
        events: ["task.failed"],
      }),
    ).id;
  const firstOf = async (items: Promise<{ id: string }[]>) => given((await items)[0]).id;
  const makers: Record<string, () => Promise<string>> = {
    token: async () => running.place.token,
    ownEmail: async () => person.email,
    ownPassword: async () => person.password,
    taskId: async () =>
      (await holdfast.tasks.create({ category: "backup", type: "restic_backup", can_abort: true })).id,
    userId: () => makeUser("user"),
    invitedUserId: () => makeUser("invited"),
    unitId: () => makeUnit("unit"),
    emptyUnitId: () => makeUnit("empty"),
    roleId: async () => (await holdfast.roles.create({ name, permissions: ["tasks:read"] })).id,
    reporterRoleId: () => roleId(holdfast, "reporter"),
    apiTokenId: async () => given(await createToken(holdfast, "viewer", name)).id,
    keyId: () => firstOf(holdfast.keys.list().first(1)),
    oldKeyId: async () => oldKeyId,
    auditEventId: () => firstOf(holdfast.auditEvents.list().first(1)),
    monitorId: async () => (await holdfast.monitors.create({ name, slug: name })).id,
    entityId: () => firstOf(holdfast.entities.list().first(1)),
    viewId: async () =>
      (await holdfast.views.create({ name, page: "tasks", query: "outcome=error", is_shared: true })).id,
    webhookId: makeWebhook,
    webhookDeliveryId: async () => (await holdfast.webhooks.test(await makeWebhook())).id,
  };
  const [, asked = ""] = /^async \(\{([^}]*)\}/.exec(String(run)) ?? [];
  const values = asked
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "" && one !== "holdfast" && one !== "signedIn")
    .map(async (one) => [one, await (makers[one] ?? (() => makeItem(one)))()]);
  return {
    ...Object.fromEntries(await Promise.all(values)),
    holdfast: connect({ token: running.place.token }),
    signedIn: connect({ session: true, baseUrl: running.place.baseUrl, fetch: browserFetch() }),
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
