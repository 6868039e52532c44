import { refuse } from "@holdfast/api/conventions/api-error";
import { errorMessage } from "@holdfast/api/conventions/error-message";
import type { PageSizes } from "@holdfast/api/conventions/paging";
import { describeApi } from "@holdfast/api/openapi";
import { listSigningKeys } from "../../access/tokens/signing-keys";
import type { Database } from "../../database/database";
import { DatabaseUnavailable } from "../../database/errors";
import { docsStyleHash, renderDocsPage } from "../../pages/docs-page";
import { mark } from "../../pages/page-head";
import { createStaticFile, type StaticFile } from "../../pages/static-file";
import { version } from "../../settings/version";
import type { Log } from "../../telemetry/log";
import type { WorkerHealth } from "../../telemetry/worker-health";
import type { Endpoint, Handler } from "../endpoint";
import type { Reply } from "../reply";
import { type RespondParts, varyOf } from "../respond";
import { sendFile } from "../send-file";
import { type MetricsEndpointParts, metricsEndpoint } from "./metrics-endpoint";

/** Parts that the readiness probe needs. */
interface ReadinessParts {
  database: Database;
  log: Log;
  isReady: () => boolean;
  /** Which workers of this process stand still. */
  workers: WorkerHealth;
}

/** Parts that the endpoints without a token need. */
export interface PublicParts extends ReadinessParts, MetricsEndpointParts, RespondParts {
  pageSizes: PageSizes;
  underscoreLinks: boolean;
  /** True if it can be reached from this machine alone, as far as it knows: a proxy would have another address. */
  isLocal: boolean;
  clock: () => number;
}

/** Endpoints without a token. */
export function publicEndpoints(parts: PublicParts): Endpoint[] {
  const { vendor, baseUrl, pageSizes, underscoreLinks } = parts;
  const described = { vendor, baseUrl, version, pageSizes, underscoreLinks };
  // Rendered on the first request, because it takes a while and the start must not wait for it.
  const openapi = once(() => JSON.stringify(describeApi(described), null, 2), "application/json");
  const docs = once(() => renderDocsPage(described), "text/html; charset=utf-8");
  const favicon = once(() => mark, "image/svg+xml");
  const cached = { "Cache-Control": "public, max-age=300", Vary: varyOf(parts) };
  const docsHeaders = { ...cached, "Content-Security-Policy": docsPolicy };
  return [
    probe("healthz", "/healthz", () => json({ status: "ok" }, "no-store")),
    probe("readyz", "/readyz", createReadiness(parts)),
    metricsEndpoint(parts, { isOpen: parts.isLocal, namesItself: false }),
    get("jwks", "/.well-known/jwks.json", () => keySet(parts)),
    get("openapi", "/openapi.json", (exchange) => sendFile(exchange, openapi(), cached)),
    get("favicon", "/favicon.svg", (exchange) => sendFile(exchange, favicon(), cached)),
    get("docs", "/docs", (exchange) => sendFile(exchange, docs(), docsHeaders)),
  ];
}

/** Makes a file the first time, and gives the same one from then on. */
function once(make: () => string, contentType: string): () => StaticFile {
  let made: StaticFile | undefined;
  return () => (made ??= createStaticFile(new TextEncoder().encode(make()), contentType));
}

/** Something that can only be read. */
function get(name: string, path: string, answer: Handler["answer"]): Endpoint {
  return { path, methods: { GET: { name, answer } } };
}

function probe(name: string, path: string, answer: Handler["answer"]): Endpoint {
  return { path, methods: { GET: { name, kind: "probe", answer } } };
}

const docsPolicy = `default-src 'none'; style-src ${docsStyleHash}; img-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;

function createReadiness(parts: ReadinessParts): () => Promise<Reply> {
  // Probes come every second: the same reason is logged once.
  let logged: string | undefined;
  return async () => {
    if (!parts.isReady()) {
      throw refuse("overloaded", "This process is shutting down. Ask another one.", { "Retry-After": "1" });
    }
    try {
      await parts.database.snapshot((db) => db.selectFrom("installation").select("id").execute());
    } catch (error) {
      const reason = errorMessage(error);
      // That a database is away was logged before.
      const isKnown = error instanceof DatabaseUnavailable && error.cause === undefined;
      if (reason !== logged && !isKnown) parts.log.error("The service is not ready.", { error: reason });
      logged = reason;
      throw refuse("databaseAway", "The database is not available now. Try again in a moment.", { "Retry-After": "1" });
    }
    const obstacle = parts.database.writeObstacle();
    if (obstacle !== undefined) {
      if (obstacle !== logged) parts.log.error("The service is not ready.", { error: obstacle });
      logged = obstacle;
      throw refuse("databaseAway", obstacle, { "Retry-After": "1" });
    }
    logged = undefined;
    // It still answers and takes reports, so that requests have to come here: a worker that stands still is named only.
    const still = parts.workers.standingStill();
    return json({ status: "ready", ...(still.length > 0 ? { workers_stalled: still } : {}) }, "no-store");
  };
}

async function keySet({ database, clock }: Pick<PublicParts, "database" | "clock">): Promise<Reply> {
  const keys = await database.snapshot((db) => listSigningKeys(db, clock()));
  return json({ keys: keys.map(({ publicKey }) => publicKey) }, "public, max-age=300");
}

function json(body: object, cacheControl: string): Reply {
  return {
    status: 200,
    headers: { "Content-Type": "application/json", "Cache-Control": cacheControl },
    body: JSON.stringify(body),
  };
}
