import { type Selectable, type SqlBool, sql } from "kysely";
import type { SigningKeyTable } from "../../database/schema";
import { createTableSource, type TableSource } from "../../lists/table-source";

const columns = ["seq", "kid", "public_key", "created_at", "replaced_at", "expires_at"] as const;

/** A signing key as it is stored, without its private half. */
export type KeyRow = Pick<Selectable<SigningKeyTable>, (typeof columns)[number]>;

/** Lists the keys that tokens may be signed with at a moment, the newest first: that is the one that signs. */
export function keySource(now: number): TableSource<KeyRow, never> {
  return createTableSource<KeyRow, never>({
    table: "signing_keys",
    key: "seq",
    id: "kid",
    arrival: "seq",
    order: "down",
    columns,
    scope: () => [sql<SqlBool>`(signing_keys.expires_at is null or signing_keys.expires_at > ${now})`],
    compare: () => {
      throw new Error("There is nothing that keys can be filtered by.");
    },
  });
}
