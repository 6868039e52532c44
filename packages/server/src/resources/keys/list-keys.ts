import { type SqlBool, sql } from "kysely";
import { createTableSource, type TableSource } from "../../lists/table-source";

/** A signing key as it is stored, without its private half. */
export interface KeyRow {
  seq: number;
  kid: string;
  public_key: string;
  created_at: number;
  replaced_at: number | null;
  expires_at: number | null;
}

/** Lists the keys that tokens may be signed with at a moment, the newest first: that is the one that signs. */
export function keySource(now: number): TableSource<KeyRow, never> {
  return createTableSource<KeyRow, never>({
    table: "signing_keys",
    key: "seq",
    id: "kid",
    arrival: "seq",
    order: "down",
    columns: ["seq", "kid", "public_key", "created_at", "replaced_at", "expires_at"],
    scope: () => [sql<SqlBool>`(signing_keys.expires_at is null or signing_keys.expires_at > ${now})`],
    compare: () => {
      throw new Error("There is nothing that keys can be filtered by.");
    },
  });
}
