import { z } from "zod";
import type { Queries } from "../database/database";
import type { Sealer } from "../secrets/seal";
import { requireCurrentSecret } from "../secrets/secret-check";

/** Length of the audit chain, and the hash of its last event. */
export interface ChainHead {
  count: number;
  hash: string;
}

/** Head that the first event follows. */
export const emptyChain: ChainHead = { count: 0, hash: "0".repeat(64) };

export const headPurpose = "audit head";
const content = z.tuple([z.int().nonnegative(), z.string()]);

/** The end of the chain is missing, or was not sealed with the secret. */
export class HeadBroken extends Error {
  override readonly name = "HeadBroken";
}

/** Begins the chain of a new installation. From then on an end that is missing was taken away. */
export async function beginChain(db: Queries, sealer: Sealer): Promise<void> {
  await db
    .insertInto("audit_head")
    .values({ id: 1, sealed: sealHead(sealer, emptyChain) })
    .execute();
}

/** Head of the chain according to the seal: missing events cannot make it shorter. */
export async function openHead(db: Queries, sealer: Sealer): Promise<ChainHead> {
  const row = await db.selectFrom("audit_head").select("sealed").where("id", "=", 1).executeTakeFirst();
  if (!row) throw new HeadBroken("the sealed end of the audit trail is missing");
  const opened = sealer.open(row.sealed, headPurpose);
  if (opened === undefined) await requireCurrentSecret(db, sealer);
  if (opened === undefined) throw new HeadBroken("the sealed end of the audit trail was altered");
  const [count, hash] = content.parse(JSON.parse(opened));
  return { count, hash };
}

/** Notes how the chain ends now. */
export async function writeHead(db: Queries, sealer: Sealer, head: ChainHead): Promise<void> {
  await db
    .updateTable("audit_head")
    .set({ sealed: sealHead(sealer, head) })
    .where("id", "=", 1)
    .execute();
}

function sealHead(sealer: Sealer, { count, hash }: ChainHead): string {
  return sealer.seal(JSON.stringify([count, hash]), headPurpose);
}
