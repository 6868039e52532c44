import { once } from "node:events";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

/** Message that a mail server received: to whom, and the message as it went over the wire. */
export interface Handed {
  to: string;
  message: string;
}

/** A real mail server on a port of this machine. */
export async function startMailServer(options: SMTPServerOptions = {}) {
  const handed: Handed[] = [];
  const server = new SMTPServer({
    logger: false,
    disabledCommands: ["STARTTLS", "AUTH"],
    onData(stream, { envelope }, done) {
      const parts: Buffer[] = [];
      stream.on("data", (part: Buffer) => parts.push(part));
      stream.on("end", () => {
        const message = Buffer.concat(parts).toString();
        handed.push(...envelope.rcptTo.map(({ address }) => ({ to: address, message })));
        done();
      });
    },
    ...options,
  });
  const listener = server.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const address = listener.address();
  if (address === null || typeof address === "string") throw new Error("The mail server has no port.");
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { handed, url: `smtp://127.0.0.1:${address.port}`, close };
}
