import { connect, etagOf, HoldfastError } from "../../src/index";
import { createToken, equal, given, holds, roleId, type Scenarios, thrownBy } from "./world";

export const callScenarios: Scenarios = {
  "discovery is read once, and again when a path is gone": async ({ openLane }) => {
    const { lane, client } = openLane();
    const index = await client.discover();
    holds("list-tasks" in Object(index.tasks?.v1), "an owner may list tasks");
    await Promise.all([client.caller.read(), client.roles.list().first(1), client.tasks.list().first(1)]);
    equal((await lane.requests("^GET /$")).length, 1);

    const other = openLane();
    const gone = { kind: "rewrite", from: ['"/roles', '"/task-events'], to: '"/gone-by-now' } as const;
    await other.lane.rule({ pattern: "^GET /$", times: 1, fault: gone });
    holds((await other.client.roles.list().first(1)).length === 1, "the list is found after all");
    equal((await other.lane.requests("^GET /$")).length, 2);
    equal((await other.lane.requests("^GET /gone-by-now")).length, 1);

    const watching = openLane();
    await watching.lane.rule({ pattern: "^GET /$", times: 1, fault: gone });
    for await (const { event } of watching.client.tasks.watch({ limit: 1 })) {
      equal(event, "snapshot");
      break;
    }
    // A path that stays gone is said, and not asked for again and again.
    await other.lane.rule({ pattern: "^GET /$", fault: gone });
    const lost = openLane();
    await lost.lane.rule({ pattern: "^GET /$", fault: gone });
    for (const act of [() => lost.client.roles.list().first(1), () => lost.client.tasks.watch().next()]) {
      const error = await thrownBy(act);
      holds(error instanceof HoldfastError && error.codes.includes(40401), `the path is unknown, not ${error}`);
    }
    equal((await lost.lane.requests("^GET /gone-by-now")).length, 4);
  },

  "the base URL comes from the token": async ({ place, holdfast, mark }) => {
    const { token } = await createToken(holdfast, "viewer", mark());
    equal(connect({ token }).baseUrl, place.baseUrl);
    equal((await connect({ token, baseUrl: `${place.baseUrl}/` }).caller.read()).kind, "service");
    for (const wrong of [{}, { token, session: true }, { session: true }, { token: "abc" }, { token: "a.e30.b" }]) {
      const error = await thrownBy(() => connect(wrong));
      holds(error instanceof TypeError && !error.message.includes(token), `a mistake is said, not ${error}`);
    }
  },

  "users: create, invite, read, update, delete": async ({ holdfast, mark }) => {
    const email = `${mark()}@example.com`;
    const created = await holdfast.users.create({ email, full_name: "Ada" });
    holds(given(created.invitation_link).startsWith(holdfast.baseUrl), "there is a link");
    const again = await holdfast.users.invite(created.id);
    holds(given(again.invitation_link) !== created.invitation_link, "there is another link");
    const updated = await holdfast.users.update(created.id, { full_name: "Ada Lovelace" });
    equal([updated.full_name, (await holdfast.users.read(created.id)).full_name], ["Ada Lovelace", "Ada Lovelace"]);
    equal((await holdfast.users.update(created.id, { is_enabled: false })).is_enabled, false);
    equal(await holdfast.users.delete(created.id), undefined);
    const error = await thrownBy(() => holdfast.users.read(created.id));
    holds(error instanceof HoldfastError && error.status === 404, `the user is gone, not ${error}`);
  },

  "organizational units: create, read, update, delete": async ({ holdfast, mark }) => {
    const name = mark();
    const upper = await holdfast.organizationalUnits.create({ name });
    const lower = await holdfast.organizationalUnits.create({ name: "Lower", parent_id: upper.id });
    equal((await holdfast.organizationalUnits.read(lower.id)).parent_id, upper.id);
    const below = await holdfast.organizationalUnits.list({ filter: { parent_id: upper.id } }).first(5);
    equal(
      below.map(({ id }) => id),
      [lower.id],
    );
    equal((await holdfast.organizationalUnits.update(lower.id, { name: "Lyon" })).name, "Lyon");
    await holdfast.in(lower.id).tasks.create({ category: "system", type: name, status: "completed" });
    const error = await thrownBy(() => holdfast.organizationalUnits.delete(lower.id));
    holds(error instanceof HoldfastError && error.status === 409, `it is not empty, not ${error}`);
    await holdfast.organizationalUnits.delete(lower.id, { moveTo: upper.id });
    const [moved] = await holdfast.tasks.list({ filter: { type: name } }).first(1);
    equal(moved?.organizational_unit_id, upper.id);
  },

  "roles: create, read, list, update, delete": async ({ holdfast, mark }) => {
    const name = mark();
    const { id } = await holdfast.roles.create({ name, permissions: ["tasks:read"] });
    equal((await holdfast.roles.read(id)).permissions, ["tasks:read"]);
    equal((await holdfast.roles.list({ filter: { name } }).first(2)).length, 1);
    equal((await holdfast.roles.update(id, { description: "Reads." })).description, "Reads.");
    equal(await holdfast.roles.delete(id), undefined);
    equal((await holdfast.roles.list({ filter: { name } }).first(2)).length, 0);
  },

  "API tokens: create, read, list, update, rotate, revoke": async ({ holdfast, mark }) => {
    const name = mark();
    const { id, token } = await createToken(holdfast, "viewer", name);
    const found = await holdfast.apiTokens.read(id);
    equal([found.name, found.kind, found.role_id], [name, "service", await roleId(holdfast, "viewer")]);
    equal((await holdfast.apiTokens.update(id, { name: `${name}-2` })).name, `${name}-2`);
    const rotated = await holdfast.apiTokens.rotate(id, { overlap_seconds: 60 });
    for (const one of [token, given(rotated.token)])
      equal((await connect({ token: one }).caller.read()).kind, "service");
    const third = await holdfast.apiTokens.rotate(rotated.id);
    const named = await holdfast.apiTokens.list({ filter: { kind: "service" } }).first(1000);
    holds(
      named.some(({ id }) => id === third.id),
      "the list has the newest",
    );
    equal(await holdfast.apiTokens.revoke(third.id), undefined);
    const error = await thrownBy(() => connect({ token: given(third.token) }).caller.read());
    holds(error instanceof HoldfastError && error.status === 401, `a revoked token is refused, not ${error}`);
  },

  "audit events and the caller can be read": async ({ holdfast, mark }) => {
    const unit = await holdfast.organizationalUnits.create({ name: mark() });
    const done = await holdfast.auditEvents.list({ filter: { result: "done" } }).first(200);
    const event = given(done.find(({ object }) => object?.id === unit.id));
    equal((await holdfast.auditEvents.read(event.id)).operation, "create-organizational-unit");
    const { permissions } = await holdfast.caller.read();
    holds(permissions.includes("tasks:read"), "an owner may read tasks");
    const { response, text } = await holdfast.request("/healthz");
    holds(response.status === 200 && text.length > 0, "other paths can be asked for");
  },

  "tasks: create, update, report, log, abort": async ({ holdfast, mark }) => {
    const type = mark();
    const task = await holdfast.tasks.create({ category: "backup", type, can_abort: true });
    equal([task.status, given(task.lease).attempt], ["in_progress", 1]);
    equal((await holdfast.tasks.create({ id: task.id, category: "backup", type })).id, task.id);
    await holdfast.tasks.update(task.id, { progress_percentage: 40, progress_message: "packing" });
    const read = await holdfast.tasks.read(task.id);
    equal([read.progress_percentage, read.progress_message], [40, "packing"]);
    const text = "один\nzwei\n";
    const size = new TextEncoder().encode(text).length;
    equal(await holdfast.tasks.appendLog(task.id, { offset: 0, text }), { log_size: size });
    const log = await holdfast.tasks.readLog(task.id, { offset: 9, limit: 5 });
    equal([log.text, log.next_offset, log.is_complete], ["zwei\n", size, false]);
    equal((await holdfast.tasks.readLog(task.id, { tail: 5 })).text, "zwei\n");
    equal(await holdfast.tasks.downloadLog(task.id), text);
    const aborting = await holdfast.tasks.abort(task.id, "the disk is needed");
    equal([aborting.status, aborting.abort?.reason], ["aborting", "the disk is needed"]);
    const { results } = await holdfast.tasks.report({
      reports: [{ operation: "update", task_id: task.id, body: { status: "aborted" } }],
    });
    equal(
      results.map(({ status }) => status),
      [200],
    );
    equal((await holdfast.tasks.read(task.id)).outcome, "cancelled");
  },

  "an ETag keeps a change from overwriting another": async ({ holdfast, openLane, mark }) => {
    const { id } = await holdfast.roles.create({ name: mark(), permissions: ["tasks:read"] });
    const role = await holdfast.roles.read(id);
    const first = await holdfast.roles.update(id, { description: "One." }, { ifMatch: etagOf(role) });
    const error = await thrownBy(() => holdfast.roles.update(id, { description: "Two." }, { ifMatch: etagOf(role) }));
    holds(error instanceof HoldfastError && error.status === 412, `it was changed meanwhile, not ${error}`);
    equal(
      (await holdfast.roles.update(id, { description: "Three." }, { ifMatch: etagOf(first) })).description,
      "Three.",
    );
    equal(etagOf({}), undefined);

    // A change that was made is not made again, so such a change is not repeated: the caller has to look.
    const { lane, client } = openLane();
    const read = await client.roles.read(id);
    await lane.rule({ pattern: "^PATCH /roles", fault: { kind: "cut after" } });
    const cut = await thrownBy(() => client.roles.update(id, { description: "Four." }, { ifMatch: etagOf(read) }));
    holds(cut instanceof HoldfastError && cut.status === 0, `the connection broke, not ${cut}`);
    equal((await lane.requests("^PATCH")).length, 1);
    equal((await client.roles.read(id)).description, "Four.");
  },
};
