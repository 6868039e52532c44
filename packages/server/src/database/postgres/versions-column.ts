import type { DomainVersions } from "../domains";

/** What is visible in a moment: it changes with every commit. */
export interface SeenVersions {
  snapshot: string;
  versions: DomainVersions;
}

/**
 * The versions of all domains as one column, `versions`: an object, so that no question of its own is needed for them. The
 * versions of all lanes are named, not their sum: a replica may show the commits of two lanes in another order.
 */
export const versionsColumn = `(select coalesce(json_object_agg(domain, version), '{}') from (
  select domain, string_agg(lane || ':' || version, ' ' order by lane) as version from domain_versions group by domain
) as counted) as versions`;

/**
 * Two columns, `snapshot` and `versions`, for `readSeen`. The parameter is the snapshot that was seen last: where it is this one,
 * nothing was committed since, and the versions are neither read nor written out.
 */
export const seenColumns = (parameter: string) => `pg_current_snapshot()::text as snapshot,
  case when pg_current_snapshot()::text = ${parameter} then null else (
    select coalesce(string_agg(domain || ' ' || lane || ':' || version, ','), '') from domain_versions
  ) end as versions`;

/** The row of `seenColumns`. */
export interface SeenRow {
  snapshot: string;
  versions: string | null;
}

/** Reads what was asked for with the snapshot of what was seen before. */
export function readSeen({ snapshot, versions }: SeenRow, before: SeenVersions | undefined): SeenVersions {
  if (versions !== null) return { snapshot, versions: versionsIn(versions) };
  if (before?.snapshot !== snapshot) throw new Error("The database has left out versions that are not known.");
  return before;
}

/** The rows come in any order, so the lanes are put into one. */
function versionsIn(written: string): DomainVersions {
  const versions: Record<string, string> = {};
  for (const one of written.split(",").sort()) {
    const [domain = "", version = ""] = one.split(" ");
    const others = versions[domain];
    versions[domain] = others === undefined ? version : `${others} ${version}`;
  }
  return versions;
}
