import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import {
  endingAfter,
  latin1,
  makeEngineFolder,
  makeFiles,
  makeUnreadable,
  record,
  summary,
  writeForAll,
} from "../run-engine";

const folder = makeEngineFolder();
const cwd = folder.path;
const options = { cwd, environment: { BORG_BASE_DIR: join(cwd, "home") } };
afterAll(() => folder[Symbol.dispose]());

const configuration = (source: string, passphrase: string) => `location:
    source_directories:
        - ${join(cwd, source)}
    repositories:
        - ${join(cwd, "home/repo")}
storage:
    encryption_passphrase: "${passphrase}"
    archive_name_format: '{now:%H%M%S%f}'
`;
const borgmatic = (config: string, ...args: string[]) => ["borgmatic", "-c", join(cwd, `${config}.yaml`), ...args];

beforeAll(async () => {
  makeFiles(join(cwd, "good"), { a: 1000 });
  makeFiles(join(cwd, "bad"), { a: 1000 });
  makeUnreadable(join(cwd, "bad", "unreadable"));
  for (const source of ["good", "bad", "nosuch"])
    writeForAll(join(cwd, `${source}.yaml`), configuration(source, "correct horse"));
  writeForAll(join(cwd, "wrong.yaml"), configuration("good", "battery staple"));
  // Not by borgmatic, which takes three times as long.
  const made = await record(["borg", "init", "-e", "repokey", join(cwd, "home/repo")], {
    cwd,
    environment: { ...options.environment, BORG_PASSPHRASE: "correct horse" },
  });
  expect([made.exitCode, latin1(made.stderr)]).toEqual([0, expect.any(String)]);
});

test("borgmatic: it ends with 0 although borg warns; the words that it repeats say so", async () => {
  const ends = [];
  for (const config of ["good", "bad", "nosuch"]) {
    const { recording, ending } = await endingAfter(borgmatic(config, "-v", "1", "create"), options);
    ends.push(`${recording.exitCode} ${summary(ending)}`);
  }
  expect(ends).toEqual([
    "0 completed success",
    "0 completed warning files_unreadable",
    "0 completed warning source_missing",
  ]);
});

test("borgmatic: a wrong passphrase has its code, and a remedy for borgmatic's own configuration", async () => {
  const { ending } = await endingAfter(borgmatic("wrong", "create"), options);
  expect([summary(ending), ending.error?.remedy]).toEqual([
    "failed error wrong_password",
    expect.stringContaining("encryption_passphrase"),
  ]);
});
