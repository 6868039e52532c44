import type { RawSettings } from "../../src/settings/settings";
import { updateAccount } from "../../src/sign-in/accounts";
import { createPasswords } from "../../src/sign-in/password";
import { type Answered, type Ask, type NewPerson, openPlane, type Plane } from "../harness";

/** A password that can be taken. */
export const password = "tractor sails violet noon";
export const otherPassword = "wander lime soup forty";
export const cookieName = "holdfast_session";

/** As little as there is: what is tested with it is not how hard a hash is to break. */
const cheap = { memoryCost: 8, timeCost: 1 };
let hash: Promise<string> | undefined;

/** Opens a plane on which passwords are hashed quickly. */
export async function openPlaneForPeople(flags: RawSettings = {}): Promise<Plane> {
  const plane = await openPlane(flags);
  plane.service.passwords = createPasswords(cheap);
  return plane;
}

/** Adds somebody who can sign in with the password above, as a viewer of the root unless told otherwise. */
export async function addPerson(plane: Plane, person: Partial<NewPerson> = {}): Promise<string> {
  hash ??= createPasswords(cheap).hash(password);
  const password_hash = await hash;
  const id = await plane.addUser({ roles: [{ role: "viewer" }], ...person });
  await plane.database.change((db) => updateAccount(db, id, { password_hash }));
  return id;
}

/** Somebody who has signed in. */
export interface SignedIn {
  cookie: string;
  csrf: string;
  /** Asks with the cookie, and with the CSRF token. */
  ask(path: string, ask?: Ask): Promise<Answered>;
}

/** Tries to sign in. */
export function trySignIn(plane: Plane, body: unknown, ask: Ask = {}): Promise<Answered> {
  return plane.ask("/session", { method: "POST", body, ...ask });
}

/** Signs in, or fails the test. */
export async function signIn(plane: Plane, email: string, ask: Ask & { code?: string } = {}): Promise<SignedIn> {
  const { code, ...others } = ask;
  const answered = await trySignIn(plane, { email, password, ...(code === undefined ? {} : { code }) }, others);
  if (answered.status !== 201) throw new Error(`Signing in answered ${answered.status}: ${answered.text}`);
  return signedIn(plane, answered);
}

/** Goes on as whoever an answer has let in. */
export function signedIn(plane: Plane, answered: Answered): SignedIn {
  const cookie = sessionCookie(answered);
  const csrf: string = answered.body.csrf_token;
  return {
    cookie,
    csrf,
    ask: (path, { headers = {}, ...ask } = {}) =>
      plane.ask(path, { headers: { Cookie: `${cookieName}=${cookie}`, "X-CSRF-Token": csrf, ...headers }, ...ask }),
  };
}

/** The value of the session cookie that an answer sets. */
export function sessionCookie({ headers }: Answered): string {
  const [, value = ""] = /holdfast_session=([^;]*)/.exec(headers.getSetCookie().join("\n")) ?? [];
  return value;
}

/** Everything that stands in the audit trail, oldest first, without what differs from run to run, and without names. */
export async function auditTrail(plane: Plane) {
  return (await auditEvents(plane)).map(({ actor, operation, object, result, reason, count, after }) => ({
    actor: withoutName(actor),
    operation,
    object: object && withoutName(object),
    result,
    reason,
    count,
    after,
  }));
}

function withoutName({ name: _, ...others }: Record<string, unknown>) {
  return others;
}

/** Everything that stands in the audit trail, oldest first, as it was written. */
export async function auditEvents(plane: Plane) {
  await plane.service.refusals.flush();
  const rows = await plane.database.snapshot((db) =>
    db.selectFrom("audit_events").select("document").orderBy("number").execute(),
  );
  return rows.map(({ document }) => JSON.parse(document));
}

/** Counts how often a password is compared, with any hash or only with that of an account. */
export function countHashes(plane: Plane, whose: "any" | "account" = "any"): () => number {
  const { isRight } = plane.service.passwords;
  let count = 0;
  plane.service.passwords.isRight = (given, stored) => {
    count += Number(whose === "any" || stored !== null);
    return isRight(given, stored);
  };
  return () => count;
}
