import { randomUUID } from "node:crypto";
import { itemVariable } from "@holdfast/api/conventions/operation";
import { csrfTokenOf } from "../../src/access/csrf";
import { sessionHash, sessionId } from "../../src/access/sessions";
import { updateAccount } from "../../src/sign-in/accounts";
import { createPasswords } from "../../src/sign-in/password";
import { listOf, reads } from "../conformance/declared";
import { type Plane, root } from "../harness";
import type { Dice } from "../random";
import { seedAll } from "../samples/samples";
import type { DescribedOperation } from "./described-operations";
import type { RawAnswer } from "./raw-client";

/** Values that requests can be made of: ids of things that are there, and who asks. */
export interface AttackedWorld {
  dice: Dice;
  plane: Plane;
  /** Something that is there, by the name of a path's variable; it is not to be destroyed. */
  lasting: Map<string, string[]>;
  /** Things that requests have made, which others may destroy. */
  passing: Map<string, string[]>;
  /** Secrets of invitations that are open. */
  invitations: string[];
  /** Tokens: an owner's first, and others' that may do less. */
  tokens: string[];
  password: string;
  email: string;
  ownerId: string;
  /** The cookie of the owner's session. */
  cookie: string;
  csrf: string;
  count: number;
}

/** Fills a plane with a few things of every kind. */
export async function fillWorld(plane: Plane, dice: Dice): Promise<AttackedWorld> {
  // The clock of the process that is attacked.
  plane.clock.now = Date.now();
  const units = [await plane.addUnit("North"), await plane.addUnit("South")];
  const people = [];
  for (const role of ["viewer", "operator", "admin"] as const) people.push(await plane.addUser({ roles: [{ role }] }));
  const email = "owner@example.org";
  const ownerId = await plane.addUser({ email, roles: [{ role: "owner" }] });
  const password = "tractor sails violet noon";
  const password_hash = await createPasswords().hash(password);
  await plane.database.change((db) => updateAccount(db, ownerId, { password_hash }));
  // Somebody else has to stay an owner, whatever happens to the others.
  await plane.addUser({ roles: [{ role: "owner" }] });
  const owner = await plane.serviceToken("owner");
  await seedAll({ ...plane, owner: owner.token }, units[0] ?? root, units[1] ?? root);
  const others = [await plane.serviceToken("viewer"), await plane.serviceToken("reporter", units[0])];
  const read = async (path: string): Promise<string[]> => {
    const { body } = await plane.ask(`${path}?limit=20`, { token: owner.token });
    return body._embedded.items.map(({ id }: { id: string }) => id);
  };
  const lasting = new Map([
    ["user_id", people],
    ["organizational_unit_id", units],
    ["api_token_id", others.map(({ id }) => id)],
  ]);
  for (const { operation, resource, version } of reads) {
    const variable = itemVariable(operation);
    if (variable === undefined || lasting.has(variable)) continue;
    lasting.set(variable, await read(listOf({ resource, version }).operation.path));
  }
  const world: AttackedWorld = {
    dice,
    plane,
    lasting,
    passing: new Map(),
    invitations: [],
    tokens: [owner.token, ...others.map(({ token }) => token)],
    password,
    email,
    ownerId,
    cookie: "",
    csrf: "",
    count: 0,
  };
  await letOwnerIn(world);
  return world;
}

/**
 * Lets the owner in again, whose token or session some request has ended. By hand: after too many wrong passwords no one is
 * let in from this address for a while.
 */
export async function letOwnerIn(world: AttackedWorld): Promise<void> {
  const { plane, ownerId, password } = world;
  const password_hash = await createPasswords({ memoryCost: 8, timeCost: 1 }).hash(password);
  plane.clock.now = Date.now();
  const { cookie, other } = await plane.database.change(async (db) => {
    // Requests may have changed these as well.
    await updateAccount(db, ownerId, { password_hash });
    const begin = () => plane.service.sessions.begin(db, ownerId, { address: "127.0.0.1", client: null });
    return { cookie: (await begin()).cookie, other: (await begin()).cookie };
  });
  // One that requests may end.
  world.passing.set("session_id", [sessionId(sessionHash(other))]);
  // The person's own, so that tasks which were reported before stay theirs.
  world.tokens[0] = (await plane.personalToken(ownerId)).token;
  world.cookie = cookie;
  world.csrf = csrfTokenOf(cookie);
}

/** Takes note of what a request has made, so that later ones can be about it. */
export function learn(world: AttackedWorld, { id, path }: DescribedOperation, { status, text }: RawAnswer): void {
  if (status !== 201 || path.startsWith("/session") || !text.startsWith("{")) return;
  const made: Record<string, unknown> = JSON.parse(text);
  const [, secret] = String(made.invitation_link ?? "").split("#");
  if (secret !== undefined) world.invitations.push(secret);
  const variable = variableOf(path);
  if (variable === undefined || id === "invite-user" || typeof made.id !== "string") return;
  world.passing.set(variable, [...(world.passing.get(variable) ?? []).slice(-99), made.id]);
}

/** The variable that stands for an item of the list with this path, or below it. */
function variableOf(path: string): string | undefined {
  const [, start = ""] = path.split("/");
  const read = reads.find(({ operation }) => operation.path.startsWith(`/${start}/`));
  return read && itemVariable(read.operation);
}

/** One of several. */
export function pick<Item>(dice: Dice, items: readonly [Item, ...Item[]]): Item;
export function pick<Item>(dice: Dice, items: readonly Item[]): Item | undefined;
export function pick<Item>(dice: Dice, items: readonly Item[]): Item | undefined {
  return items[dice(items.length)];
}

/** Something of a kind. What is to be destroyed is never what lasts: the tokens of this test are among that. */
export function thing(world: AttackedWorld, variable: string, mayEnd: boolean, isChanged: boolean): string {
  const passing = world.passing.get(variable) ?? [];
  if (mayEnd) return passing.splice(world.dice(passing.length), 1)[0] ?? randomUUID();
  // Some of what lasts is there from the start and cannot be changed.
  if (isChanged && passing.length > 0) return pick(world.dice, passing) ?? "";
  return pick(world.dice, [...passing, ...(world.lasting.get(variable) ?? [])]) ?? randomUUID();
}
