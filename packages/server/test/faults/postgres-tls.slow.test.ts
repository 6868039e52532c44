import { expect, test } from "bun:test";
import { join } from "node:path";
import { openByUrl } from "../folder-database";
import { type Cluster, startCluster } from "../postgres-cluster";

/** Lets a server take encrypted connections with a certificate for 127.0.0.1, and gives the certificate's file. */
async function encrypt(cluster: Cluster): Promise<string> {
  const [certificate, key] = [join(cluster.folder, "server.crt"), join(cluster.folder, "server.key")];
  const script = `openssl req -new -x509 -days 2 -nodes -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1 \
    -out ${certificate} -keyout ${key} && chmod 600 ${key} && chown --reference=${cluster.folder}/data ${certificate} ${key}`;
  expect(Bun.spawnSync(["sh", "-c", script]).exitCode).toBe(0);
  await cluster.query(`alter system set ssl_cert_file = '${certificate}'`);
  await cluster.query(`alter system set ssl_key_file = '${key}'`);
  await cluster.query("alter system set ssl = on");
  await cluster.query("select pg_reload_conf()");
  await Bun.sleep(500);
  return certificate;
}

test("a connection is encrypted where the address says so, and a server with another certificate is refused", async () => {
  const [cluster, stranger] = await Promise.all([startCluster(), startCluster()]);
  const certificate = await encrypt(cluster);
  await encrypt(stranger);
  const verified = `sslmode=verify-full&sslrootcert=${certificate}`;
  const database = await openByUrl(`${cluster.url()}?${verified}`);
  const encrypted = await database.snapshot(async (db) => {
    const open = db.withTables<{ pg_stat_ssl: { pid: number; ssl: boolean } }>();
    return open.selectFrom("pg_stat_ssl").select("ssl").where("ssl", "=", true).execute();
  });
  expect(encrypted.length).toBeGreaterThan(0);
  await database.close();
  await expect(openByUrl(`${stranger.url()}?${verified}`)).rejects.toThrow(/certificate/);
  await Promise.all([cluster.remove(), stranger.remove()]);
}, 60_000);
