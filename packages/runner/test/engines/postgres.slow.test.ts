import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { recogniseCommand } from "../../src/engines/recognise";
import { startPostgres } from "../postgres-server";
import { expectSameForAllCuts } from "../random-cuts";
import {
  endingAfter,
  endingOfRun,
  endOf,
  hasFiles,
  latin1,
  makeEngineFolder,
  recogniseIn,
  record,
  summary,
  withFlags,
} from "../run-engine";

const folder = makeEngineFolder();
const cwd = folder.path;
const server = await startPostgres(cwd);
const options = { cwd, environment: server.environment };
afterAll(async () => {
  await server.stop();
  folder[Symbol.dispose]();
});

test("pg_basebackup: -P is taken out byte for byte, and shows progress", async () => {
  const argv = (target: string) => ["pg_basebackup", "-c", "fast", "-r", "20M", "-X", "none", "-D", target];
  const command = recogniseIn(argv("added"), options);
  const changed = withFlags(command, [15, 18]);
  expect(changed.argv).toEqual(["pg_basebackup", "-P", ...argv("added").slice(1)]);
  const [bare, added] = [await record(argv("bare"), options), await record(changed.argv, options)];
  const read = expectSameForAllCuts(command, added, true);
  expect(latin1(bare.stderr)).toContain("WAL archiving is not enabled");
  expect([read.stdout, read.stderr]).toEqual([latin1(bare.stdout), latin1(bare.stderr)]);
  const percentages = read.progress.flatMap(({ percentage }) => (percentage === undefined ? [] : [percentage]));
  expect(Math.max(...percentages)).toBe(100);
  expect(read.progress[0]).toEqual({ message: "waiting for checkpoint" });
  expect(endingOfRun(command, added, { hasAdditions: true }).status).toBe("completed");
  const again = await record(changed.argv, options);
  expect(summary(endingOfRun(command, again, { hasAdditions: true }))).toBe("failed error target_not_empty");
  const otherLanguage = recogniseCommand({
    argv: argv("x"),
    environment: { LANG: "de_DE.UTF-8" },
    folder: "/",
    host: "h",
  });
  expect(withFlags(otherLanguage, [15]).hasAdditions).toBe(false);
});

test("pg_dump and pg_restore: success, no database, no server, errors that were ignored, wrong use", async () => {
  expect(await endOf(["pg_dump", "-Fc", "-f", "one.dump", "postgres"], options)).toBe("completed success");
  expect(await endOf(["pg_dump", "nosuch"], options)).toBe("failed error database_missing");
  expect(await endOf(["pg_dump", "-h", "127.0.0.1", "-p", "1", "postgres"], options)).toBe(
    "failed error database_unreachable",
  );
  expect(await endOf(["pg_dump", "--nosuch"], options)).toBe("failed error wrong_usage");
  const ignored = await endingAfter(["pg_restore", "-d", "postgres", "one.dump"], options);
  expect([ignored.recording.exitCode, summary(ignored.ending)]).toEqual([1, "failed error restore_incomplete"]);
  expect(ignored.ending.error?.message).toBe("pg_restore: warning: errors ignored on restore: 2");
  expect(await endOf(["pg_restore", "-d", "postgres", "nosuch.dump"], options)).toBe("failed error source_missing");
});

test("pg_basebackup: INT and TERM are aborted, KILL is failed", async () => {
  const ended = (name: NodeJS.Signals) =>
    endOf(["pg_basebackup", "-X", "none", "-r", "1M", "-c", "fast", "-D", `signal-${name}`], {
      ...options,
      signal: { name, when: () => hasFiles(join(cwd, `signal-${name}`)) },
    });
  expect([await ended("SIGINT"), await ended("SIGTERM"), await ended("SIGKILL")]).toEqual([
    "aborted error interrupted",
    "aborted error interrupted",
    "failed error killed",
  ]);
});
