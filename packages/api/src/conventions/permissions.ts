/**
 * Everything that a role can allow. The part before the colon is a resource, the part after it what is done to it. A
 * permission is added with the first operation that it guards.
 */
export const permissions = {
  "users:read": "See users and the roles that they hold.",
  "users:write": "Invite, change, enable, disable and delete users.",
  "tasks:read": "See tasks.",
  "tasks:report": "Report tasks and their progress.",
  "tasks:abort": "Ask for a task to be aborted.",
  "monitors:read": "See monitors, without their ping URLs.",
  "monitors:write": "Create, change and delete monitors and ping keys, and see ping URLs.",
  "entities:read": "See what is protected, and how it stands.",
  "entities:write": "Mute and retire what is protected.",
  "organizational-units:read": "See organizational units.",
  "organizational-units:write": "Create, rename, move and delete organizational units.",
  "roles:read": "See roles and their permissions.",
  "roles:write": "Create, change and delete roles.",
  "api-tokens:read": "See API tokens, never the secrets themselves.",
  "api-tokens:write": "Create, rename, rotate and revoke API tokens.",
  "audit-events:read": "See the audit trail.",
  "webhooks:read": "See webhooks and what they delivered, never their secrets.",
  "webhooks:write": "Create, change, test and delete webhooks, and send deliveries again.",
  "views:read": "See saved views that are shared.",
  "views:write": "Share saved views, and change and delete shared ones.",
  "keys:read": "See signing keys, never the private ones.",
  "keys:write": "Rotate and retire signing keys.",
} as const;

export type Permission = keyof typeof permissions;

export type DefaultRole = "owner" | "admin" | "operator" | "reporter" | "viewer";

const viewer: Permission[] = [
  "users:read",
  "tasks:read",
  "monitors:read",
  "entities:read",
  "organizational-units:read",
  "roles:read",
  "views:read",
];
const operator: Permission[] = [...viewer, "tasks:report", "tasks:abort", "entities:write", "views:write"];
const admin: Permission[] = [
  ...operator,
  "users:write",
  "monitors:write",
  "organizational-units:write",
  "roles:write",
  "api-tokens:read",
  "api-tokens:write",
  "audit-events:read",
  "webhooks:read",
  "webhooks:write",
];
const owner: Permission[] = [...admin, "keys:read", "keys:write"];

/** The roles that every installation has, with the same ids everywhere, from the most to the least powerful. */
export const defaultRoles: Record<
  DefaultRole,
  { id: string; description: string; permissions: readonly Permission[] }
> = {
  owner: {
    id: "00000000-0000-4000-8000-000000000001",
    description: "Everything, keys included.",
    permissions: owner,
  },
  admin: {
    id: "00000000-0000-4000-8000-000000000002",
    description: "What an operator may, and managing users, roles, tokens, monitors and webhooks.",
    permissions: admin,
  },
  operator: {
    id: "00000000-0000-4000-8000-000000000003",
    description: "What a viewer may, reporting and aborting tasks, muting what is protected, and sharing views.",
    permissions: operator,
  },
  reporter: {
    id: "00000000-0000-4000-8000-000000000004",
    description: "Reporting tasks and nothing else: for machines.",
    permissions: ["tasks:report"],
  },
  viewer: { id: "00000000-0000-4000-8000-000000000005", description: "Reading.", permissions: viewer },
};
