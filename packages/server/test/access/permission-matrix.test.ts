import { afterAll, describe, expect, test } from "bun:test";
import { type DefaultRole, defaultRoles, type Permission, permissions } from "@holdfast/api/conventions/permissions";
import { createToken } from "../../src/resources/api-tokens/store";
import { readPermissions } from "../../src/resources/roles/store";
import { grantRole, revokeRole } from "../../src/resources/users/store";
import { everything } from "../conformance/declared";
import type { Answered } from "../harness";
import { expectedStatus, type ModelCaller, mayCall, type Place, type Relation } from "./permission-model";
import {
  type Asker,
  openMatrixPlane,
  type PreparedRequest,
  preparationOf,
  preparations,
  theNewOne,
} from "./permission-requests";

const plane = await openMatrixPlane();
afterAll(plane.close);
const { units } = plane;
const absent = "11111111-1111-4111-8111-111111111111";

/** May do all that there is, except what is given and taken here: so it can give nothing away. */
const miserly = Object.keys(permissions).filter((name) => name !== "tasks:report");
const body = { name: "Miser", permissions: miserly };
const custom = await plane.ask("/roles", { method: "POST", token: plane.owner, body });

const rolesByName = new Map<string, { id: string; permissions: ReadonlySet<Permission> }>([
  ...Object.entries(defaultRoles).map(
    ([name, { id, permissions: held }]) => [name, { id, permissions: new Set(held) }] as const,
  ),
  ["custom", { id: custom.body.id, permissions: readPermissions(JSON.stringify(miserly)) }],
]);

const relations: Relation[] = ["root", "above", "own", "below", "beside"];

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
  return (await database.change((db) => createToken(db, controlPlane.sealer, about))).token;
}

async function makePerson(roleId: string, unitId: string) {
  const userId = await plane.addUser({});
  await plane.database.change((db) => grantRole(db, { userId, roleId, unitId }));
  return { userId, token: await makeToken({ kind: "personal", userId }, unitId) };
}

/** Everybody who asks: each role, held in each relation to the unit that is acted in, by a person and by a service. */
const callers: MatrixCaller[] = [];
for (const heldIn of relations) {
  const unitId = units[heldIn];
  for (const [name, role] of rolesByName) {
    const token = await makeToken({ kind: "service", roleId: role.id }, unitId);
    const common = { permissions: role.permissions, heldIn, unitId };
    callers.push({ ...common, name: `${name} ${heldIn} service`, kind: "service", token, userId: undefined });
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
  callers.push({ ...nobody, userId: undefined, token });
}

/** What was answered, for what comes after the matrix. */
const seen: {
  caller: MatrixCaller;
  operation: (typeof everything)[number]["operation"];
  place: Place;
  itemId: string | undefined;
  auditedIn: string | undefined;
  answer: Answered;
}[] = [];

test("T9: every operation that is declared can be asked for here, and no other", () => {
  const declared = [...new Set(everything.map(({ operation }) => operation.id))].sort();
  expect(declared.map((id) => preparationOf(id)).length).toBe(declared.length);
  expect(Object.keys(preparations).sort()).toEqual(declared);
});

describe.each(everything)("$name", ({ operation, accept }) => {
  const method = operation.method.toUpperCase();
  const preparation = preparationOf(operation.id);
  const addressOf = (id = "") => operation.path.replace(/\{\w+\}/, id);
  /** What is made ready stays so until somebody has done something with it. */
  const ready = new Map<string, PreparedRequest>();

  async function prepare(caller: MatrixCaller, place: Place): Promise<PreparedRequest> {
    const key = place === "mine" ? `${place} ${caller.name}` : place;
    const prepared = ready.get(key) ?? (await preparation.prepare(plane, place, caller));
    ready.set(key, prepared);
    return prepared;
  }

  test("T7, T8, T9: is answered as the model says to every role, wherever it is held and wherever the item lives", async () => {
    const wrong: unknown[] = [];
    for (const caller of callers) {
      // Nobody has a token of their own whose role was taken, and no service does.
      const places = preparation.places.filter((place) => place !== "mine" || caller.userId !== undefined);
      for (const place of places) {
        const { itemId, body, auditedIn } = await prepare(caller, place);
        const ask = { method, accept, token: caller.token, unit: units.own, ...(body ? { body } : {}) };
        const answer = await plane.ask(addressOf(itemId), ask);
        seen.push({ caller, operation, place, itemId, auditedIn, answer });
        const expected = expectedStatus(operation, caller, { ...preparation, place });
        if (answer.status !== expected) {
          wrong.push({ caller: caller.name, place, expected, status: answer.status, text: answer.text });
        }
        if (answer.status < 300 && operation.kind === "write") ready.clear();
      }
    }
    expect(wrong).toEqual([]);
  });
});
