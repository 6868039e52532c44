import { CompiledQuery } from "kysely";
import type { Read } from "../database";
import { DatabaseUnavailable } from "../errors";
import { type Connect, takeConnection } from "./connection";
import { queriesIn } from "./dialect";
import { isReadOnly, translateRefusal } from "./errors";
import { noScansColumns } from "./no-scans";
import { dataVersionsIn, type SeenVersions, versionColumns } from "./versions";

export interface SnapshotSource {
  connect: Connect;
  /** Tells the servers of different failovers apart. */
  era: number;
  /** True if a server that can only be read is refused: it may be behind the primary. */
  needsPrimary: boolean;
}

const isReadOnlyColumn =
  "pg_is_in_recovery() or current_setting('default_transaction_read_only') = 'on' as is_read_only";
const firstStatement = CompiledQuery.raw(`select ${isReadOnlyColumn}, ${noScansColumns}, ${versionColumns}`);

/** Reads in one transaction. It is begun and asked for its versions in one round trip. */
export async function readInSnapshot<Result>(source: SnapshotSource, read: Read<Result>): Promise<Result> {
  const connection = await takeConnection(source.connect).catch(refuse);
  try {
    const [, { rows }] = await Promise.all([
      connection.begin("repeatable read, read only"),
      connection.executeQuery<SeenVersions & { is_read_only: boolean }>(firstStatement),
    ]);
    const [seen] = rows;
    if (!seen || (seen.is_read_only && source.needsPrimary)) {
      throw new DatabaseUnavailable("The database can only be read at the moment.");
    }
    const result = await read(queriesIn(connection), { dataVersions: dataVersionsIn(seen, source.era) });
    // Its end is not waited for: nothing depends on it.
    void connection
      .commit()
      .catch(() => {})
      .finally(() => connection.release());
    return result;
  } catch (error) {
    void connection.rollback().finally(() => connection.release());
    return refuse(error);
  }
}

/** Here it is the transaction that cannot be written in, not the database. */
function refuse(error: unknown): never {
  throw isReadOnly(error) ? error : translateRefusal(error);
}
