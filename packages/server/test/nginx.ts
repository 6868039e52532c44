import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { findFreePort } from "./free-port";

/** A proxy that runs. */
export interface Proxy {
  /** One port for each of the server blocks, in their order. */
  ports: number[];
  stop(): Promise<void>;
}

/** Starts nginx in front of a server: one server block for each text of directives. */
export async function startNginx(upstreamPort: number, blocks: readonly string[]): Promise<Proxy> {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-nginx-"));
  const ports = await Promise.all(blocks.map(() => findFreePort()));
  const servers = blocks.map(
    (directives, at) => `
      server {
        listen 127.0.0.1:${ports[at]};
        location / {
          proxy_pass http://127.0.0.1:${upstreamPort};
          proxy_http_version 1.1;
          proxy_set_header Host $http_host;
          proxy_set_header Connection "";
          ${directives}
        }
      }`,
  );
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  await Bun.write(
    join(folder, "nginx.conf"),
    `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log;
    events { worker_connections 256; }
    http {
      access_log off;
      ${temporary.join("\n")}
      proxy_cache_path ${folder}/cache keys_zone=pages:1m;
      ${servers.join("\n")}
    }`,
  );
  const child = Bun.spawn(["nginx", "-p", folder, "-e", `${folder}/error.log`, "-c", `${folder}/nginx.conf`], {
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
    // Debian keeps daemons where only root's PATH leads.
    env: { ...process.env, PATH: [process.env.PATH, "/usr/sbin"].join(delimiter) },
  });
  await Promise.all(ports.map(waitUntilListening));
  return {
    ports,
    async stop() {
      child.kill("SIGTERM");
      await child.exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function waitUntilListening(port: number): Promise<void> {
  for (const deadline = performance.now() + 60_000; performance.now() < deadline; await Bun.sleep(20)) {
    try {
      await fetch(`http://127.0.0.1:${port}/healthz`);
      return;
    } catch {
      // Not yet.
    }
  }
  throw new Error("nginx did not start.");
}
