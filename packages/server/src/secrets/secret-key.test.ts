import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeFolder, openPlane } from "../../test/harness";
import { readSecretKey } from "./secret-key";

let folder: string;
beforeEach(() => {
  folder = makeFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const good = "correct horse battery staple, and then some";

function read(from: { secretKey?: string; secretKeyFile?: string; check?: string }): string {
  const nothing = { secretKey: undefined, secretKeyFile: undefined };
  const { key } = readSecretKey({ ...nothing, dataDir: folder, check: undefined, ...from });
  return new TextDecoder().decode(key);
}

test("without a setting the secret is made once, for its owner alone, and nothing else is left behind", () => {
  const made = read({});
  expect(made.length).toBeGreaterThanOrEqual(64);
  expect(read({})).toBe(made);
  expect(readdirSync(folder)).toEqual(["secret.key"]);
  expect(statSync(join(folder, "secret.key")).mode & 0o777).toBe(0o600);
});

test("a secret that a database was made with is not made up when it is missing", () => {
  const path = join(folder, "secret.key");
  expect(() => read({ check: "sealed" })).toThrow(
    `The secret that this database was made with is missing: restore ${path}, or give it in HOLDFAST_SECRET_KEY.`,
  );
  expect(existsSync(path)).toBe(false);
});

test("the environment wins over a file, and a file over the data directory", () => {
  const path = join(folder, "elsewhere");
  writeFileSync(path, `${good} from a file\n`, { mode: 0o600 });
  expect(read({ secretKeyFile: path })).toBe(`${good} from a file`);
  expect(read({ secretKey: good, secretKeyFile: path })).toBe(good);
  expect(existsSync(join(folder, "secret.key"))).toBe(false);
});

test("T25 R25 a secret that others can read is refused, with the command that mends it", () => {
  const path = join(folder, "secret.key");
  read({});
  for (const mode of [0o644, 0o640, 0o604, 0o660]) {
    chmodSync(path, mode);
    expect(() => read({})).toThrow(`The secret in ${path} can be read by others. Run: chmod 600 ${path}`);
  }
  chmodSync(path, 0o400);
  expect(read({}).length).toBeGreaterThan(0);
});

test("R25 a secret that is short or monotonous is refused wherever it comes from", () => {
  const path = join(folder, "weak");
  writeFileSync(path, "changeme", { mode: 0o600 });
  for (const weak of ["changeme", "", "a".repeat(64), "abcabcabcabcabcabcabcabcabcabcabcabc"]) {
    expect(() => read({ secretKey: weak })).toThrow("The secret in HOLDFAST_SECRET_KEY is too easy to guess");
  }
  expect(() => read({ secretKeyFile: path })).toThrow(`The secret in ${path} is too easy to guess`);
});

test("a file that is named but missing is not made up", () => {
  const path = join(folder, "missing");
  expect(() => read({ secretKeyFile: path })).toThrow(`There is no file ${path}. Make it with: openssl rand`);
  expect(existsSync(path)).toBe(false);
});

test("T25 a start with another secret than the database was made with says so", async () => {
  const plane = await openPlane({}, folder);
  await plane.database.close();
  await expect(openPlane({ secret_key: good }, folder)).rejects.toThrow(
    "The secret is not the one that this database was made with. Give the right one in HOLDFAST_SECRET_KEY or secret_key_file.",
  );
  const again = await openPlane({ secret_key: readFileSync(join(folder, "secret.key"), "utf8").trim() }, folder);
  await again.close();
});

test("processes that start at once agree on one secret", async () => {
  const source = fileURLToPath(new URL("./secret-key.ts", import.meta.url));
  const script = `import { readSecretKey } from ${JSON.stringify(source)};
    process.stdout.write(readSecretKey({ dataDir: ${JSON.stringify(folder)}, check: undefined }).key);`;
  const processes = Array.from({ length: 5 }, () => Bun.spawn([process.execPath, "-e", script], { stdout: "pipe" }));
  const secrets = await Promise.all(processes.map(({ stdout }) => new Response(stdout).text()));
  expect(new Set(secrets)).toEqual(new Set([readFileSync(join(folder, "secret.key"), "utf8").trim()]));
  expect(readdirSync(folder)).toEqual(["secret.key"]);
});
