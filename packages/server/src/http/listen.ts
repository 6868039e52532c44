import http from "node:http";
import { Refusal } from "../settings/refusal";
import { SettingError } from "../settings/settings";
import { createOpenStreams, type OpenStreams } from "./open-streams";

/** A service that listens. */
export interface HttpListener {
  port: number;
  /** Takes no new connections, ends streams at once and waits until what is being answered is finished. */
  stop(): Promise<void>;
}

/** Makes a body of a stream that may be silent for as long as it likes, and that ends when the listener stops. */
export type SendStream = (
  source: ReadableStream<Uint8Array>,
  onFailure: (error: unknown) => void,
) => ReadableStream<Uint8Array>;

/** Lets the connection of a request be silent for so many seconds, or as usual where it is not said. */
export type AllowSilence = (seconds?: number) => void;

/** Connection of a request. The peer is the address that the request came from. */
export interface RequestConnection {
  peer: string;
  sendStream: SendStream;
  allowSilence: AllowSilence;
}

export type RespondToRequest = (request: Request, connection: RequestConnection) => Response | Promise<Response>;

const defaultIdleSeconds = 10;
const largestHeaderBlock = 262_144;
const finishTimeoutMs = 5_000;

export interface ListenOptions {
  host: string;
  port: number;
  answer: RespondToRequest;
  /** True if other processes of the same user may listen on the port, too; the system spreads connections over all. */
  sharesPort?: boolean;
  /** After how long without a sound a connection is cut off. */
  idleSeconds?: number;
}

/** Listens for HTTP. Slow senders and idle connections are cut off by the runtime after idleSeconds. */
export function listen({
  host,
  port,
  answer,
  sharesPort = false,
  idleSeconds = defaultIdleSeconds,
}: ListenOptions): HttpListener {
  // The runtime refuses larger header blocks by itself, with a bare status: let ours answer first.
  Reflect.set(http, "maxHeaderSize", largestHeaderBlock);
  const streams = createOpenStreams();
  const server = serve({ host, port, answer, sharesPort, idleSeconds }, streams);
  return {
    port: server.port ?? port,
    async stop() {
      // They would go on for as long as their clients like.
      streams.endAll();
      // A connection on which no whole request ever comes would hold this up for as long as it lasts, so it is not all.
      await Promise.race([server.stop(), finished(server)]);
      await server.stop(true);
    },
  };
}

/** Refuses a port in use, also one that its process would share. */
export async function requireFreePort(host: string, port: number): Promise<void> {
  const answer = () => new Response(null, { status: 503, headers: { "Retry-After": "1" } });
  const options = { host, port, answer, sharesPort: false, idleSeconds: defaultIdleSeconds };
  await serve(options, createOpenStreams()).stop(true);
}

function serve({ host, port, answer, sharesPort, idleSeconds }: Required<ListenOptions>, streams: OpenStreams) {
  try {
    return Bun.serve({
      hostname: host,
      port,
      // Explicit: outside of development the runtime would share the port with a process that has it already.
      reusePort: sharesPort,
      idleTimeout: idleSeconds,
      // Ours answers first, with the error envelope.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      development: false,
      fetch: (request, self) =>
        answer(withHost(request, self.url), {
          // Asked for when it is needed: it takes a while.
          get peer() {
            return self.requestIP(request)?.address ?? "";
          },
          sendStream(source, onFailure) {
            self.timeout(request, 0);
            return streams.passOn(source, { left: request.signal, onFailure });
          },
          allowSilence: (seconds = 0) => self.timeout(request, idleSeconds + seconds),
        }),
    });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "EADDRINUSE") {
      throw new Refusal(
        `Port ${port} of ${host} is in use. Stop what listens there, or choose another one with --port.`,
      );
    }
    if (code === "EACCES") throw new Refusal(`Port ${port} is for the superuser. Choose one above 1023 with --port.`);
    throw new SettingError(`The setting host has to be an address of this machine, such as 127.0.0.1 (${code}).`);
  }
}

/** HTTP/1.0 may leave the Host out, and health checks do; everything else was refused by the runtime without one. */
function withHost(request: Request, self: URL): Request {
  return request.headers.has("host") ? request : new Request(new URL(request.url, self).href, request);
}

/**
 * Waits until nothing is being answered any more, and a little for what has arrived but was not read yet. The runtime's own
 * count is right for this: it has what is still being sent, too. A body that does not arrive is cut by createAdmission.
 */
async function finished(server: { pendingRequests: number }): Promise<void> {
  const deadline = performance.now() + finishTimeoutMs;
  do await Bun.sleep(250);
  while (server.pendingRequests > 0 && performance.now() < deadline);
}
