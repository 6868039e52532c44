import { afterAll, describe, expect, test } from "bun:test";
import { isReadOperation } from "@holdfast/api/conventions/operation";
import { defaultRoles, type Permission, permissions } from "@holdfast/api/conventions/permissions";
import { auditEventV1 } from "@holdfast/api/resources/audit-events";
import { readPermissions } from "../../src/access/role-permissions";
import { createToken } from "../../src/resources/api-tokens/store";
import { grantRole, revokeRole } from "../../src/resources/users/store";
import { everything } from "../conformance/declared";
import { type Answered, openPlane, root } from "../harness";
import { firstOf, someOnPostgres } from "../runs";
import type { Asker, Preparation, PreparedRequest, SamplePlane } from "../samples/resource-sample";
import { preparationsOf } from "../samples/samples";
import { expectedStatus, type ModelCaller, type ModelPlace, mayCall, type Relation } from "./permission-model";

const plane = await openMatrixPlane();
afterAll(plane.close);
const { units } = plane;
const absent = "11111111-1111-4111-8111-111111111111";

/** May do all that there is, except what is given and taken here: so it can give nothing away. */
const miserly = Object.keys(permissions).filter((name) => name !== "tasks:report");
const body = { name: "Miser", permissions: miserly };
const custom = await plane.ask("/roles", { method: "POST", token: plane.owner, body });

type HeldRole = { name: string; id: string; permissions: ReadonlySet<Permission> };
const defaults = Object.entries(defaultRoles).map(
  ([name, { id, permissions: held }]): HeldRole => ({ name, id, permissions: new Set(held) }),
);
const isAtEnd = ({ name }: HeldRole) => name === "viewer" || name === "owner";

/**
 * The model is given what a role allows, so a default run is enough with one that was made here and the smallest.
 * It is no matter of the database either: one does on PostgreSQL.
 */
const roles = someOnPostgres(
  1,
  firstOf(2, [
    { name: "custom", id: custom.body.id, permissions: readPermissions(JSON.stringify(miserly)) },
    ...defaults.toSorted((a, b) => Number(isAtEnd(b)) - Number(isAtEnd(a))),
  ]),
);

const relations: Relation[] = ["root", "above", "own", "below", "beside"];

async function openMatrixPlane(): Promise<SamplePlane> {
  const opened = await openPlane();
  const above = await opened.addUnit("Above");
  const own = await opened.addUnit("Own", above);
  const below = await opened.addUnit("Below", own);
  const beside = await opened.addUnit("Beside", above);
  await opened.addUser({ roles: [{ role: "owner" }] });
  const { token: owner } = await opened.serviceToken("owner");
  return { ...opened, units: { root, above, own, below, beside }, owner };
}

interface MatrixCaller extends ModelCaller, Asker {
  name: string;
  token: string;
}

async function makeToken(
  holder: { kind: "personal"; userId: string } | { kind: "service"; roleId: string },
  unitId: string,
) {
  const { database, controlPlane, clock } = plane;
  const token = { name: "matrix", unitId, holder, createdBy: null, life: 86_400_000 };
  const about = { baseUrl: "http://holdfast.test", now: clock.now, token };
  return database.change((db) => createToken(db, controlPlane.sealer, about));
}

async function makePerson(roleId: string, unitId: string) {
  const userId = await plane.addUser({});
  await plane.database.change((db) => grantRole(db, { userId, roleId, unitId }));
  const { token } = await makeToken({ kind: "personal", userId }, unitId);
  return { userId, holder: userId, token };
}

/** Everybody who asks: each role, held in each relation to the unit that is acted in, by a person and by a service. */
const callers: MatrixCaller[] = [];
for (const heldIn of relations) {
  const unitId = units[heldIn];
  for (const { name, ...role } of roles) {
    const { id: holder, token } = await makeToken({ kind: "service", roleId: role.id }, unitId);
    const common = { permissions: role.permissions, heldIn, unitId };
    callers.push({ ...common, name: `${name} ${heldIn} service`, kind: "service", token, holder, userId: undefined });
    const person = await makePerson(role.id, unitId);
    callers.push({ ...common, name: `${name} ${heldIn} personal`, kind: "personal", ...person });
  }
  const { userId, token } = await makePerson(defaultRoles.owner.id, unitId);
  await plane.database.change((db) => revokeRole(db, { userId, roleId: defaultRoles.owner.id, unitId }));
  const nobody = {
    name: `nobody ${heldIn} personal`,
    kind: "personal",
    permissions: undefined,
    heldIn,
    unitId,
  } as const;
  callers.push({ ...nobody, userId: undefined, holder: userId, token });
}

/** One answer of the matrix. */
interface Seen {
  preparation: Preparation;
  caller: MatrixCaller;
  operation: (typeof everything)[number]["operation"];
  place: ModelPlace;
  itemId: string | undefined;
  auditedIn: string | undefined;
  answer: Answered;
}

/** Answers, for the tests after the matrix. */
const seen: Seen[] = [];

const asked = everything.flatMap(({ name, ...others }) =>
  preparationsOf(others.operation.id).map((preparation) => ({
    ...others,
    preparation,
    name: [name, preparation.what ?? []].flat().join(", "),
  })),
);

describe.each(asked)("$name", ({ operation, accept, preparation }) => {
  const method = operation.method.toUpperCase();
  const addressOf = (id = "") => operation.path.replace(/\{\w+\}/, id);
  /** A prepared item stays so until somebody has done something with it. */
  const ready = new Map<string, PreparedRequest>();

  const keyOf = ({ name }: MatrixCaller, place: ModelPlace) =>
    place === "mine" || preparation.isOwn ? `${place} ${name}` : place;

  async function prepare(caller: MatrixCaller, place: ModelPlace): Promise<PreparedRequest> {
    const key = keyOf(caller, place);
    const prepared = ready.get(key) ?? (await preparation.prepare(plane, place, caller));
    ready.set(key, prepared);
    return prepared;
  }

  /** A request that was done is used up: the next one needs another item. */
  function forgetUsed(caller: MatrixCaller, place: ModelPlace, { status }: Answered): void {
    if (status < 300 && !isReadOperation(operation)) ready.delete(keyOf(caller, place));
  }

  test("T7, T8, T9: is answered as the model says to every role, wherever it is held and wherever the item lives", async () => {
    const found: { caller: string; place: ModelPlace; expected: number; status: number; text: string }[] = [];
    for (const caller of callers) {
      const ask = { method, accept, token: caller.token, unit: units.own };
      for (const place of preparation.places.filter((one) => one !== "mine" || caller.userId !== undefined)) {
        const { itemId, query = "", body, auditedIn } = await prepare(caller, place);
        const answer = await plane.ask(`${addressOf(itemId)}${query}`, { ...ask, ...(body ? { body } : {}) });
        seen.push({ caller, operation, preparation, place, itemId, auditedIn, answer });
        forgetUsed(caller, place, answer);
        const expected = expectedStatus(operation, caller, { ...preparation, place });
        found.push({ caller: caller.name, place, expected, status: answer.status, text: answer.text });
      }
    }
    expect(found.filter(({ expected, status }) => status !== expected)).toEqual([]);
  });

  test("T8: answers alike, byte for byte, for what is not there and for what is not theirs", async () => {
    const compared: { name: string; place: ModelPlace; bytes: string; absent: string }[] = [];
    const hidden = Map.groupBy(
      seen.filter(
        (one) =>
          one.preparation === preparation && one.operation === operation && one.itemId !== undefined && isHidden(one),
      ),
      ({ caller }) => caller,
    );
    for (const [{ token, name }, answers] of hidden) {
      const body = ready.values().find((one) => one.body)?.body;
      const ask = { method, accept, token, unit: units.own, ...(body ? { body } : {}) };
      const answer = await plane.ask(addressOf(absent), ask);
      seen.push(...answers.slice(0, 1).map((one) => ({ ...one, itemId: absent, answer })));
      for (const one of answers) {
        compared.push({ name, place: one.place, bytes: bytesOf(one.answer), absent: bytesOf(answer) });
      }
    }
    expect(compared.filter(({ bytes, absent }) => bytes !== absent)).toEqual([]);
  });
});

/** True if an answer must not tell if the item is there. */
function isHidden({ operation, caller, answer }: Seen): boolean {
  return answer.status === 404 || (answer.status === 403 && !mayCall(operation, caller));
}

/** Everything that is sent back, except what is unlike in any two answers. */
function bytesOf({ status, headers, text }: Answered): string {
  return JSON.stringify([status, [...headers].filter(([name]) => name !== "x-request-id"), text]);
}

let discoveryRefusals = 0;

test("T29: discovery lists what a caller may call in the unit, changes included, and nothing else", async () => {
  for (const caller of callers) {
    const { status, body } = await plane.ask("/", { token: caller.token, unit: units.own });
    discoveryRefusals += Number(status === 403);
    const versions = Object.values(status === 200 ? body : {}).flatMap((one) => Object.entries(Object(one)));
    const listed = new Set(
      versions.flatMap(([name, operations]) => (/^v\d+$/.test(name) ? Object.keys(Object(operations)) : [])),
    );
    const answered = seen.filter((one) => one.caller === caller && !isForbidden(one.answer));
    expect([caller.name, [...listed].sort()]).toEqual([
      caller.name,
      [...new Set(answered.map(({ operation }) => operation.id))].sort(),
    ]);
  }
});

/** True if somebody was told that they may not call the operation, here or at all. */
function isForbidden({ status, body }: Answered): boolean {
  return status === 401 || (status === 403 && [40301, 40302].includes(body.errors[0].error_code));
}

describe("the audit trail of all this", () => {
  async function readTrail() {
    await plane.service.refusals.flush();
    const rows = await plane.database.snapshot((db) =>
      db.selectFrom("audit_events").select("document").orderBy("number").execute(),
    );
    return rows.map(({ document }) => auditEventV1.omit({ hash: true, _links: true }).parse(JSON.parse(document)));
  }
  const requestOf = ({ answer }: Seen) => answer.headers.get("x-request-id");

  test("has one event for each change that was made: who, what, to which item, where; and none for the others", async () => {
    const trail = await readTrail();
    const asked = new Set(seen.map(requestOf));
    const all = trail.filter(({ request_id, result }) => result === "done" && asked.has(request_id));
    // The first of a request tells all of it; the others are the same change as it is seen from elsewhere.
    const told = [...Map.groupBy(all, ({ request_id }) => request_id).values()].flatMap(([first]) => first ?? []);
    const firsts = new Map(told.map((event) => [event.request_id, `${event.operation} ${event.object?.id}`]));
    expect(all.filter((event) => firsts.get(event.request_id) !== `${event.operation} ${event.object?.id}`)).toEqual(
      [],
    );
    // Reports are told by the task itself, all but those that ask for a change.
    const done = seen.filter(
      ({ operation, auditedIn, answer }) =>
        (operation.kind === "write" || auditedIn !== undefined) && answer.status < 300,
    );
    expect(done.length).toBeGreaterThan(3 * callers.length);
    expect(
      told.map(({ request_id, operation, object, organizational_unit_id, actor, count }) => ({
        request_id,
        operation,
        object: object?.id,
        unit: organizational_unit_id,
        user: actor.user_id,
        count,
      })),
    ).toEqual(
      done.map((one) => ({
        request_id: requestOf(one),
        operation: one.operation.id,
        object: one.itemId ?? one.answer.body.id ?? one.answer.body.results?.[0].monitor.id,
        unit: one.auditedIn ?? null,
        user: one.caller.userId ?? null,
        count: 1,
      })),
    );
  });

  test("counts every refusal once", async () => {
    const refused = (await readTrail()).filter(({ result }) => result === "refused");
    const counts = refused.map(({ count }) => count);
    const answers = seen.filter(({ answer }) => answer.status === 403).length;
    expect(answers).toBeGreaterThan(15 * callers.length);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(answers + discoveryRefusals);
  });
});
