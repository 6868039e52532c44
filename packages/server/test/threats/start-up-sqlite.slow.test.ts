import { Database as File } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import {
  chmodSync,
  closeSync,
  cpSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../harness";
import { type ProcessOptions, startInVain, startProcess } from "../process";

const database = "holdfast.db";
const secret = "secret.key";

/** A data directory that a server has made and left. */
async function usedFolder(): Promise<string> {
  const server = await startProcess();
  await server.stop();
  return server.folder;
}

const used = await usedFolder();
afterAll(() => rmSync(used, { recursive: true }));

function copyOfUsed(): string {
  const folder = makeFolder();
  cpSync(used, folder, { recursive: true });
  return folder;
}

/** Overwrites the page on which a table begins. */
function damageTable(folder: string, table: string): void {
  const path = join(folder, database);
  const file = new File(path);
  const root = file
    .query<{ rootpage: number }, [string]>("select rootpage from sqlite_schema where name = ?")
    .get(table);
  const size = file.query<{ page_size: number }, []>("pragma page_size").get();
  file.close();
  const [pageSize, page] = [size?.page_size ?? 0, root?.rootpage ?? 0];
  const handle = openSync(path, "r+");
  writeSync(handle, Buffer.alloc(pageSize, 0xa5), 0, pageSize, (page - 1) * pageSize);
  closeSync(handle);
}

interface Fault {
  what: string;
  harm: (folder: string) => void;
  options?: ProcessOptions;
  says: RegExp;
  exitCode: number;
}

const faults: Fault[] = [
  {
    what: "a database of garbage",
    harm: (folder) => writeFileSync(join(folder, database), "this is not a database ".repeat(1_000)),
    says: /^holdfast: The database .*holdfast\.db is damaged \(.*\)\. Restore it from a backup\.\n$/,
    exitCode: 1,
  },
  {
    what: "a database cut short",
    harm: (folder) =>
      truncateSync(join(folder, database), Math.floor(statSync(join(folder, database)).size / 2 / 4096) * 4096),
    says: /^holdfast: The database .*holdfast\.db is damaged \(.*\)\. Restore it from a backup\.\n$/,
    exitCode: 1,
  },
  {
    what: "a damaged page of the tokens",
    harm: (folder) => damageTable(folder, "api_tokens"),
    says: /^holdfast: The database .*holdfast\.db is damaged \(.*\)\. Restore it from a backup\.\n$/,
    exitCode: 1,
  },
  {
    what: "a damaged page of the tasks",
    harm: (folder) => damageTable(folder, "tasks"),
    says: /^holdfast: The database .*holdfast\.db is damaged \(.*\)\. Restore it from a backup\.\n$/,
    exitCode: 1,
  },
  {
    what: "a damaged page of the leases",
    harm: (folder) => damageTable(folder, "task_leases"),
    says: /^holdfast: The database .*holdfast\.db is damaged \(.*\)\. Restore it from a backup\.\n$/,
    exitCode: 1,
  },
  {
    what: "a secret that others can read",
    harm: (folder) => chmodSync(join(folder, secret), 0o644),
    says: /^holdfast: The secret in .*secret\.key can be read by others\. Run: chmod 600 .*secret\.key\n$/,
    exitCode: 2,
  },
  {
    what: "another secret",
    harm: (folder) => writeFileSync(join(folder, secret), "0123456789abcdefghijklmnopqrstuvwxyz\n"),
    says: /^holdfast: The secret is not the one that this database was made with\. Give the right one in .*\n$/,
    exitCode: 2,
  },
  {
    what: "a lost secret",
    harm: (folder) => rmSync(join(folder, secret)),
    says: /^holdfast: The secret that this database was made with is missing: restore .*secret\.key, or give it in .*\n$/,
    exitCode: 2,
  },
  ...["changeme", "a".repeat(64), "secretsecretsecretsecretsecretsecret", "0".repeat(32)].map((weak) => ({
    what: `the weak secret ${weak.slice(0, 12)}`,
    harm: () => {},
    options: { environment: { HOLDFAST_SECRET_KEY: weak } },
    says: /^holdfast: The secret in HOLDFAST_SECRET_KEY is too easy to guess: .* Make one with: openssl rand -base64 48\n$/,
    exitCode: 2,
  })),
  {
    what: "a database of a newer version",
    harm: (folder) => {
      const file = new File(join(folder, database));
      file.run("insert into kysely_migration (name, timestamp) values ('9999-later', '2030-01-01T00:00:00Z')");
      file.close();
    },
    says: /^holdfast: The database was made by a newer version of Holdfast \(it has the migration 9999-later\)\. .*\n$/,
    exitCode: 1,
  },
  {
    what: "a database that is none of ours",
    harm: (folder) => {
      rmSync(join(folder, database));
      const file = new File(join(folder, database));
      file.run("create table users (id integer)");
      file.close();
    },
    says: /^holdfast: The database cannot be brought up to date \(.*\)\. Name an empty one or one of Holdfast's .*\.\n$/,
    exitCode: 1,
  },
  {
    what: "a data directory that is a file",
    harm: (folder) => {
      rmSync(folder, { recursive: true });
      writeFileSync(folder, "");
    },
    says: /^holdfast: The folder data_dir .* cannot be used \(.*\)\. Name one that you own with --data-dir\.\n$/,
    exitCode: 2,
  },
  {
    what: "a port that is no number",
    harm: () => {},
    options: { flags: { port: "http" } },
    says: /^holdfast: The setting port has to be a whole number from 0 to 65535\.\n$/,
    exitCode: 2,
  },
];

test.each(faults)(
  "R25: $what stops the start with one sentence",
  async ({ harm, options, says, exitCode }) => {
    const folder = copyOfUsed();
    harm(folder);
    const ended = await startInVain({ ...options, folder });
    rmSync(folder, { recursive: true, force: true });
    expect(ended.errors).toMatch(says);
    expect([ended.exitCode, ended.output]).toEqual([exitCode, ""]);
  },
  120_000,
);

test("R25: an untouched data directory starts, again and again", async () => {
  const folder = copyOfUsed();
  for (let round = 0; round < 2; round++) {
    const server = await startProcess({ folder });
    expect((await server.ask("/readyz")).body).toEqual({ status: "ready" });
    expect(await server.stop()).toBe(0);
  }
  rmSync(folder, { recursive: true });
}, 120_000);

test("R25: what a first start makes can be read by its owner alone", () => {
  expect(statSync(used).mode & 0o777).toBe(0o700);
  for (const name of [database, secret]) expect(statSync(join(used, name)).mode & 0o077).toBe(0);
  expect(readFileSync(join(used, secret), "utf8").trim().length).toBeGreaterThanOrEqual(43);
});
