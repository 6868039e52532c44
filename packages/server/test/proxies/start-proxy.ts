import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";

export const proxyKinds = ["nginx", "caddy", "haproxy"] as const;
export type ProxyKind = (typeof proxyKinds)[number];

/** A proxy that runs with the configuration that the documentation shows. */
export interface DocumentedProxy {
  port: number;
  /** Certificate that its clients must trust. */
  certificate: string;
  stop(): Promise<void>;
}

export interface ProxyOptions {
  port: number;
  /** The ports of the two nodes. */
  nodes: readonly [number, number];
  /** Changes what the documentation shows, to see that it matters. */
  change?: (configuration: string) => string;
}

const documented = resolve(import.meta.dir, "../../../../docs/how-to/proxy");
/** The file of each proxy below docs/how-to/proxy. */
const proxyFiles: Record<ProxyKind, string> = {
  nginx: "nginx.conf",
  caddy: "Caddyfile",
  haproxy: "haproxy.cfg",
};

/** Starts a proxy with its documented configuration, on ports and with a certificate of the test. */
export async function startProxy(
  kind: ProxyKind,
  { port, nodes, change = (text) => text }: ProxyOptions,
): Promise<DocumentedProxy> {
  const folder = mkdtempSync(join(tmpdir(), `holdfast-${kind}-`));
  const certificate = await makeCertificate(folder);
  const text = readFileSync(join(documented, proxyFiles[kind]), "utf8");
  const file = join(folder, proxyFiles[kind]);
  writeFileSync(file, change(fill(text, substitutes(kind, { folder, port, nodes }))));
  const child = Bun.spawn(command(kind, folder, file), {
    cwd: folder,
    stdin: "ignore",
    stdout: "ignore",
    stderr: Bun.file(join(folder, "errors")),
    // Debian keeps daemons where only root's PATH leads; Caddy writes into its home.
    env: { ...process.env, PATH: [process.env.PATH, "/usr/sbin"].join(delimiter), HOME: folder },
  });
  const proxy = {
    port,
    certificate,
    async stop() {
      child.kill("SIGTERM");
      await child.exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
  try {
    await waitUntilAnswering(proxy, () => child.exitCode === null);
  } catch {
    const errors = readFileSync(join(folder, "errors"), "utf8");
    await proxy.stop();
    throw new Error(`${kind} did not start: ${errors}`);
  }
  return proxy;
}

/** Replaces every text, each of which has to be there. */
export function fill(text: string, substitutes: Record<string, string>): string {
  return Object.entries(substitutes).reduce((filled, [from, to]) => {
    if (!filled.includes(from)) throw new Error(`The configuration does not say "${from}".`);
    return filled.replaceAll(from, to);
  }, text);
}

function substitutes(
  kind: ProxyKind,
  { folder, port, nodes: [one, two] }: { folder: string } & Pick<ProxyOptions, "port" | "nodes">,
): Record<string, string> {
  const shared = {
    "127.0.0.1:8081": `127.0.0.1:${one}`,
    "127.0.0.1:8082": `127.0.0.1:${two}`,
    "/etc/holdfast/tls": folder,
  };
  if (kind === "nginx") return { ...shared, "listen 443": `listen 127.0.0.1:${port}` };
  if (kind === "caddy") return { ...shared, "backup.example.org {": `https://127.0.0.1:${port} {` };
  return { ...shared, "bind :443": `bind 127.0.0.1:${port}`, "backup.example.org": "127.0.0.1" };
}

/** Starts the proxy in the foreground, with what the machine's own configuration would say around the documented one. */
function command(kind: ProxyKind, folder: string, file: string): string[] {
  const around = join(folder, "around");
  if (kind === "haproxy") return ["haproxy", "-db", "-f", file];
  if (kind === "caddy") {
    writeFileSync(
      around,
      `{
        admin off
        auto_https disable_redirects
        default_bind 127.0.0.1
        grace_period 1s
      }
      import ${file}`,
    );
    return ["caddy", "run", "--adapter", "caddyfile", "--config", around];
  }
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((what) => `${what}_temp_path ${what};`);
  writeFileSync(
    around,
    `daemon off; master_process off; pid pid;
    events { worker_connections 8192; }
    http {
      access_log off;
      ${temporary.join("\n")}
      include ${file};
    }`,
  );
  return ["nginx", "-p", folder, "-e", "stderr", "-c", around];
}

async function makeCertificate(folder: string): Promise<string> {
  const [certificate, key] = [join(folder, "certificate.pem"), join(folder, "key.pem")];
  const child = Bun.spawn(
    [
      ...["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"],
      ...["-days", "2", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"],
      ...["-keyout", key, "-out", certificate],
    ],
    { stdin: "ignore", stdout: "ignore", stderr: "ignore" },
  );
  if ((await child.exited) !== 0) throw new Error("openssl made no certificate.");
  const text = readFileSync(certificate, "utf8");
  writeFileSync(join(folder, "certificate-and-key.pem"), text + readFileSync(key, "utf8"), { mode: 0o600 });
  return text;
}

async function waitUntilAnswering(
  { port, certificate }: Pick<DocumentedProxy, "port" | "certificate">,
  isRunning: () => boolean,
): Promise<void> {
  for (const deadline = performance.now() + 60_000; performance.now() < deadline && isRunning(); await Bun.sleep(20)) {
    try {
      const { status } = await fetch(`https://127.0.0.1:${port}/readyz`, { tls: { ca: certificate } });
      if (status === 200) return;
    } catch {
      // Not yet.
    }
  }
  throw new Error("The proxy does not answer.");
}
