import { afterAll, expect, test } from "bun:test";
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createToken } from "../../../server/src/resources/api-tokens/store";
import { root } from "../../../server/test/harness";
import { endOf, holdfast, start } from "./runner";
import { openRunWorld } from "./service";

const world = await openRunWorld();
afterAll(() => world.close());
const day = 86_400_000;
const file = join(world.path, "host.token");

type Holder = Parameters<typeof createToken>[2]["token"]["holder"];

/** Puts a reporter's token into the file that was made so many days ago and has so many left. */
async function layToken(ago: number, left: number, given?: Holder): Promise<string> {
  const { database, controlPlane, roleId } = world.beside;
  const holder = given ?? { kind: "service", roleId: await roleId("reporter") };
  const about = { name: "host", unitId: root, holder, createdBy: null, life: (ago + left) * day };
  const { baseUrl } = world.service();
  const now = Date.now() - ago * day;
  const { token } = await database.change((db) => createToken(db, controlPlane.sealer, { baseUrl, now, token: about }));
  writeFileSync(file, `${token}\n`, { mode: 0o600 });
  chmodSync(file, 0o600);
  return token;
}

const unitOf = (token: string) => JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()).ou;
const tokenNow = () => readFileSync(file, "utf8").trim();
const run = (...flags: string[]) => world.run(["--token-file", file, ...flags], ["true"]);
const renew = (...flags: string[]) =>
  endOf(start([...holdfast, "token", "renew", ...flags], { cwd: world.path, environment: {} }));
const works = async (token: string) => (await world.service().ask("/caller", { token })).status === 200;

test("a run says once a day that its token expires soon, and what to do", async () => {
  await layToken(80, 5);
  const [first, second] = [await run(), await run()];
  expect(first.stderr.toString()).toMatch(
    /^holdfast: The token expires in 5 days, on \d{4}-\d\d-\d\d\. Renew it with holdfast token renew, or run with --renew\.\n$/,
  );
  expect([second.stderr.toString(), first.exitCode, second.exitCode]).toEqual(["", 0, 0]);
  await layToken(80, 20);
  expect((await run()).stderr.toString()).toBe("");
});

test("a run with --renew renews the token in its file when a third of its life is left, and both work for a while", async () => {
  const fresh = await layToken(10, 80);
  expect([(await run("--renew")).stderr.toString(), tokenNow()]).toEqual(["", fresh]);
  const old = await layToken(80, 10);
  const ended = await run("--renew");
  expect([ended.exitCode, ended.stderr.toString()]).toEqual([
    0,
    expect.stringMatching(/^holdfast: The token is renewed until \d{4}-\d\d-\d\d, in \S+host\.token\.\n$/),
  ]);
  const renewed = tokenNow();
  expect(renewed).not.toBe(old);
  expect([unitOf(renewed), statSync(file).mode & 0o777]).toEqual([root, 0o600]);
  expect([await works(old), await works(renewed)]).toEqual([true, true]);
  expect(readdirSync(world.path).filter((name) => name.startsWith("host.token"))).toEqual(["host.token"]);
});

test("runs at the same time leave one token in the file that works", async () => {
  await layToken(80, 10);
  const ended = await Promise.all(Array.from({ length: 4 }, () => run("--renew")));
  expect(ended.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0, 0]);
  expect(await works(tokenNow())).toBe(true);
  expect((await run("--renew")).stderr.toString()).toBe("");
});

test("holdfast token renew replaces the token in its file, or prints one from the environment", async () => {
  const old = await layToken(80, 10);
  const replaced = await renew("--token-file", file);
  expect([replaced.exitCode, replaced.stdout.toString()]).toEqual([0, ""]);
  expect(replaced.stderr.toString()).toMatch(/^The token host is renewed until \S+, in \S+host\.token\.\n$/);
  const renewed = tokenNow();
  expect([renewed === old, await works(renewed)]).toEqual([false, true]);
  const environment = { HOLDFAST_TOKEN: renewed };
  const printed = await endOf(start([...holdfast, "token", "renew"], { cwd: world.path, environment }));
  expect(await works(printed.stdout.toString().trim())).toBe(true);
});

test("holdfast token renew replaces the token of a profile", async () => {
  const old = await layToken(80, 10);
  const environment = { HOLDFAST_TOKEN: "" };
  const call = (...args: string[]) =>
    endOf(start([...holdfast, ...args], { cwd: world.path, environment, stdin: Buffer.from(old) }));
  expect((await call("login")).exitCode).toBe(0);
  const renewed = await call("token", "renew");
  expect([renewed.exitCode, renewed.stdout.toString(), renewed.stderr.toString()]).toEqual([
    0,
    "",
    expect.stringMatching(/^The token host is renewed until \S+, in the profile default\.\n$/),
  ]);
  const { profiles } = JSON.parse(readFileSync(join(world.path, "home/.config/holdfast/profiles.json"), "utf8"));
  expect([profiles.default.token === old, await works(profiles.default.token)]).toEqual([false, true]);
});

test("a run with --renew says why its token cannot be renewed, and runs its command", async () => {
  const token = await layToken(80, 10);
  const kept = await world.run(["--renew"], ["true"], { environment: { HOLDFAST_TOKEN: token } });
  expect([kept.exitCode, kept.stderr.toString()]).toEqual([
    0,
    expect.stringContaining("holdfast: --renew needs --token-file: a new token has to be kept somewhere.\n"),
  ]);
  const userId = await world.beside.addUser({ email: "me@example.org", roles: [{ role: "operator" }] });
  const personal = await layToken(80, 10, { kind: "personal", userId });
  const refused = await run("--renew");
  expect([refused.exitCode, tokenNow(), refused.stderr.toString()]).toEqual([
    0,
    personal,
    expect.stringContaining("holdfast: --renew is for service tokens. Create a new token in the console.\n"),
  ]);
});

test("a token whose folder cannot be written to is not renewed", async () => {
  const old = await layToken(80, 10);
  const lost = await renew("--token-file", "/proc/self/environ");
  expect(lost.exitCode).not.toBe(0);
  expect(await works(old)).toBe(true);
});
