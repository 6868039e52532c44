import type { Mailer } from "./create-mailer";

interface Invitation {
  to: string;
  /** The address of who invites; null where a program does. */
  inviter: string | null;
  baseUrl: string;
  link: string;
  expiresAt: number;
}

/** Mails an invitation. It contains no text of the inviting user, so it cannot be abused for other messages. */
export function sendInvitation(mailer: Mailer, { to, inviter, baseUrl, link, expiresAt }: Invitation): Promise<void> {
  const until = new Date(expiresAt).toISOString().slice(0, 16).replace("T", " ");
  return mailer.send({
    to,
    subject: "Your invitation to Holdfast",
    text: `Hello,

${inviter === null ? "you are invited" : `${inviter} invites you`} to use Holdfast at ${baseUrl}

Follow this link and choose a password:

${link}

It works once, until ${until} UTC. Keep it secret: with it, another person can act as you.
If you did not expect this mail, you need not do anything.
`,
  });
}
