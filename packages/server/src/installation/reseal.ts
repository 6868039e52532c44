import { signingKeyPurpose } from "../access/tokens/signing-keys";
import { headPurpose } from "../audit/chain-head";
import type { Queries } from "../database/database";
import { pingUrlPurpose } from "../resources/monitors/ping-url";
import { authorizationPurpose, webhookSecretPurpose } from "../resources/webhooks/webhook-secrets";
import type { Sealer } from "../secrets/seal";
import { requireCurrentSecret, sealCheck } from "../secrets/secret-check";
import { Refusal } from "../settings/refusal";
import { totpPurpose } from "../sign-in/totp";
import { cursorKeyPurpose } from "./installation";

/**
 * Seals everything that is sealed in the database with another secret. Where anything cannot be opened, nothing is changed.
 * Before the first change is made, `stage` keeps the new secret somewhere, so that it cannot be lost between here and there.
 */
export async function resealDatabase(
  db: Queries,
  { from, to, stage }: { from: Sealer; to: Sealer; stage: () => unknown },
): Promise<void> {
  await requireCurrentSecret(db, from);
  const reseal = (sealed: string, purpose: string): string => {
    const plain = from.open(sealed, purpose);
    if (plain === undefined) {
      throw new Refusal(`The ${purpose} cannot be opened, so nothing was changed. Restore the database from a backup.`);
    }
    return to.seal(plain, purpose);
  };

  const installation = await db.selectFrom("installation").select(["id", "sealed_cursor_key"]).execute();
  const keys = await db.selectFrom("signing_keys").select(["kid", "sealed_private_key"]).execute();
  const users = await db
    .selectFrom("users")
    .select(["id", "sealed_totp_secret"])
    .where("sealed_totp_secret", "is not", null)
    .execute();
  const webhooks = await db
    .selectFrom("webhooks")
    .select(["id", "sealed_authorization", "sealed_secret", "sealed_old_secret"])
    .execute();
  const heads = await db.selectFrom("audit_head").select(["id", "sealed"]).execute();
  const monitors = await db.selectFrom("monitors").select(["id", "sealed_url"]).execute();
  const resealed = {
    installation: installation.map(({ id, sealed_cursor_key }) => ({
      id,
      sealed_cursor_key: reseal(sealed_cursor_key, cursorKeyPurpose),
    })),
    keys: keys.map(({ kid, sealed_private_key }) => ({
      kid,
      sealed_private_key: reseal(sealed_private_key, signingKeyPurpose(kid)),
    })),
    users: users.map(({ id, sealed_totp_secret }) => ({
      id,
      sealed_totp_secret: sealed_totp_secret && reseal(sealed_totp_secret, totpPurpose(id)),
    })),
    webhooks: webhooks.map(({ id, sealed_authorization, sealed_secret, sealed_old_secret }) => ({
      id,
      sealed_authorization: sealed_authorization && reseal(sealed_authorization, authorizationPurpose(id)),
      sealed_secret: sealed_secret && reseal(sealed_secret, webhookSecretPurpose(id)),
      sealed_old_secret: sealed_old_secret && reseal(sealed_old_secret, webhookSecretPurpose(id)),
    })),
    heads: heads.map(({ id, sealed }) => ({ id, sealed: reseal(sealed, headPurpose) })),
    monitors: monitors.map(({ id, sealed_url }) => ({ id, sealed_url: reseal(sealed_url, pingUrlPurpose(id)) })),
  };

  stage();
  for (const { id, ...sealed } of resealed.installation) {
    await db
      .updateTable("installation")
      .set({ ...sealed, secret_check: sealCheck(to) })
      .where("id", "=", id)
      .execute();
  }
  for (const { kid, ...sealed } of resealed.keys) {
    await db.updateTable("signing_keys").set(sealed).where("kid", "=", kid).execute();
  }
  for (const { id, ...sealed } of resealed.users) {
    await db.updateTable("users").set(sealed).where("id", "=", id).execute();
  }
  for (const { id, ...sealed } of resealed.webhooks) {
    await db.updateTable("webhooks").set(sealed).where("id", "=", id).execute();
  }
  for (const { id, ...sealed } of resealed.heads) {
    await db.updateTable("audit_head").set(sealed).where("id", "=", id).execute();
  }
  for (const { id, ...sealed } of resealed.monitors) {
    await db.updateTable("monitors").set(sealed).where("id", "=", id).execute();
  }
}
