import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readWhole } from "../folder-database";
import { runHoldfast, startProcess } from "../process";
import { sendRaw } from "../raw-connection";
import { tokenPattern } from "../token-pattern";

test("T24: after all kinds of use and misuse, no token stands in the log, the database or its write-ahead log", async () => {
  const server = await startProcess({ flags: { log_level: "debug" } });
  const beside = await server.openBeside();
  const userId = await beside.addUser({ roles: [{ role: "owner" }] });
  const made = await runHoldfast(server.folder, [
    "token",
    "create",
    "--kind",
    "service",
    "--name",
    "canary",
    "--role",
    "owner",
  ]);
  const service = await beside.serviceToken("owner");
  const tokens = [made.output.trim(), service.token, (await beside.personalToken(userId)).token];
  const answers = await Promise.all(
    tokens.flatMap((token) => [
      server.ask("/tasks", { token }),
      server.ask("/users?limit=1", { token }),
      server.ask("/", { token, accept: token.slice(0, 500) }),
      server.ask(`/tasks?access_token=${token}`, { token }),
      server.ask(`/tasks?filter=${token}`, { token }),
      server.ask("/tasks", { token: `${token}x` }),
      server.ask("/tasks", { token, unit: token }),
      server.ask("/tasks", { headers: { authorization: `Basic ${token}` } }),
      server.ask("/tasks", { method: "PUT", token }),
      server.ask("/tasks", { method: "POST", token, body: { type: token, progress_message: token } }),
      server.ask(`/tasks/${token}`, { method: "PATCH", token, body: { reason: token } }),
      server.ask("/tasks", { token, headers: { "x-request-id": token, "user-agent": token, referer: token } }),
    ]),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 400, 401, 405, 406, 422]));
  for (const token of tokens)
    await sendRaw(server.port, `GET / HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n bad\r\n\r\n`, 100);
  await runHoldfast(server.folder, ["token", "revoke", service.id]);
  // The last use of a token is written down a second later; that, too, has to be looked through.
  await Bun.sleep(1_500);

  const files = readdirSync(server.folder).map((name) => ({
    name,
    content: readFileSync(join(server.folder, name), "latin1"),
  }));
  const stored = [...files, { name: "the database", content: await readWhole(beside.databaseUrl) }];
  const printed = server.printed();
  await server.stop();
  await beside.close();
  const secrets = tokens.flatMap((token) => token.split(".").slice(1));
  const leaks = stored.filter(({ content }) => secrets.some((secret) => content.includes(secret)));
  expect(leaks.map(({ name }) => name)).toEqual([]);
  expect(stored.filter(({ content }) => new RegExp(tokenPattern).test(content)).map(({ name }) => name)).toEqual([]);
  // Answers show no token either, not even one that was sent where it does not belong.
  expect(answers.filter(({ text }) => secrets.some((secret) => text.includes(secret))).length).toBe(0);
  // The control: the places that were searched are those where a token would be.
  expect(stored.filter(({ content }) => content.includes(service.id)).length).toBeGreaterThanOrEqual(2);
  expect(printed).toContain(`"caller":"${service.id}"`);
}, 120_000);
