import { createLink, invitationLife, invitationLink, voidLinks } from "../../access/one-time-links";
import { sendInvitation } from "../../mail/send-invitation";
import type { ChangeCall } from "../../operations/change";

/** Makes an invitation link, which makes older ones void, and mails it where a mail server is configured. */
export async function invite(
  { db, parts, caller, now, afterwards }: ChangeCall,
  user: { id: string; email: string },
): Promise<string> {
  const { baseUrl, mailer } = parts;
  await voidLinks(db, user.id);
  const link = invitationLink(baseUrl, await createLink(db, "invitation", user.id, now, invitationLife));
  if (mailer) {
    const inviter = await db
      .selectFrom("users")
      .select("email")
      .where("id", "=", caller.userId ?? "")
      .executeTakeFirst();
    const invitation = {
      to: user.email,
      inviter: inviter?.email ?? null,
      baseUrl,
      link,
      expiresAt: now + invitationLife,
    };
    afterwards(() => sendInvitation(mailer, invitation));
  }
  return link;
}
