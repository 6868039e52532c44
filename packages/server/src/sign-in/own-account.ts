import { textLimits } from "@holdfast/api/conventions/text-limits";
import { FieldChecks } from "@holdfast/api/conventions/texts";
import type { Session } from "../access/sessions";
import { userNames } from "../resources/users/store";
import { findAccount } from "./accounts";
import { type ClientInfo, recordAccountChange } from "./record-account-action";
import type { SignInParts } from "./sign-in-parts";

/** Changes the name of the user of a session. */
export async function updateOwnAccount(
  parts: SignInParts,
  session: Session,
  given: { full_name: string },
  client: ClientInfo,
): Promise<void> {
  const checks = new FieldChecks();
  const fullName = checks.line("full_name", given.full_name, textLimits.name);
  checks.finish();
  await parts.database.change(async (db) => {
    const { caller } = await parts.sessions.require(db, session.caller.tokenId);
    const account = await findAccount(db, caller.userId);
    if (!account) throw new Error("A session has lost its user.");
    await db.updateTable("users").set(userNames(fullName)).where("id", "=", caller.userId).execute();
    await recordAccountChange(db, parts, client, {
      operation: "update-account",
      userId: caller.userId,
      before: { full_name: account.full_name },
      after: { full_name: fullName },
    });
  });
}
