import type { DataVersions } from "../database";
import { type DomainVersions, dataVersionsOf } from "../domains";

/** Visible versions at a moment: the snapshot changes with every commit. */
export interface SeenVersions {
  snapshot: string;
  versions: DomainVersions;
}

/** The columns of `SeenVersions`, for any statement. */
export const versionColumns = `pg_current_snapshot()::text as snapshot, (
  select coalesce(json_object_agg(domain, version), '{}') from domain_versions) as versions`;

/** The stamps of a moment. Snapshots of a server before and after a failover can have the same name, so the era tells them apart. */
export function dataVersionsIn({ snapshot, versions }: SeenVersions, era: number): DataVersions {
  return dataVersionsOf(`${era} ${snapshot}`, versions, String(era));
}
