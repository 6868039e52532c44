import type { Settings } from "../settings/declarations";

/** A plain message to one person. */
interface Message {
  to: string;
  subject: string;
  text: string;
}

/** Hands mail to the server that the settings name. */
export interface Mailer {
  send(message: Message): Promise<void>;
}

/** Makes a mailer; nothing where no mail server is configured. It connects for each message, and not before. */
export function createMailer({ smtp_url, mail_from }: Pick<Settings, "smtp_url" | "mail_from">): Mailer | undefined {
  if (smtp_url === undefined) return undefined;
  return {
    async send({ to, subject, text }) {
      // Only when it is needed: it takes a third of the time that a service needs to start, and most never send mail.
      const { createTransport } = await import("nodemailer");
      const transport = createTransport({
        url: smtp_url,
        // A password is never sent in the clear, whatever the server offers.
        requireTLS: new URL(smtp_url).username !== "",
        connectionTimeout: 10_000,
        greetingTimeout: 10_000,
        socketTimeout: 30_000,
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      try {
        await transport.sendMail({
          from: mail_from,
          to: { name: "", address: to },
          subject,
          text,
          headers: { "Auto-Submitted": "auto-generated" },
          xMailer: false,
        });
      } catch (error) {
        // A server may repeat in its refusal what the mail says, so its words are not passed on.
        throw new Error(`The mail could not be sent (${codesOf(error)}). Check smtp_url and the mail server's log.`);
      }
    },
  };
}

function codesOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const codes = [
    "code" in error ? error.code : undefined,
    "command" in error ? error.command : undefined,
    "responseCode" in error ? error.responseCode : undefined,
  ];
  return codes.filter((code) => typeof code === "string" || typeof code === "number").join(" ") || "unknown";
}
