import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { version } from "../../packages/server/src/settings/version";
import { findFreePort } from "../../packages/server/test/free-port";
import { startBrowser } from "../../packages/server/test/start-browser";
import { createTestDatabase } from "../../packages/server/test/test-database";
import { bareRoot, obstacle } from "./test/bare-root";
import { faultsOfBill } from "./test/bill-schema";
import { type BuiltExecutable, buildForTest, createToken, run, serve } from "./test/built-executable";
import { debian } from "./test/debian";
import { releases } from "./test/releases";

let built: BuiltExecutable;
const password = "a long password of the smoke test";

beforeAll(async () => {
  built = await buildForTest();
}, 300_000);

afterAll(() => built.remove());

test("the executable runs in an empty folder with an empty environment, by a link and through PATH", async () => {
  const cwd = built.makeFolder();
  symlinkSync(built.path, join(cwd, "linked"));
  const shown = { exitCode: 0, output: `${version}\n`, errors: "" };
  expect(await run([built.path, "--version"], { cwd })).toEqual(shown);
  expect(await run([join(cwd, "linked"), "--version"], { cwd })).toEqual(shown);
  const environment = { PATH: ["/usr/bin", "/bin", dirname(built.path)].join(delimiter) };
  expect(await run(["sh", "-c", "exec holdfast --version"], { cwd, environment })).toEqual(shown);
}, 120_000);

test("it takes neither code nor variables from the folder that it is called in", async () => {
  const cwd = built.makeFolder();
  writeFileSync(join(cwd, "bunfig.toml"), 'preload = ["./foreign.ts"]\n');
  const paths = { compilerOptions: { baseUrl: ".", paths: { "*": ["./foreign.ts"] } } };
  for (const name of ["tsconfig.json", "jsconfig.json"]) writeFileSync(join(cwd, name), JSON.stringify(paths));
  writeFileSync(join(cwd, "foreign.ts"), 'process.stdout.write("foreign");\nprocess.exit(0);\n');
  writeFileSync(join(cwd, ".env"), "HOLDFAST_DATA_DIR=/foreign\n");
  const { exitCode, output, errors } = await run([built.path, "audit", "verify"], { cwd });
  expect([exitCode, output, errors]).toEqual([1, "", expect.stringContaining(join("data", "holdfast.db"))]);
});

test.skipIf(obstacle !== "")(
  `on a root that has the C library and /proc alone, without a folder that it may write to but its data${obstacle}`,
  async () => {
    using root = bareRoot(built.path, built.makeFolder());
    const inside = (...args: string[]) => run(root.command(...args), { cwd: "/" });
    expect(await inside("--version")).toEqual({ exitCode: 0, output: `${version}\n`, errors: "" });
    expect(await inside("demo", "--tasks", "20", "--users", "3", "--data-dir", "/data/holdfast")).toMatchObject({
      exitCode: 0,
      errors: expect.stringContaining("  holdfast token create"),
    });
    expect(await inside("database", "backup", "/data/copy.db", "--data-dir", "/data/holdfast")).toMatchObject({
      exitCode: 0,
      errors: expect.stringContaining("The copy is sound."),
    });
    expect(await inside("database", "backup", "/copy.db", "--data-dir", "/data/holdfast")).toMatchObject({
      exitCode: 1,
      errors: expect.stringContaining("No file can be written in /"),
    });
  },
  120_000,
);

test("two processes serve: the first owner signs in, a restic backup is run and seen in the console, the database copied", async () => {
  const cwd = built.makeFolder();
  const port = String(await findFreePort());
  expect((await run([built.path, "demo", "--tasks", "50", "--users", "4"], { cwd })).exitCode).toBe(0);
  const service = await serve([built.path, "serve", "--port", port, "--processes", "2"], { cwd });
  const browser = await startBrowser();
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(/Become the first owner: +(\S+) /.exec(service.printed())?.[1] ?? "");
    await page.getByLabel("Your full name").fill("First Owner");
    await page.getByLabel("E-mail address").fill("first@example.org");
    await page.getByLabel("New password").fill(password);
    await page.getByRole("button", { name: "Become the owner" }).click();
    await page.getByRole("link", { name: "Open the console" }).click();
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();

    const token = await createToken(built.path, "reporter", { cwd });
    mkdirSync(join(cwd, "files"));
    writeFileSync(join(cwd, "files/letter.txt"), "Dear reader");
    const environment = {
      PATH: "/usr/bin:/bin",
      HOME: cwd,
      RESTIC_REPOSITORY: join(cwd, "restic"),
      RESTIC_PASSWORD: password,
      HOLDFAST_URL: service.baseUrl,
      HOLDFAST_TOKEN: token,
      HOLDFAST_SPOOL: join(cwd, "spool"),
    };
    await run(["restic", "init"], { cwd, environment });
    const backup = ["run", "--entity", "smoke-host", "--", "restic", "backup", "files"];
    const reported = await run([built.path, ...backup], { cwd, environment });
    expect([reported.exitCode, reported.output]).toEqual([0, expect.stringContaining("snapshot ")]);

    await page.goto(`${service.baseUrl}/console/tasks`);
    await page.getByRole("link", { name: "smoke-host" }).first().click();
    await page.getByRole("heading", { level: 1, name: "smoke-host" }).waitFor();
    await page.getByText("restic_backup").first().waitFor();

    const healthy = await run([built.path, "health", "--port", port], { cwd });
    expect(healthy).toEqual({ exitCode: 0, output: "ready\n", errors: "" });
    const copied = await run([built.path, "database", "backup", "copy.db"], { cwd });
    expect([copied.exitCode, copied.errors]).toEqual([0, expect.stringContaining("The copy is sound.")]);
  } finally {
    await browser.close();
    expect(await service.stop()).toBe(0);
  }
  expect(await run([built.path, "health", "--port", port], { cwd })).toMatchObject({
    exitCode: 1,
    errors: expect.stringContaining("the connection is refused"),
  });
}, 240_000);

test("it serves from PostgreSQL", async () => {
  const cwd = built.makeFolder();
  const database = await createTestDatabase();
  const environment = { HOLDFAST_DATABASE_URL: database.url };
  const port = String(await findFreePort());
  const service = await serve([built.path, "serve", "--port", port], { cwd, environment });
  const token = await createToken(built.path, "owner", { cwd, environment });
  const answer = await fetch(`${service.baseUrl}/users`, { headers: { Authorization: `Bearer ${token}` } });
  expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ total_count: 0 })]);
  expect(await service.stop()).toBe(0);
  await database.drop();
}, 120_000);

test("checksums fit what was built, and the bill of materials names what is in it", async () => {
  const { folder: cwd } = built;
  const environment = { PATH: "/usr/bin:/bin" };
  expect(await run(["sha256sum", "--check", "SHA256SUMS"], { cwd, environment })).toMatchObject({
    exitCode: 0,
    output: "holdfast: OK\nholdfast.cdx.json: OK\n",
  });
  const bill = await Bun.file(join(cwd, "holdfast.cdx.json")).json();
  const names: string[] = bill.components.map(({ name }: { name: string }) => name);
  // The service, the console, the command line, and the runtime.
  expect(names).toEqual(expect.arrayContaining(["hono", "react", "commander", "pg", "bun"]));
  expect(names.filter((name) => ["typescript", "playwright-core", "knip"].includes(name))).toEqual([]);
  expect(faultsOfBill(bill)).toEqual([]);
  expect(faultsOfBill({ ...bill, components: [{ name: "no kind" }] })).not.toEqual([]);
}, 120_000);

debian(() => built);
releases(() => built);
