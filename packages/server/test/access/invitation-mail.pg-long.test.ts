import { afterEach, expect, test } from "bun:test";
import { once } from "node:events";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { openPlane, type Plane } from "../harness";

/** Message that a mail server received: to whom, and the message as it went over the wire. */
interface Handed {
  from: string;
  to: string[];
  message: string;
}

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A real mail server on a port of this machine. */
async function startMailServer(options: SMTPServerOptions = {}) {
  const handed: Handed[] = [];
  const server = new SMTPServer({
    logger: false,
    disabledCommands: ["STARTTLS", "AUTH"],
    onData(stream, { envelope }, done) {
      const parts: Buffer[] = [];
      stream.on("data", (part: Buffer) => parts.push(part));
      stream.on("end", () => {
        const from = envelope.mailFrom ? envelope.mailFrom.address : "";
        const message = Buffer.concat(parts).toString();
        handed.push({ from, to: envelope.rcptTo.map(({ address }) => address), message });
        done();
      });
    },
    ...options,
  });
  const listener = server.listen(0, "127.0.0.1");
  await once(listener, "listening");
  closing.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const address = listener.address();
  if (address === null || typeof address === "string") throw new Error("The mail server has no port.");
  return { handed, port: address.port };
}

async function openMailingPlane(smtp_url: string): Promise<{ plane: Plane; token: string }> {
  const plane = await openPlane({ smtp_url, mail_from: "Holdfast <holdfast@example.org>" });
  closing.push(() => plane.close());
  const ada = await plane.addUser({ email: "ada@example.org", roles: [{ role: "owner" }] });
  return { plane, token: (await plane.personalToken(ada)).token };
}

async function until(condition: () => boolean): Promise<void> {
  for (let waited = 0; !condition() && waited < 60_000; waited += 20) await Bun.sleep(20);
  expect(condition()).toBe(true);
}

const body = { email: "bob@example.org", full_name: "Bob <b>Brown</b> https://elsewhere.example" };
/** Long lines are broken in transit with "=" and joined again by whoever reads them. */
const textOf = (message: string) =>
  message.replace(/=\r\n/g, "").replaceAll("=3D", "=").split("\r\n\r\n").slice(1).join("\n\n");

test("an invitation is mailed to the invited: short, plain, with the link and nothing that the inviter wrote", async () => {
  const { handed, port } = await startMailServer();
  const { plane, token } = await openMailingPlane(`smtp://127.0.0.1:${port}`);
  const made = await plane.ask("/users", { method: "POST", token, body });
  await until(() => handed.length > 0);
  const [{ from, to, message } = { from: "", to: [], message: "" }] = handed;
  expect([from, to]).toEqual(["holdfast@example.org", ["bob@example.org"]]);
  expect(message).toMatch(/^From: Holdfast <holdfast@example\.org>\r$/m);
  expect(message).toMatch(/^To: bob@example\.org\r$/m);
  expect(message).toMatch(/^Subject: Your invitation to Holdfast\r$/m);
  expect(message).toMatch(/^Content-Type: text\/plain; charset=utf-8\r$/m);
  expect(message).not.toMatch(/Brown|elsewhere|html/i);
  expect(textOf(message).replaceAll("\r\n", "\n")).toBe(`Hello,

ada@example.org invites you to use Holdfast at http://holdfast.test

Follow this link and choose a password:

${made.body.invitation_link}

It works once, until 2026-11-22 12:00 UTC. Keep it secret: with it, another person can act as you.
If you did not expect this mail, you need not do anything.
`);

  const again = await plane.ask(`/users/${made.body.id}/invitation`, { method: "POST", token });
  await until(() => handed.length > 1);
  expect(textOf(handed[1]?.message ?? "")).toContain(again.body.invitation_link);
});

test("a refused request is not mailed about", async () => {
  const { handed, port } = await startMailServer();
  const { plane, token } = await openMailingPlane(`smtp://127.0.0.1:${port}`);
  await plane.ask("/users", { method: "POST", token, body: { ...body, email: "ada@example.org" } });
  await plane.ask("/users", { method: "POST", token, body });
  await until(() => handed.length > 0);
  expect(handed.map(({ to }) => to)).toEqual([["bob@example.org"]]);
});

test("a mail that fails undoes nothing, and is logged without the link and without what the server says", async () => {
  const { port } = await startMailServer({
    onData(stream, _session, done) {
      const parts: Buffer[] = [];
      stream.on("data", (part: Buffer) => parts.push(part));
      stream.on("end", () =>
        done(new Error(`Rejected: ${textOf(Buffer.concat(parts).toString()).replace(/\s+/g, " ")}`)),
      );
    },
  });
  const { plane, token } = await openMailingPlane(`smtp://127.0.0.1:${port}`);
  const made = await plane.ask("/users", { method: "POST", token, body });
  await until(() => plane.logged.join("").includes("has failed"));
  expect([made.status, (await plane.ask(`/users/${made.body.id}`, { token })).status]).toEqual([201, 200]);
  const logged = plane.logged.join("");
  expect(logged).toContain("The mail could not be sent (EMESSAGE DATA 450). Check smtp_url and the mail server's log.");
  expect(logged).not.toMatch(/invitation#|Rejected/);
  expect(logged).not.toContain(made.body.invitation_link.split("#")[1]);
});

test("a mail server that is away is told of in the log alone", async () => {
  const { plane, token } = await openMailingPlane("smtp://127.0.0.1:1");
  expect((await plane.ask("/users", { method: "POST", token, body })).body.invitation_link).toBeString();
  await until(() => plane.logged.join("").includes("The mail could not be sent (ESOCKET CONN)"));
});

test("T24 a password is not sent to a mail server that offers no encryption", async () => {
  const sent: unknown[] = [];
  const { handed, port } = await startMailServer({
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
    authOptional: true,
    onAuth({ username, password }, _session, done) {
      sent.push(username, password);
      done(null, { user: username });
    },
  });
  const { plane, token } = await openMailingPlane(`smtp://holdfast:secret@127.0.0.1:${port}`);
  await plane.ask("/users", { method: "POST", token, body });
  await until(() => plane.logged.join("").includes("The mail could not be sent"));
  expect([sent, handed]).toEqual([[], []]);
});
