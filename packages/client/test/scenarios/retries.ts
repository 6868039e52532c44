import { HoldfastError } from "../../src/index";
import type { ProxyFault } from "./lane";
import { createToken, equal, given, holds, type Scenarios, thrownBy } from "./world";

const cutBefore: ProxyFault = { kind: "cut before" };
const cutAfter: ProxyFault = { kind: "cut after" };
const away: ProxyFault = { kind: "answer", status: 503, headers: { "Retry-After": "0" } };

export const retryScenarios: Scenarios = {
  "a change is made once, whatever happens to its connection": async ({ openLane, mark }) => {
    const { lane, client } = openLane();
    const name = mark();
    await client.discover();
    await lane.rule(
      { pattern: "^POST /roles", times: 1, fault: cutBefore },
      { pattern: "^POST /roles", times: 1, fault: away },
      { pattern: "^POST /roles", times: 1, fault: cutAfter },
    );
    const role = await client.roles.create({ name, permissions: ["tasks:read"] });
    const sent = await lane.requests("^POST /roles");
    equal([sent.length, new Set(sent.map(({ key }) => key)).size], [4, 1]);
    const found = await client.roles.list({ filter: { name } }).first(5);
    equal(
      found.map(({ id }) => id),
      [role.id],
    );
    await lane.rule({ pattern: "^PATCH /roles", times: 1, fault: cutAfter });
    equal((await client.roles.update(role.id, { description: "Once." })).description, "Once.");

    await lane.rule({ pattern: "^POST /tasks", times: 1, fault: cutAfter });
    const task = await client.tasks.create({ category: "system", type: name });
    equal((await lane.requests("^POST /tasks")).length, 2);
    equal(
      (await client.tasks.list({ filter: { type: name } }).first(5)).map(({ id }) => id),
      [task.id],
    );
  },

  "what was deleted by a call whose answer was lost counts as deleted": async ({ openLane, mark }) => {
    const { lane, client } = openLane();
    const role = await client.roles.create({ name: mark(), permissions: ["tasks:read"] });
    await lane.rule({ pattern: "^DELETE", times: 1, fault: cutAfter });
    equal(await client.roles.delete(role.id), undefined);
    equal((await lane.requests("^DELETE")).length, 2);
    const error = await thrownBy(() => client.roles.delete(role.id));
    holds(error instanceof HoldfastError && error.status === 404, `what was never there is said, not ${error}`);
    const token = await createToken(client, "viewer", mark());
    await lane.rule({ pattern: "^DELETE", times: 1, fault: cutAfter });
    equal(await client.apiTokens.revoke(token.id), undefined);
  },

  "reading is repeated, and so is what was refused before any work": async ({ openLane }) => {
    const { lane, client } = openLane();
    await lane.rule(
      { pattern: "^GET /$", times: 1, fault: cutBefore },
      { pattern: "^GET /roles", times: 1, fault: cutAfter },
      { pattern: "^GET /roles", times: 1, fault: { kind: "cut within", bytes: 20 } },
      { pattern: "^GET /roles", times: 1, fault: { kind: "answer", status: 502, body: "<html>" } },
    );
    holds((await client.roles.list().first(1)).length === 1, "the list comes");
    equal((await lane.requests("^GET /roles")).length, 4);
  },

  "a wait is as long as the service asks for, and no call waits for ever": async ({ openLane }) => {
    const { lane, client } = openLane();
    await client.discover();
    const busy = (seconds: string): ProxyFault => ({
      kind: "answer",
      status: 429,
      headers: { "Retry-After": seconds },
    });
    await lane.rule({ pattern: "^GET /caller", times: 1, fault: busy("1") });
    await client.caller.read();
    const [first, second] = await lane.requests("^GET /caller");
    const waited = given(second).at - given(first).at;
    // A second, at most a fifth more, and what a busy machine adds.
    holds(waited >= 990 && waited < 20_000, `about a second, not ${waited} ms`);

    await lane.rule({ pattern: "^GET /caller", fault: busy("3600") });
    const error = await thrownBy(() => client.caller.read());
    holds(error instanceof HoldfastError && error.status === 429 && error.retryAfter === 3600, `at once, not ${error}`);
    equal((await lane.requests("^GET /caller")).length, 3);

    await lane.rule({ pattern: "^GET /caller", fault: busy(new Date(Date.now() + 7_200_000).toUTCString()) });
    const dated = await thrownBy(() => client.caller.read());
    holds(dated instanceof HoldfastError && given(dated.retryAfter) > 7_000, "a date is read, too");

    await lane.rule({ pattern: "^GET /caller", fault: away });
    const tired = await thrownBy(() => client.caller.read({ retries: 2 }));
    holds(tired instanceof HoldfastError && tired.status === 503, `tries end, not ${tired}`);
    equal((await lane.requests("^GET /caller")).length, 7);

    await lane.rule({ pattern: "^GET /caller", fault: busy("30") });
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error("enough")), 200);
    const aborted = await thrownBy(() => client.caller.read({ signal: stop.signal }));
    equal(String(aborted), "Error: enough");
  },

  "a request to a path of its own is repeated only if it is a GET": async ({ openLane }) => {
    const { lane, client } = openLane();
    await lane.rule({ pattern: "^GET /healthz", times: 1, fault: cutAfter });
    equal((await client.request("/healthz")).response.status, 200);
    await lane.rule({ pattern: "^POST /healthz", fault: cutBefore });
    const error = await thrownBy(() => client.request("/healthz", { method: "post", body: {} }));
    holds(error instanceof HoldfastError && error.status === 0, `the connection broke, not ${error}`);
    equal((await lane.requests("^POST /healthz")).length, 1);
  },
};
