import { textLimits } from "@holdfast/api/conventions/text-limits";
import { FieldChecks } from "@holdfast/api/conventions/texts";
import type { sessionBodies } from "@holdfast/api/session/session-paths";
import type { z } from "zod";
import type { Session } from "../access/sessions";
import { userNames } from "../resources/users/store";
import { readTimeZone } from "../resources/users/time-zone";
import { findAccount } from "./accounts";
import { type ClientInfo, recordAccountChange } from "./record-account-action";
import type { SignInParts } from "./sign-in-parts";

type SessionBody = z.infer<(typeof sessionBodies)["update-account"]>;

/** Changes the name or the time zone of the user of a session. */
export async function updateOwnAccount(
  parts: Pick<SignInParts, "database" | "sessions" | "sealer" | "clock">,
  session: Session,
  given: SessionBody,
  client: ClientInfo,
): Promise<void> {
  const checks = new FieldChecks();
  const fullName =
    given.full_name === undefined ? undefined : checks.line("full_name", given.full_name, textLimits.name);
  const timeZone = given.time_zone === undefined ? undefined : readTimeZone(checks, given.time_zone);
  if (fullName === undefined && timeZone === undefined) checks.fail("full_name", "given, or time_zone");
  checks.finish();
  await parts.database.change(async (db) => {
    const { caller } = await parts.sessions.require(db, session.caller.tokenId);
    const account = await findAccount(db, caller.userId);
    if (!account) throw new Error("A session has lost its user.");
    const before = { full_name: account.full_name, time_zone: account.time_zone };
    const after = { full_name: fullName ?? before.full_name, time_zone: timeZone ?? before.time_zone };
    const changed = { ...userNames(after.full_name), time_zone: after.time_zone };
    await db.updateTable("users").set(changed).where("id", "=", caller.userId).execute();
    await recordAccountChange(db, parts, client, {
      operation: "update-account",
      userId: caller.userId,
      before,
      after,
    });
  });
}
