/** What the trail is filtered by most: what people and programs change, and how they sign in. */
const known = [
  "abort-task",
  "accept-invitation",
  "change-password",
  "confirm-totp",
  "create-api-token",
  "create-first-owner",
  "create-organizational-unit",
  "create-role",
  "create-user",
  "delete-organizational-unit",
  "delete-role",
  "delete-user",
  "invite-first-owner",
  "invite-user",
  "make-demo-data",
  "remove-totp",
  "retire-key",
  "revoke-api-token",
  "rotate-api-token",
  "rotate-key",
  "sign-in",
  "sign-out",
  "sign-out-everywhere",
  "update-api-token",
  "update-organizational-unit",
  "update-role",
  "update-task",
  "update-user",
];

/** The operations to choose from, and the one that the address names. */
export function operationNames(named: string | undefined): string[] {
  return named === undefined || known.includes(named) ? known : [...known, named].sort();
}
