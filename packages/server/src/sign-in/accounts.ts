import { isEmail } from "@holdfast/api/conventions/email";
import { foldCase } from "@holdfast/api/conventions/fold-case";
import type { Selectable } from "kysely";
import type { Queries } from "../database/database";
import type { UserTable } from "../database/schema";

const columns = [
  "id",
  "email",
  "full_name",
  "time_zone",
  "is_confirmed",
  "is_enabled",
  "password_hash",
  "sealed_totp_secret",
  "totp_confirmed_at",
  "totp_last_step",
  "recovery_codes",
] as const;

/** A user, with what signing in needs to know. */
export type Account = Pick<Selectable<UserTable>, (typeof columns)[number]>;

export async function findAccount(db: Queries, id: string): Promise<Account | undefined> {
  return db.selectFrom("users").select(columns).where("id", "=", id).executeTakeFirst();
}

/** Finds an account by its address, in any letter case. */
export async function findAccountByEmail(db: Queries, email: string): Promise<Account | undefined> {
  if (!isEmail(email.trim())) return undefined;
  return db.selectFrom("users").select(columns).where("email_folded", "=", foldCase(email.trim())).executeTakeFirst();
}

/** Writes down what signing in has changed. */
export async function updateAccount(db: Queries, id: string, changed: Partial<Omit<Account, "id">>): Promise<void> {
  await db.updateTable("users").set(changed).where("id", "=", id).execute();
}
