import { connect, HoldfastError } from "../../src/index";
import { createToken, equal, given, holds, type Scenarios, sleep, thrownBy } from "./world";

/** The facts of an error that a call throws. */
async function failure(act: () => unknown): Promise<HoldfastError> {
  const error = await thrownBy(act);
  if (error instanceof HoldfastError) return error;
  throw error;
}

export const errorScenarios: Scenarios = {
  "an answer that refuses says why": async ({ holdfast }) => {
    const missing = await failure(() => holdfast.tasks.read("00000000-0000-4000-8000-000000000000"));
    equal([missing.status, missing.codes, missing.field, missing.name], [404, [40402], undefined, "HoldfastError"]);
    holds(given(missing.requestId).length > 0, "the request has an id");
    equal(missing.message, missing.messages.join(" "));
    const wrong = await failure(() => holdfast.roles.create({ name: "", permissions: [] }));
    equal([wrong.status, wrong.field], [422, "/name"]);
    const odd = await failure(() => holdfast.tasks.read("../users?x=1#y"));
    equal([odd.status, odd.codes], [404, [40402]]);
  },

  "what discovery does not offer is 403, and is found once the right is there": async ({ holdfast, mark }) => {
    const name = mark();
    const role = await holdfast.roles.create({ name, permissions: ["tasks:read"] });
    const { token } = given(await holdfast.apiTokens.create({ name, kind: "service", role_id: role.id }));
    const client = connect({ token: given(token) });
    const refused = await failure(() => client.users.list().first(1));
    equal([refused.status, refused.codes], [403, [0]]);
    holds(refused.message.includes("list-users"), "the operation is named");
    await holdfast.roles.update(role.id, { permissions: ["tasks:read", "users:read"] });
    holds((await client.users.list().first(1)).length === 1, "the right has come");
  },

  "a revoked token is 401": async ({ holdfast, mark }) => {
    const { id, token } = await createToken(holdfast, "viewer", mark());
    const client = connect({ token });
    await client.tasks.list().first(1);
    await holdfast.apiTokens.revoke(id);
    equal((await failure(() => client.tasks.list().first(1))).status, 401);
  },

  "no answer is status 0, with what went wrong": async ({ place, holdfast, mark, openLane }) => {
    const { token } = await createToken(holdfast, "viewer", mark());
    const away = connect({ token, baseUrl: place.closedUrl, retries: 1 });
    const refused = await failure(() => away.tasks.list().first(1));
    equal([refused.status, refused.cause instanceof Error], [0, true]);
    holds(refused.message.includes(place.closedUrl) && !refused.message.includes(token), refused.message);

    const { lane, client } = openLane();
    await client.discover();
    await lane.rule({ pattern: "^GET /roles", fault: { kind: "hang" } });
    const late = await failure(() => client.roles.list({ timeoutMs: 1_000, retries: 1 }).first(1));
    equal(late.status, 0);
    holds(late.message.includes("did not answer within 1 s"), late.message);
    equal((await lane.requests("^GET /roles")).length, 2);
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error("enough")), 100);
    equal(String(await thrownBy(() => client.roles.list({ signal: stop.signal }).first(1))), "Error: enough");
  },

  "a signal that was aborted before keeps a call from being made": async ({ openLane, mark }) => {
    const { lane, client } = openLane({ retries: 0 });
    // Calls under way for others fail, and nothing waits for them any more.
    await lane.rule({ pattern: ".", fault: { kind: "cut before" } });
    const signal = AbortSignal.abort(new Error("enough"));
    const change = () => client.roles.create({ name: mark(), permissions: ["tasks:read"] }, { signal });
    equal(String(await thrownBy(change)), "Error: enough");
    equal(String(await thrownBy(() => client.tasks.watch({ signal }).next())), "Error: enough");
    await sleep(200);
    equal((await lane.requests("roles|events")).length, 0);
  },

  "what is not Holdfast is said": async ({ openLane }) => {
    const { lane, client } = openLane();
    const page = { kind: "answer", status: 200, headers: { "Content-Type": "text/html" }, body: "<html>" } as const;
    await lane.rule({ pattern: "^GET /$", fault: page });
    holds((await failure(() => client.tasks.list().first(1))).message.includes("not Holdfast"), "it is not Holdfast");
    await lane.rule({ pattern: "^GET /$", fault: { kind: "answer", status: 400, body: "<html>no</html>" } });
    const odd = await failure(() => client.tasks.list().first(1));
    equal([odd.status, odd.codes, odd.messages], [400, [0], ["The answer was 400, without a reason."]]);
  },
};
