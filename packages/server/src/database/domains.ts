import type { DataVersion, DataVersions } from "./database";

/**
 * A group of tables with one version number: each has a row in `domain_versions`, which every commit that touches it changes. Triggers in the
 * steps of the schema see to that; the descriptions of resources say which tables belong to which domain, and which answers.
 */
export type Domain = (typeof domains)[number];

export const domains = ["units", "access", "sessions", "tasks", "entities"] as const;

/** Version of each domain, as the database counts it. */
export type DomainVersions = Readonly<Partial<Record<Domain, number | string>>>;

/** Reads the versions of all domains, where there are any. */
export const versionsQuery = "select domain, version from domain_versions";

/**
 * The stamps of a moment. The versions are those of this moment; the prefix tells apart what has counted for itself, such
 * as a database before and after a failover. A domain whose version is unknown changes with every commit.
 */
export function dataVersionsOf(any: DataVersion, versions: DomainVersions, prefix = ""): DataVersions {
  const stampOf = (...names: Domain[]): DataVersion => {
    const known = names.map((name) => versions[name]);
    return known.includes(undefined) ? any : `${prefix} ${known.join(" ")}`;
  };
  return {
    any,
    units: stampOf("units"),
    access: stampOf("units", "access"),
    sessions: stampOf("units", "access", "sessions"),
    tasks: stampOf("units", "access", "tasks"),
    entities: stampOf("units", "access", "entities"),
  };
}
