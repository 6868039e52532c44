import { existsSync } from "node:fs";
import { createSealer } from "../secrets/seal";
import { opensCheck } from "../secrets/secret-check";
import { readSecretKey, type SecretSource, secretPath } from "../secrets/secret-key";
import { Refusal } from "../settings/refusal";

/** Refuses a backup whose secret is not in its place: without it the database is of no use. */
export function requireBackupSecret(source: Omit<SecretSource, "check">, check: string): void {
  const path = secretPath(source);
  const isThere = path === undefined || existsSync(path);
  if (isThere && opensCheck(createSealer(readSecretKey({ ...source, check }).key), check)) return;
  const place = path ?? "HOLDFAST_SECRET_KEY";
  throw new Refusal(
    isThere
      ? `The secret in ${place} is not the one that this backup was made with. Put the secret of that time there, and restore again.`
      : `The secret of the backup is missing. Put the secret.key that you keep in another place at ${place}, with mode 600, and restore again.`,
  );
}
