import type { Database as File } from "bun:sqlite";
import type { DataVersions } from "../database";
import { type Domain, dataVersionsOf, versionsQuery } from "../domains";
import { translateSqliteError } from "./errors";

/**
 * Asks for the number that SQLite changes for a connection whenever another one has committed, and where it has changed, for
 * the versions of the domains. These may be newer than the number; then it has changed again by the next time.
 */
export function readDataVersions(file: File): () => DataVersions {
  const dataVersion = file.query<{ data_version: number }, []>("pragma data_version");
  const versions = file.query<{ domain: Domain; version: number }, []>(versionsQuery);
  let last: DataVersions | undefined;
  return () => {
    try {
      const version = dataVersion.get()?.data_version ?? 0;
      if (last?.any !== version) {
        last = dataVersionsOf(version, Object.fromEntries(versions.all().map((one) => [one.domain, one.version])));
      }
      return last;
    } catch (error) {
      throw translateSqliteError(error);
    }
  };
}
