import type { ResourceDescription } from "./resource-description";

/** Tables that belong to no resource: how people sign in, answers to repeated requests, and the installation itself, which is moved last. */
export const tablesOfNone = {
  one_time_links: { move: { key: ["hash"] }, domain: null },
  sessions: { move: { key: ["hash"] }, domain: { name: "sessions" } },
  sign_in_failures: { move: { key: ["key"] }, domain: null },
  sign_in_addresses: { move: { key: ["user_id", "network"] }, domain: null },
  identities: { move: { key: ["issuer", "subject"] }, domain: null },
  idempotency_keys: { move: { key: ["caller", "key"] }, domain: null },
  serving_processes: { move: "stays", domain: null },
  installation: { move: { key: ["id"] }, domain: null },
} satisfies ResourceDescription["tables"];
