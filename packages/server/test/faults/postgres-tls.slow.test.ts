import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { openByUrl } from "../folder-database";
import { type Cluster, startCluster } from "../postgres-cluster";
import { until } from "../until";

let cluster: Cluster;
let stranger: Cluster;
let plain: Cluster;
let certificate: string;

beforeAll(async () => {
  [cluster, stranger, plain] = await Promise.all([startCluster(), startCluster(), startCluster()]);
  certificate = await encrypt(cluster, "IP:127.0.0.1");
  await encrypt(stranger, "DNS:elsewhere.example");
}, 120_000);
afterAll(async () => {
  await Promise.all([cluster, stranger, plain].map((one) => one.remove()));
});

/** Lets a server take encrypted connections with a certificate for a name, and gives the certificate's file. */
async function encrypt({ folder, query }: Cluster, name: string): Promise<string> {
  const [file, key] = [join(folder, "server.crt"), join(folder, "server.key")];
  const script = `openssl req -new -x509 -days 2 -nodes -subj /CN=database -addext subjectAltName=${name} \
    -out ${file} -keyout ${key} && chmod 600 ${key} && chown --reference=${folder}/data ${file} ${key}`;
  expect(Bun.spawnSync(["sh", "-c", script]).exitCode).toBe(0);
  await query(`alter system set ssl_cert_file = '${file}'`);
  await query(`alter system set ssl_key_file = '${key}'`);
  await query("alter system set ssl = on");
  await query("select pg_reload_conf()");
  await until("ssl is on", async () => (await query("show ssl"))[0]?.ssl === "on");
  return file;
}

/** Number of open connections that are encrypted, seen over one to this address. */
async function countEncrypted(url: string): Promise<number> {
  const database = await openByUrl(url);
  const encrypted = await database.snapshot(async (db) => {
    const open = db.withTables<{ pg_stat_ssl: { pid: number; ssl: boolean } }>();
    return open.selectFrom("pg_stat_ssl").select("ssl").where("ssl", "=", true).execute();
  });
  await database.close();
  return encrypted.length;
}

test("a connection is encrypted where the address says so, and checked as far as it says", async () => {
  const strangers = join(stranger.folder, "server.crt");
  expect(await countEncrypted(cluster.url())).toBe(0);
  expect(await countEncrypted(`${cluster.url()}?sslmode=disable`)).toBe(0);
  expect(await countEncrypted(`${cluster.url()}?sslmode=require`)).toBeGreaterThan(0);
  expect(await countEncrypted(`${cluster.url()}?sslmode=verify-full&sslrootcert=${certificate}`)).toBeGreaterThan(0);
  expect(await countEncrypted(`${stranger.url()}?sslmode=verify-ca&sslrootcert=${strangers}`)).toBeGreaterThan(0);
  const refusal = /^The certificate of the database is not accepted \(.*\)\. Name its authority with sslrootcert, and/;
  for (const query of [
    `sslmode=verify-full&sslrootcert=${strangers}`,
    `sslmode=verify-full&sslrootcert=${certificate}`,
    `sslmode=verify-ca&sslrootcert=${certificate}`,
    "sslmode=verify-full",
  ]) {
    await expect(openByUrl(`${stranger.url()}?${query}`)).rejects.toThrow(refusal);
  }
}, 120_000);

test("a server without encryption and a file that is not there are told in one sentence", async () => {
  await expect(openByUrl(`${plain.url()}?sslmode=require`)).rejects.toThrow(
    "The server does not take encrypted connections. Turn ssl on in its postgresql.conf, or leave sslmode out of the address.",
  );
  await expect(openByUrl(`${plain.url()}?sslmode=verify-full&sslrootcert=/nowhere/ca.pem`)).rejects.toThrow(
    "The file of sslrootcert cannot be read (ENOENT: no such file or directory, open '/nowhere/ca.pem').",
  );
});

test("two servers that can both be written to are refused, and one by two names is not", async () => {
  const both = (...hosts: string[]) => openByUrl(`postgres://holdfast@${hosts.join(",")}/postgres`);
  const [one, other] = [`127.0.0.1:${plain.port}`, `127.0.0.1:${stranger.port}`];
  await expect(both(one, other)).rejects.toThrow(
    `Two servers of database_url can be written to, ${one} and ${other}; only one may be the primary. Stop the one that is not.`,
  );
  await (await both(one, `localhost:${plain.port}`)).close();
});
