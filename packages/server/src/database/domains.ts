import type { Stamp, Stamps } from "./database";
import type { Schema } from "./schema";

/** What is counted by itself: each has a row in `domain_versions`, which every commit that touches it changes. */
export type Domain = (typeof domains)[number];

export const domains = ["access", "sessions", "tasks", "entities"] as const;

/** How often each domain was touched, as the database says; where changes are made in several lanes, in each of them. */
export type DomainVersions = Readonly<Partial<Record<Domain, number | string>>>;

/** Which rows of a table belong to a domain. */
interface WatchedTable {
  domain: Domain;
  /** Columns that change as things are used, and of which nothing is remembered: changing these alone does not count. */
  uncounted?: readonly string[];
  /** Whether only updates count, because what is added and removed always changes another table of the domain. */
  onlyUpdates?: true;
}

/**
 * The domain of each table; null where nothing is remembered for longer than until the next commit. What is said here is
 * held by triggers, which a migration makes with `watchTable`: every write is counted, by whatever road.
 */
export const domainOfTable: Record<keyof Schema, WatchedTable | null> = {
  organizational_units: { domain: "access" },
  organizational_unit_paths: { domain: "access" },
  roles: { domain: "access" },
  role_grants: { domain: "access" },
  users: { domain: "access", uncounted: ["last_active_at"] },
  api_tokens: { domain: "access", uncounted: ["last_used_at", "last_used_address", "last_used_client"] },
  signing_keys: { domain: "access" },
  sessions: { domain: "sessions" },
  tasks: { domain: "tasks", onlyUpdates: true },
  entities: { domain: "tasks", onlyUpdates: true },
  task_totals: { domain: "tasks" },
  task_days: { domain: "tasks" },
  task_quarters: { domain: "tasks" },
  entity_weeks: null,
  protected_entities: { domain: "entities" },
  task_leases: null,
  task_logs: null,
  task_log_pieces: null,
  task_changes: null,
  monitors: null,
  ping_keys: null,
  ping_runs: null,
  webhooks: null,
  webhook_deliveries: null,
  installation: null,
  one_time_links: null,
  sign_in_failures: null,
  sign_in_addresses: null,
  identities: null,
  idempotency_keys: null,
  audit_events: null,
  audit_head: null,
  serving_processes: null,
  listening: null,
  unwatched_times: null,
};

/** Reads the versions of all domains, where there are any. */
export const versionsQuestion = "select domain, version from domain_versions";

/**
 * The stamps of a moment. The versions are those of this moment; the prefix tells apart what has counted for itself, such
 * as a database before and after a failover. A domain whose version is unknown changes with every commit.
 */
export function stampsOf(any: Stamp, versions: DomainVersions, prefix = ""): Stamps {
  const stampOf = (...names: Domain[]): Stamp => {
    const known = names.map((name) => versions[name]);
    return known.includes(undefined) ? any : `${prefix} ${known.join(" ")}`;
  };
  return {
    any,
    access: stampOf("access"),
    sessions: stampOf("access", "sessions"),
    tasks: stampOf("access", "tasks"),
    entities: stampOf("access", "entities"),
  };
}
