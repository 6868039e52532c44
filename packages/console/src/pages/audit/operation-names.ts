import type { DiscoveryIndex } from "@holdfast/client";

/** Operations in the trail that the API does not have: signing in, and the command line. */
const beside = [
  "accept-invitation",
  "change-password",
  "confirm-totp",
  "create-first-owner",
  "disable-webhook",
  "end-session",
  "enrol-totp",
  "invite-first-owner",
  "link-identity",
  "make-demo-data",
  "prune-tasks",
  "remove-totp",
  "sign-in",
  "sign-out",
  "sign-out-everywhere",
  "synchronise-groups",
  "update-account",
];

/** Reads are not in the trail. */
const onlyLooks = /^(list|read|watch|preview|download)-/;

/** The operations to choose from: what the caller can see of the API, and the one that the address names. */
export function operationNames(index: DiscoveryIndex | undefined, named: string | undefined): string[] {
  const offered = Object.values(index ?? {}).flatMap((resource) =>
    Object.entries(resource).flatMap(([key, operations]) =>
      /^v\d+$/.test(key) && typeof operations === "object" ? Object.keys(operations) : [],
    ),
  );
  const all = [...offered.filter((name) => !onlyLooks.test(name)), ...beside, ...(named === undefined ? [] : [named])];
  return [...new Set(all)].sort();
}
