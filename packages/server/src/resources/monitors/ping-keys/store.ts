import { randomBytes } from "node:crypto";
import { foldCase } from "@holdfast/api/conventions/fold-case";
import type { Queries } from "../../../database/database";
import { hashCapability } from "../ping-url";
import type { PingKeyRow } from "./list-ping-keys";

/** 128 random bits: 22 characters of base64url. */
const keyBytes = 16;

/** Stores a ping key and gives the key itself, which is shown once. */
export async function addPingKey(db: Queries, row: PingKeyRow): Promise<string> {
  const key = randomBytes(keyBytes).toString("base64url");
  await db
    .insertInto("ping_keys")
    .values({ ...row, name_folded: foldCase(row.name), key_hash: hashCapability(key) })
    .execute();
  return key;
}
