import { Database as File } from "bun:sqlite";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { findFreePort } from "../free-port";
import { startCluster } from "../postgres-cluster";
import { findPostgresPrograms } from "../postgres-programs";
import { baseUrl, type Item, type KnownData, keptFolder, testSecret } from "./kept-data";

/**
 * Keeps a small data directory of a version, for the upgrades test: bun keep-data.ts <checkout>. It is made by that version's own
 * commands and service. Run it for the version before a migration is added to.
 */
const checkout = resolve(process.argv[2] ?? "");
const main = join(checkout, "packages/cli/src/main.ts");
const lists = [
  "users",
  "roles",
  "organizational-units",
  "api-tokens",
  "tasks",
  "monitors",
  "webhooks",
  "ping-keys",
  "views",
];

interface Page {
  _embedded: { items: Item[] };
  total_count: number;
}

const names = readdirSync(join(checkout, "packages/server/src/database/migrations"));
const step =
  names
    .flatMap((name) => /^\d{4}(?=-)/.exec(name)?.[0] ?? [])
    .sort()
    .at(-1) ?? "";
const folder = join(keptFolder, step);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

const place = mkdtempSync(join(tmpdir(), "holdfast-kept-"));
const embedded = join(place, "sqlite", "holdfast.db");
keep("sqlite.json", JSON.stringify(await fill(join(place, "sqlite"), `sqlite:${embedded}`)));
const file = new File(embedded);
file.run("vacuum into ?", [join(place, "small.db")]);
file.close();
keep("sqlite.db", readFileSync(join(place, "small.db")));

const cluster = await startCluster();
const url = await cluster.createDatabase();
keep("postgres.json", JSON.stringify(await fill(join(place, "postgres"), url)));
const { command, environment } = findPostgresPrograms();
const dump = command("pg_dump", ["--rows-per-insert=100", "--no-owner", "--no-privileges", "--no-comments", url]);
const { stdout } = Bun.spawnSync(dump, { cwd: cluster.folder, env: environment });
// Commands that only psql understands, which later versions of pg_dump put around the SQL.
keep("postgres.sql", stdout.toString().replaceAll(/^(\\.*|--.*|)\n/gm, ""));
await cluster.remove();
rmSync(place, { recursive: true });

function keep(name: string, content: string | Uint8Array): void {
  const bytes = Bun.zstdCompressSync(content, { level: 19 });
  writeFileSync(join(folder, `${name}.zst`), bytes);
  process.stdout.write(`${step}/${name}.zst: ${bytes.length} bytes\n`);
}

/** Makes data, and gives what the version's own API shows of it. */
async function fill(data: string, databaseUrl: string): Promise<KnownData> {
  const port = await findFreePort();
  const env = {
    PATH: process.env.PATH,
    HOLDFAST_DATA_DIR: data,
    HOLDFAST_DATABASE_URL: databaseUrl,
    HOLDFAST_SECRET_KEY: testSecret,
    HOLDFAST_BASE_URL: baseUrl,
    HOLDFAST_ALLOWED_HOSTS: "127.0.0.1",
    HOLDFAST_PORT: String(port),
  };
  const holdfast = (...args: string[]) => {
    const { exitCode, stdout, stderr } = Bun.spawnSync([process.execPath, main, ...args], { env, cwd: place });
    if (exitCode !== 0) throw new Error(`holdfast ${args.join(" ")}: ${stderr}`);
    return stdout.toString().trim();
  };
  holdfast("demo", "--users", "6", "--tasks", "30");
  const makeToken = (...args: string[]) => holdfast("token", "create", "--expires", "729d", ...args);
  const revoked = makeToken("--kind", "service", "--name", "revoked", "--role", "admin");
  const ids = holdfast("token", "list").match(/[0-9a-f-]{36}$/gm) ?? [];
  for (const id of ids) holdfast("token", "revoke", id);
  const owner = makeToken("--kind", "service", "--name", "owner", "--role", "owner");
  holdfast("key", "rotate");
  const user = holdfast("user", "create", "--email", "ada@example.org", "--name", "Ada Adams", "--role", "operator");
  const personal = makeToken("--kind", "personal", "--name", "laptop", "--user", user);

  const server = Bun.spawn([process.execPath, main, "serve"], { env, cwd: place, stdout: "ignore", stderr: "ignore" });
  const ask = async (path: string, init: RequestInit = {}) => {
    const headers = { Authorization: `Bearer ${owner}`, "Content-Type": "application/json" };
    return fetch(`http://127.0.0.1:${port}${path}`, { ...init, headers });
  };
  const readPage = async (path: string): Promise<Page> => JSON.parse(await (await ask(path)).text());
  while (
    !(await ask("/readyz")
      .then(({ ok }) => ok)
      .catch(() => false))
  )
    await Bun.sleep(50);
  const post = (path: string, body: object) => ask(path, { method: "POST", body: JSON.stringify(body) });
  await post("/roles", { name: "Night Crew", description: "Watches at night.", permissions: ["tasks:read"] });
  await post("/views", { name: "Failures", page: "tasks", query: "outcome=error&since=7d", is_shared: true });
  const discovery = JSON.stringify(await (await ask("/")).json());
  // Operations that a version does not have yet are left out.
  if (discovery.includes('"create-task"')) {
    const id = crypto.randomUUID();
    await post("/tasks", { id, category: "backup", type: "restic_backup", lease_seconds: 86_400 });
    await post(`/tasks/${id}/log`, { offset: 0, text: "scan finished\n" });
  }
  const known: KnownData = { madeAt: Date.now(), tokens: { owner, personal, revoked }, lists: {}, auditEvents: 0 };
  for (const list of lists.filter((name) => discovery.includes(`"list-${name}"`))) {
    known.lists[list] = (await readPage(`/${list}?limit=100`))._embedded.items;
  }
  known.auditEvents = (await readPage("/audit-events?limit=1")).total_count;
  server.kill("SIGINT");
  await server.exited;
  return known;
}
