import { refuse, refuseField } from "@holdfast/api/conventions/api-error";
import type { Queries } from "../database/database";
import type { Sealer } from "../secrets/seal";
import { type Account, findAccount, updateAccount } from "./accounts";
import { type ClientInfo, recordAccountAction } from "./record-account-action";
import type { SignInParts } from "./sign-in-parts";
import { createRecoveryCodes, createTotpSecret, findTotpStep, totpPurpose, totpUri, useRecoveryCode } from "./totp";

/** Takes a one-time code or a recovery code, so that it is not good again. Tells whether it was right. */
export async function takeCode(
  db: Queries,
  sealer: Sealer,
  account: Account,
  code: string,
  now: number,
): Promise<boolean> {
  const step = findStep(sealer, account, code, now);
  if (step !== undefined) {
    await updateAccount(db, account.id, { totp_last_step: step });
    return true;
  }
  const left = useRecoveryCode(readHashes(account), code);
  if (left) await updateAccount(db, account.id, { recovery_codes: JSON.stringify(left) });
  return left !== undefined;
}

/** Creates a secret for an authenticator app. It takes effect once a code of it was confirmed. */
export async function enrolTotp(
  db: Queries,
  parts: Pick<SignInParts, "sealer" | "clock">,
  userId: string,
  client: ClientInfo,
) {
  const account = await requireUnprotected(db, userId);
  const secret = createTotpSecret();
  await updateAccount(db, userId, {
    sealed_totp_secret: parts.sealer.seal(secret, totpPurpose(userId)),
    totp_last_step: null,
  });
  await recordAccountAction(db, parts, client, { operation: "enrol-totp", userId });
  return { secret, otpauth_uri: totpUri(secret, account.email) };
}

/** Turns one-time codes on, and gives the recovery codes. */
export async function confirmTotp(
  db: Queries,
  parts: Pick<SignInParts, "sealer" | "clock">,
  userId: string,
  code: string,
  client: ClientInfo,
) {
  const account = await requireUnprotected(db, userId);
  if (account.sealed_totp_secret === null) {
    throw refuse("stateConflict", "There is no secret to confirm yet. Get one with POST /session/totp.");
  }
  const now = parts.clock();
  const step = findStep(parts.sealer, account, code, now);
  if (step === undefined) {
    throw refuseField(
      "bodyInvalid",
      "/code",
      'The field "code" has to be the code that the authenticator app shows now.',
    );
  }
  const { codes, hashes } = createRecoveryCodes();
  await updateAccount(db, userId, {
    totp_confirmed_at: now,
    totp_last_step: step,
    recovery_codes: JSON.stringify(hashes),
  });
  await recordAccountAction(db, parts, client, { operation: "confirm-totp", userId });
  return { recovery_codes: codes };
}

/** Turns one-time codes off. */
export async function removeTotp(
  db: Queries,
  parts: Pick<SignInParts, "sealer" | "clock">,
  userId: string,
  client: ClientInfo,
): Promise<void> {
  await updateAccount(db, userId, {
    sealed_totp_secret: null,
    totp_confirmed_at: null,
    totp_last_step: null,
    recovery_codes: null,
  });
  await recordAccountAction(db, parts, client, { operation: "remove-totp", userId });
}

async function requireUnprotected(db: Queries, userId: string): Promise<Account> {
  const account = await findAccount(db, userId);
  if (!account || account.password_hash === null) {
    throw refuse("stateConflict", "You sign in without a password here, so one-time codes are your provider's matter.");
  }
  if (account.totp_confirmed_at !== null) {
    throw refuse("stateConflict", "One-time codes are on already. Turn them off first, with DELETE /session/totp.");
  }
  return account;
}

function findStep(sealer: Sealer, account: Account, code: string, now: number): number | undefined {
  const sealed = account.sealed_totp_secret;
  const secret = sealed === null ? undefined : sealer.open(sealed, totpPurpose(account.id));
  return secret === undefined ? undefined : findTotpStep(secret, code, now, account.totp_last_step);
}

function readHashes({ recovery_codes }: Account): string[] {
  const stored: unknown = JSON.parse(recovery_codes ?? "[]");
  return Array.isArray(stored) ? stored.filter((hash) => typeof hash === "string") : [];
}
