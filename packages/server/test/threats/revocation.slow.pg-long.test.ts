import { afterAll, expect, test } from "bun:test";
import { runHoldfast, startProcess } from "../process";

const server = await startProcess();
const beside = await server.openBeside();
afterAll(async () => {
  await server.stop();
  await beside.close();
});

const run = async (...args: string[]) => {
  const { exitCode, output, errors } = await runHoldfast(server.folder, args);
  expect({ exitCode, errors }).toEqual({
    exitCode: 0,
    errors: expect.stringMatching(/^(The token .* is revoked.*\n)?$/),
  });
  return output.trim();
};
const status = async (token: string) => (await server.ask("/tasks", { token })).status;

test("T6, R12: a token that the command line revokes is refused by the running server from the next request on", async () => {
  const { id, token } = await beside.serviceToken("viewer");
  expect(await status(token)).toBe(200);
  await run("token", "revoke", id);
  expect(await status(token)).toBe(401);
}, 120_000);

test("T6, R12: a user whom the command line disables is out, and one whose role it takes away has nothing left", async () => {
  const userId = await run("user", "create", "--email", "ada@example.org", "--name", "Ada", "--role", "viewer");
  const token = await run("token", "create", "--kind", "personal", "--name", "laptop", "--user", userId);
  const seen = [await status(token)];
  await run("user", "disable", userId);
  seen.push(await status(token));
  await run("user", "enable", userId);
  seen.push(await status(token));
  await run("user", "revoke", userId, "--role", "viewer");
  seen.push(await status(token));
  expect(seen).toEqual([200, 401, 200, 401]);
}, 120_000);

test("T25: keys that the command line rotates while requests come in fail none of them", async () => {
  const { token } = await beside.serviceToken("viewer");
  const seen: number[] = [];
  let isRotating = true;
  const load = async () => {
    while (isRotating) seen.push(await status(token));
  };
  const loads = [load(), load()];
  for (let round = 0; round < 3; round++) await run("key", "rotate");
  const made = await run("token", "create", "--kind", "service", "--name", "new", "--role", "viewer");
  seen.push(await status(made));
  isRotating = false;
  await Promise.all(loads);
  expect(seen.filter((one) => one !== 200)).toEqual([]);
  expect(seen.length).toBeGreaterThan(100);
  // Those that have signed nothing that lives are gone.
  expect((await server.ask("/.well-known/jwks.json")).body.keys).toHaveLength(2);
}, 120_000);

test("T25: a key that is retired, by the command line or over the API, is of no use from the next request on, in every process", async () => {
  const other = await server.openBeside();
  const kidOf = (made: string): string => JSON.parse(Buffer.from(made.split(".")[0] ?? "", "base64url").toString()).kid;
  const all = async (token: string) => [
    await status(token),
    (await beside.ask("/tasks", { token })).status,
    (await other.ask("/tasks", { token })).status,
  ];
  const first = await beside.serviceToken("owner");
  expect(await all(first.token)).toEqual([200, 200, 200]);
  const successor = await run("key", "retire", kidOf(first.token));
  expect(await all(first.token)).toEqual([401, 401, 401]);
  const second = await beside.serviceToken("owner");
  expect(kidOf(second.token)).toBe(successor);
  expect(await all(second.token)).toEqual([200, 200, 200]);
  const { status: done } = await server.ask(`/keys/${successor}`, { method: "DELETE", token: second.token });
  expect(done).toBe(204);
  expect(await all(second.token)).toEqual([401, 401, 401]);
  await other.database.close();
}, 120_000);

test("T25: a service that runs while the secret is changed keeps reading, changes nothing more and ends", async () => {
  const own = await startProcess();
  const inside = await own.openBeside();
  const { token } = await inside.serviceToken("owner");
  const { exitCode } = await runHoldfast(own.folder, ["key", "reseal"]);
  expect(exitCode).toBe(0);
  expect((await own.ask("/tasks", { token })).status).toBe(200);
  expect((await own.ask("/keys", { method: "POST", token })).status).toBe(503);
  expect(await own.ended()).toBe(1);
  expect(own.printed()).toContain("The secret was changed with holdfast key reseal. Restart the service");
  await inside.close();
}, 120_000);
