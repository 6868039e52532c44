import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { startPostgres } from "../../../runner/test/postgres-server";
import { run } from "./runner";
import { openRunWorld } from "./service";

const world = await openRunWorld();
const server = await startPostgres(world.path);
afterAll(async () => {
  await server.stop();
  await world.close();
});

const here = { cwd: world.path, environment: server.environment };
/** A shell that writes what a command says to files. */
const into = (name: string) => ["sh", "-c", `exec "$@" > ${name}.out 2> ${name}.err`, "sh"];
/** Output without the random word that pg_dump puts around a script. */
const written = (name: string) =>
  ["out", "err"].map((stream) =>
    readFileSync(join(world.path, `${name}.${stream}`), "latin1").replace(/^\\(un)?restrict .*$/gm, ""),
  );

/** Runs a command bare and through the runner, and gives what the service knows of the second. */
async function compare(name: string, command: (target: string) => string[]) {
  const bare = await run([...into("bare"), ...command("bare")], here);
  const ours = await world.run(["--host", "db-01", "--name", name], command("ours"), { ...here, under: into("ours") });
  expect([ours.exitCode, ...written("ours")]).toEqual([bare.exitCode, ...written("bare")]);
  const { status, outcome, error, type, category, primary_entity } = await world.taskNamed(name);
  return [status, outcome, ...(error ? [error.code] : []), category, type, primary_entity.value].join(" ");
}

test("pg_dump: a script on stdout, a file, and a database that does not exist", async () => {
  expect(await compare("script", () => ["pg_dump", "postgres"])).toBe(
    "completed success backup pg_dump db-01/postgres",
  );
  expect(written("ours")[0]).toContain("CREATE TABLE public.t");
  expect(await compare("file", (target) => ["pg_dump", "-Fc", "-f", `${target}.dump`, "postgres"])).toStartWith(
    "completed success",
  );
  expect(existsSync(join(world.path, "ours.dump"))).toBe(true);
  expect(await compare("missing", () => ["pg_dump", "nosuch"])).toStartWith("failed error database_missing");
}, 120_000);

test("pg_restore: what it could not restore is no success", async () => {
  await run(["pg_dump", "-Fc", "-f", "again.dump", "postgres"], here);
  const restore = () => ["pg_restore", "-d", "postgres", "again.dump"];
  expect(await compare("restore", restore)).toStartWith("failed error restore_incomplete restore pg_restore");
}, 120_000);

test("pg_basebackup: with its progress, and into a folder that is not empty", async () => {
  const command = (target: string) => ["pg_basebackup", "-c", "fast", "-X", "none", "-D", `base-${target}`];
  expect(await compare("base", command)).toBe("completed success backup pg_basebackup db-01/cluster");
  const { progress_percentage } = await world.taskNamed("base");
  expect(progress_percentage).toBe(100);
  expect(existsSync(join(world.path, "base-ours/PG_VERSION"))).toBe(true);
  mkdirSync(join(world.path, "base-full/x"), { recursive: true });
  const again = ["pg_basebackup", "-c", "fast", "-X", "none", "-D", "base-full"];
  expect(await compare("again", () => again)).toStartWith("failed error target_not_empty");
}, 120_000);
