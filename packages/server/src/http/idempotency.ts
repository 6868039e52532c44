import { createHash } from "node:crypto";
import { refuse, refuseField } from "@holdfast/api/conventions/api-error";
import type { Queries } from "../database/database";

/** For how long an answer is kept, in milliseconds. */
const keptFor = 86_400_000;
const maxKeyLength = 200;
/** Keys that one caller can use within that time: their answers take room in the database. */
export const maxKeysPerCaller = 10_000;

/** A request that may be repeated: whose, under which key, and what it asks for. */
export interface RepeatableRequest {
  caller: string;
  key: string;
  /** Of everything that the request says. */
  hash: string;
}

/** An answer as it can be given again; what is shown once is not in it. */
export interface KeptAnswer {
  status: number;
  headers: Record<string, string>;
  body: string | null;
}

/** Reads the key of a request; nothing where it has none. */
export function readIdempotencyKey(headers: Headers): string | undefined {
  const key = headers.get("idempotency-key")?.trim();
  if (key === undefined || key === "") return undefined;
  if (key.length > maxKeyLength || !/^[\x21-\x7e]+$/.test(key)) {
    throw refuseField(
      "keyMalformed",
      "Idempotency-Key",
      `The Idempotency-Key has to be 1 to ${maxKeyLength} visible ASCII characters. Send it once.`,
    );
  }
  return key;
}

/** A hash of all that makes a request what it is. */
export function requestHash(parts: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

/**
 * The answer that the same request got before, or nothing. Another request with the same key is refused, and so is a new key of a
 * caller that has used too many.
 */
export async function findKeptAnswer(
  db: Queries,
  { caller, key, hash }: RepeatableRequest,
  now: number,
): Promise<KeptAnswer | undefined> {
  const kept = await db
    .selectFrom("idempotency_keys")
    .select(["request_hash", "answer"])
    .where("caller", "=", caller)
    .where("key", "=", key)
    .where("created_at", ">", now - keptFor)
    .executeTakeFirst();
  if (!kept) {
    await requireRoom(db, caller, now);
    return undefined;
  }
  if (kept.request_hash !== hash) {
    throw refuseField(
      "keyReused",
      "Idempotency-Key",
      "This Idempotency-Key was used for another request. Choose a new one for each request.",
    );
  }
  return JSON.parse(kept.answer);
}

async function requireRoom(db: Queries, caller: string, now: number): Promise<void> {
  const last = await db
    .selectFrom("idempotency_keys")
    .select("key")
    .where("caller", "=", caller)
    .where("created_at", ">", now - keptFor)
    .offset(maxKeysPerCaller - 1)
    .limit(1)
    .executeTakeFirst();
  if (!last) return;
  const { oldest } = await db
    .selectFrom("idempotency_keys")
    .select((eb) => eb.fn.min("created_at").as("oldest"))
    .where("caller", "=", caller)
    .where("created_at", ">", now - keptFor)
    .executeTakeFirstOrThrow();
  throw refuse(
    "rateExceeded",
    `You have used ${maxKeysPerCaller} idempotency keys within a day, which is the limit. Send the request without Idempotency-Key, or wait until the oldest key has expired.`,
    { "Retry-After": String(Math.max(1, Math.ceil((Number(oldest) + keptFor - now) / 1000))) },
  );
}

/** Keeps an answer, in the transaction of its change, and drops those that are too old. */
export async function keepAnswer(
  db: Queries,
  { caller, key, hash }: RepeatableRequest,
  answer: KeptAnswer,
  now: number,
): Promise<void> {
  await db
    .deleteFrom("idempotency_keys")
    .where("created_at", "<=", now - keptFor)
    .execute();
  await db
    .insertInto("idempotency_keys")
    .values({ caller, key, request_hash: hash, answer: JSON.stringify(answer), created_at: now })
    .execute();
}
