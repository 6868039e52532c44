import { createHash } from "node:crypto";
import { refuseField } from "@holdfast/api/conventions/api-error";
import type { Queries } from "../database/database";

/** For how long an answer is kept, in milliseconds. */
const keptFor = 86_400_000;
const longestKey = 200;

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
  if (key.length > longestKey || !/^[\x21-\x7e]+$/.test(key)) {
    throw refuseField(
      "keyMalformed",
      "Idempotency-Key",
      `The Idempotency-Key has to be 1 to ${longestKey} visible ASCII characters. Send it once.`,
    );
  }
  return key;
}

/** A hash of all that makes a request what it is. */
export function requestHash(parts: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

/** The answer that the same request got before, or nothing. Another request with the same key is refused. */
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
  if (!kept) return undefined;
  if (kept.request_hash !== hash) {
    throw refuseField(
      "keyReused",
      "Idempotency-Key",
      "This Idempotency-Key was used for another request. Choose a new one for each request.",
    );
  }
  return JSON.parse(kept.answer);
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
