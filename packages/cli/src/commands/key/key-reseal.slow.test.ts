import { afterAll, expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openCommandLine } from "../../../test/open-command-line";

const { folder, data, start, run, runHere, remove } = openCommandLine();
afterAll(remove);
const secretFile = join(data, "secret.key");
const read = () => readFileSync(secretFile, "utf8").trim();

async function holdfast(args: string[], environment: Record<string, string> = {}) {
  const { stdout, stderr, exitCode } = await run(args, { environment });
  return { stdout: stdout.trim(), stderr: stderr.trim(), exitCode };
}

/** Proves that the secret in the file is the database's: only with it can a token be signed. */
async function expectUsable(environment: Record<string, string> = {}) {
  const made = await runHere(["token", "create", "--kind", "service", "--name", "x", "--role", "viewer"], environment);
  expect([made.exitCode, made.stderr]).toEqual([0, ""]);
  expect(made.stdout).toStartWith("eyJ");
}

test("the secret is changed for a new one, for a given one and for one in a file", async () => {
  await expectUsable();
  const first = read();
  const made = await holdfast(["key", "reseal"]);
  expect([made.exitCode, made.stdout, made.stderr]).toEqual([
    0,
    "",
    `Everything is sealed with the new secret, which is in ${secretFile}. Restart every service.`,
  ]);
  expect(read()).not.toBe(first);
  expect([statSync(secretFile).mode & 0o777, existsSync(`${secretFile}.new`)]).toEqual([0o600, false]);
  await expectUsable();
  const given = "a secret that somebody has chosen at random, 1234567890";
  expect((await holdfast(["key", "reseal"], { HOLDFAST_NEW_SECRET_KEY: given })).exitCode).toBe(0);
  expect(read()).toBe(given);
  const file = join(folder, "new");
  writeFileSync(file, `${given} from a file\n`);
  expect((await holdfast(["key", "reseal", "--new-secret-file", file])).exitCode).toBe(0);
  expect(read()).toBe(`${given} from a file`);
  await expectUsable();
}, 120_000);

test("a secret from the environment is changed only for one that is given, and neither is written anywhere", async () => {
  const [old, next] = [read(), "another secret that was chosen at random, 0987654321"];
  rmSync(secretFile);
  const without = await holdfast(["key", "reseal"], { HOLDFAST_SECRET_KEY: old });
  expect([without.exitCode, without.stderr]).toEqual([
    2,
    "holdfast: The secret is in HOLDFAST_SECRET_KEY. Give the new one in HOLDFAST_NEW_SECRET_KEY, or name a file.",
  ]);
  const weak = await holdfast(["key", "reseal"], { HOLDFAST_SECRET_KEY: old, HOLDFAST_NEW_SECRET_KEY: "weak" });
  expect([weak.exitCode, weak.stderr]).toEqual([2, expect.stringContaining("is too easy to guess")]);
  const both = { HOLDFAST_SECRET_KEY: old, HOLDFAST_NEW_SECRET_KEY: next };
  const done = await holdfast(["key", "reseal"], both);
  expect([done.exitCode, done.stderr]).toEqual([
    0,
    "Everything is sealed with the new secret. Set HOLDFAST_SECRET_KEY to it, and restart every service.",
  ]);
  expect(existsSync(secretFile)).toBe(false);
  // Once more, by somebody who does not know whether it was done: it says which secret it is now.
  const again = await holdfast(["key", "reseal"], both);
  expect([again.exitCode, again.stderr]).toEqual([
    2,
    expect.stringContaining("After holdfast key reseal, that is the new one."),
  ]);
  await expectUsable({ HOLDFAST_SECRET_KEY: next });
  writeFileSync(secretFile, next, { mode: 0o600 });
}, 120_000);

test("T25: whenever it is killed, the next command finds the secret that the database has", async () => {
  const defaultValue = performance.now();
  await holdfast(["key", "reseal"]);
  const duration = performance.now() - defaultValue;
  const first = read();
  async function killAfter(milliseconds: number) {
    const command = start(["key", "reseal"]);
    await Bun.sleep(milliseconds);
    command.kill("SIGKILL");
    await command.exited;
    await expectUsable();
  }
  for (let share = 0.5; share < 1.2; share += 1 / 12) await killAfter(duration * share);
  // On a busy machine the first may all have been too early, so they go on until one was late enough.
  for (let share = 1.2; read() === first; share += 0.1) await killAfter(duration * share);
  // With the new secret beside the old one, the database has either.
  for (let round = 0; round < 4; round++) {
    const command = start(["key", "reseal"]);
    while (!existsSync(`${secretFile}.new`) && command.exitCode === null) await Bun.sleep(0);
    command.kill("SIGKILL");
    await command.exited;
    await expectUsable();
  }
}, 120_000);
