import { createHash, randomBytes } from "node:crypto";
import { refuse } from "@holdfast/api/conventions/api-error";
import { type CountUse, createCommitCache } from "../database/commit-cache";
import type { Database, DataVersion, Queries } from "../database/database";
import { type Caller, loadRoles } from "./caller";
import { shortClient, type Use } from "./tokens/token-use";
import { topUnit } from "./unit-paths";

/** A person who has signed in. */
export interface Session {
  caller: Caller & { userId: string };
  usedAt: number;
  expiresAt: number;
}

/** A session that has just begun. */
export interface NewSession {
  cookie: string;
  expiresAt: number;
}

/** A session as it is kept, without what opens it. */
export interface KeptSession {
  hash: string;
  created_at: number;
  used_at: number;
  address: string | null;
  client: string | null;
}

/** The sessions of this control plane. */
export interface Sessions {
  /** Gives the session of a cookie as of a stamp of the database, or refuses it with 401. */
  check(cookie: string, dataVersion: DataVersion): Promise<Session>;
  /** Reads inside a transaction, for a session that was found before. */
  require(db: Queries, hash: string): Promise<Session>;
  /** Begins a session and gives its cookie, which is kept nowhere. Clears away those that have ended. */
  begin(db: Queries, userId: string, use: Use): Promise<NewSession>;
  /** The sessions of a user that have not ended, the last used first. */
  list(db: Queries, userId: string): Promise<KeptSession[]>;
  end(db: Queries, hash: string): Promise<void>;
  /** Ends all sessions of a user, or all but one. */
  endAll(db: Queries, userId: string, exceptHash?: string): Promise<void>;
}

export interface SessionLimits {
  database: Database;
  clock: () => number;
  /** Time after which an unused session ends, in milliseconds. */
  idle: number;
  /** Maximum lifetime of a session, in milliseconds. */
  life: number;
  countUse: CountUse;
}

const cookiePattern = /^[A-Za-z0-9_-]{43}$/;

export function createSessions({ database, clock, idle, life, countUse }: SessionLimits): Sessions {
  const cache = createCommitCache<Session | "ended">(10_000, countUse);

  function refuseUnlessAlive(session: Session | "ended"): Session {
    const now = clock();
    if (session !== "ended" && session.expiresAt > now && session.usedAt > now - idle) return session;
    throw refuse("sessionEnded", "You are not signed in any more. Sign in again.", {
      "WWW-Authenticate": 'Bearer realm="holdfast"',
    });
  }

  return {
    async check(cookie, dataVersion) {
      const hash = sessionHash(cookie);
      if (!cookiePattern.test(cookie)) return refuseUnlessAlive("ended");
      const read = () => database.snapshot((db) => loadSession(db, hash, idle));
      return refuseUnlessAlive(await cache.getOrLoad(dataVersion, hash, read));
    },
    require: async (db, hash) => refuseUnlessAlive(await loadSession(db, hash, idle)),
    async begin(db, userId, { address, client }) {
      const now = clock();
      const cookie = randomBytes(32).toString("base64url");
      await db
        .deleteFrom("sessions")
        .where((eb) => eb.or([eb("expires_at", "<=", now), eb("used_at", "<=", now - idle)]))
        .execute();
      await db
        .insertInto("sessions")
        .values({
          hash: sessionHash(cookie),
          user_id: userId,
          created_at: now,
          used_at: now,
          expires_at: now + life,
          address,
          client: shortClient(client),
        })
        .execute();
      return { cookie, expiresAt: now + life };
    },
    async list(db, userId) {
      const now = clock();
      return db
        .selectFrom("sessions")
        .select(["hash", "created_at", "used_at", "address", "client"])
        .where("user_id", "=", userId)
        .where("expires_at", ">", now)
        .where("used_at", ">", now - idle)
        .orderBy("used_at", "desc")
        .orderBy("created_at", "desc")
        .orderBy("hash")
        .execute();
    },
    async end(db, hash) {
      await db.deleteFrom("sessions").where("hash", "=", hash).execute();
    },
    async endAll(db, userId, exceptHash = "") {
      await db.deleteFrom("sessions").where("user_id", "=", userId).where("hash", "!=", exceptHash).execute();
    },
  };
}

/** The stored hash of a session: a copy of the database gives no access. */
export function sessionHash(cookie: string): string {
  return createHash("sha256").update(cookie).digest("hex");
}

/** The id that people see of a session: it follows from the stored hash, and the hash does not follow from it. */
export function sessionId(hash: string): string {
  const digits = createHash("sha256").update(`holdfast session id ${hash}`).digest("hex");
  // A UUID of version 8, which is for ids that are made in a way of one's own.
  return digits.slice(0, 32).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-8$3-8$4-$5");
}

/** Reads a session, and the rights that its user's personal token would have. */
async function loadSession(db: Queries, hash: string, idle: number): Promise<Session | "ended"> {
  const row = await db
    .selectFrom("sessions")
    .innerJoin("users", "users.id", "sessions.user_id")
    .select(["user_id", "used_at", "expires_at", "is_enabled"])
    .where("hash", "=", hash)
    .executeTakeFirst();
  if (row?.is_enabled !== 1) return "ended";
  const unitId = await topUnit(db, row.user_id);
  if (unitId === undefined) return "ended";
  const roles = await loadRoles(db, row.user_id);
  const goodUntil = Math.min(row.expires_at, row.used_at + idle);
  return {
    caller: { tokenId: hash, kind: "session", userId: row.user_id, limitedAs: row.user_id, unitId, roles, goodUntil },
    usedAt: row.used_at,
    expiresAt: row.expires_at,
  };
}
