import { expect, test } from "bun:test";
import fc from "fast-check";
import { expectRefusal, insides } from "../error-envelope";
import { type Answered, readAnswer } from "../harness";
import { startProcess } from "../process";
import { sendRaw } from "../raw-connection";

/** Reads what came over the wire as one response. */
async function readRaw(text: string): Promise<Answered> {
  const end = text.indexOf("\r\n\r\n");
  const [first = "", ...lines] = text.slice(0, end).split("\r\n");
  const headers = lines.map((line): [string, string] => [
    line.slice(0, line.indexOf(":")),
    line.slice(line.indexOf(":") + 1).trim(),
  ]);
  return readAnswer(new Response(text.slice(end + 4), { status: Number(first.split(" ")[1]), headers }));
}

const words = fc.constantFrom(..."GET HEAD POST PUT DELETE OPTIONS PATCH TRACE PROPFIND".split(" "));
const paths = fc.oneof(
  fc.constantFrom(
    "/",
    "/users",
    "/tasks",
    "/tasks/x",
    "/healthz",
    "/metrics",
    "/docs",
    "//",
    "/%ff",
    "/.env",
    "/a/../b",
  ),
  fc
    .string({ unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)), maxLength: 30 })
    .map((text) => `/${text}`),
  fc
    .string({ unit: fc.integer({ min: 0x80, max: 0xff }).map((code) => String.fromCharCode(code)), maxLength: 10 })
    .map((text) => `/${text}`),
);
const headers = fc
  .array(
    fc.tuple(
      fc.constantFrom("Accept", "Authorization", "X-Svc-OrganizationalUnit-Context", "If-None-Match", "X-Odd", "Range"),
      fc.string({
        unit: fc
          .integer({ min: 0x21, max: 0xff })
          .filter((code) => code !== 0x7f)
          .map((code) => String.fromCharCode(code)),
        maxLength: 40,
      }),
    ),
    { maxLength: 4 },
  )
  .map((pairs) => pairs.map(([name, value]) => `${name}: ${value}\r\n`).join(""));

test("T28: over a real connection, too, every refusal of the service is the error envelope, and nothing breaks", async () => {
  const server = await startProcess();
  const beside = await server.openBeside();
  const { token } = await beside.serviceToken("owner");
  const requests = fc.sample(fc.tuple(words, paths, fc.boolean(), headers), 600);
  const answers: { method: string; answer: Answered }[] = [];
  // Some at a time: each has a connection of its own.
  for (let from = 0; from < requests.length; from += 50) {
    const batch = requests.slice(from, from + 50).map(async ([method, path, isKnown, sent]) => {
      const authorization = isKnown ? `Authorization: Bearer ${token}\r\n` : "";
      const bytes = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n${authorization}${sent}\r\n`;
      const { text } = await sendRaw(server.port, bytes);
      answers.push({ method, answer: await readRaw(text) });
    });
    await Promise.all(batch);
  }
  const statuses = new Set(answers.map(({ answer }) => answer.status));
  expect([...statuses].filter((status) => status >= 500 || status === 0)).toEqual([]);
  const refusals = answers.filter(({ method, answer }) => answer.status >= 400 && method !== "HEAD");
  // Refusals by the runtime itself have no body at all; everything else is ours.
  const ours = refusals.filter(({ answer }) => answer.text !== "");
  for (const { answer } of ours) expectRefusal(answer);
  expect(ours.length).toBeGreaterThan(300);
  expect(refusals.length - ours.length).toBeLessThan(refusals.length / 5);
  expect(server.printed().includes('"level":"error"')).toBe(false);

  await beside.addTasks([{}]);
  await beside.database.change((db) => db.schema.dropTable("tasks").execute());
  const broken = await server.ask("/tasks", { token });
  expect(broken.status).toBe(500);
  expectRefusal(broken);
  const incident = /incident id ([0-9a-f-]{36})\.$/.exec(broken.body.errors[0].error_message)?.[1] ?? "none";
  const line =
    server
      .printed()
      .split("\n")
      .find((text) => text.includes(incident)) ?? "";
  expect(line).toContain('"level":"error"');
  expect(line).toMatch(insides);
  expect((await server.ask("/healthz")).status).toBe(200);
  expect(await server.stop()).toBe(0);
  await beside.close();
}, 120_000);
