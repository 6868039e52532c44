import type { Queries } from "../database/database";
import { DatabaseBroken } from "../database/errors";
import type { Sealer } from "./seal";

const checkText = "holdfast";
const checkPurpose = "secret check";

/** The secret was changed while a process ran that still has the former one: it has to be restarted. */
export class SecretChanged extends DatabaseBroken {
  constructor() {
    super("The secret was changed with holdfast key reseal. Restart the service, with the new secret");
  }
}

/** A known text, sealed: opening it checks the secret. */
export function sealCheck(sealer: Sealer): string {
  return sealer.seal(checkText, checkPurpose);
}

/** True if the secret is the one that a check was sealed with. */
export function opensCheck(sealer: Sealer, check: string): boolean {
  return sealer.open(check, checkPurpose) === checkText;
}

/** Refuses to go on with a secret that is no longer the database's. */
export async function requireCurrentSecret(db: Queries, sealer: Sealer): Promise<void> {
  const row = await db.selectFrom("installation").select("secret_check").where("id", "=", 1).executeTakeFirst();
  if (row && !opensCheck(sealer, row.secret_check)) throw new SecretChanged();
}
