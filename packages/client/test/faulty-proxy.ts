import { createServer, type IncomingMessage, type ServerResponse, request as sendRequest } from "node:http";
import type { AddressInfo } from "node:net";
import type { ProxiedRequest, ProxyFault, Rule } from "./scenarios/lane";

interface Lane {
  rules: Rule[];
  requests: ProxiedRequest[];
}

export interface FaultyProxy {
  port: number;
  /** From now on requests go there. */
  forwardTo(port: number): void;
  close(): void;
}

/**
 * A real HTTP proxy before the service that breaks what its rules say. Scenarios set these over HTTP, each for a lane of
 * its own, so that they do not disturb each other.
 */
export async function startFaultyProxy(): Promise<FaultyProxy> {
  const lanes = new Map<string, Lane>();
  let target = 0;

  const laneOf = (name: string): Lane => {
    const lane = lanes.get(name) ?? { rules: [], requests: [] };
    lanes.set(name, lane);
    return lane;
  };

  function faultFor(request: IncomingMessage): ProxyFault | undefined {
    const lane = laneOf(String(request.headers["x-test-lane"] ?? ""));
    const line = `${request.method} ${request.url}`;
    const rule = lane.rules.find(({ pattern, times = Number.POSITIVE_INFINITY }) => {
      return times > 0 && new RegExp(pattern).test(line);
    });
    if (rule?.times !== undefined) rule.times -= 1;
    const key = request.headers["idempotency-key"];
    lane.requests.push({ line, at: performance.now(), ...(key === undefined ? {} : { key: String(key) }) });
    return rule?.fault;
  }

  const server = createServer(async (request, response) => {
    // Browsers send a request again by themselves when a connection breaks that they have used before.
    response.setHeader("Connection", "close");
    const [, control] = /^\/-\/lanes\/(.+)$/.exec(request.url ?? "") ?? [];
    const body = await readBody(request);
    if (control !== undefined) {
      const lane = laneOf(control);
      if (request.method === "POST") lane.rules = JSON.parse(body.toString());
      response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(lane.requests));
      return;
    }
    const fault = faultFor(request);
    if (fault?.kind === "answer") response.writeHead(fault.status, fault.headers).end(fault.body ?? "");
    else if (fault?.kind === "cut before") request.socket.destroy();
    else if (fault?.kind !== "hang") forward(request, body, response, fault);
  });

  function forward(
    request: IncomingMessage,
    body: Buffer,
    response: ServerResponse,
    fault: ProxyFault | undefined,
  ): void {
    const { "x-test-lane": _, connection: __, ...headers } = request.headers;
    if (fault?.kind === "rewrite") {
      // Text can be rewritten only if it comes whole and not compressed.
      delete headers["if-none-match"];
      delete headers["accept-encoding"];
    }
    const { method, url: path } = request;
    const cut = () => {
      sent.destroy();
      request.socket.destroy();
    };
    const sent = sendRequest({ host: "127.0.0.1", port: target, method, path, headers }, async (answer) => {
      const { "transfer-encoding": _, connection: __, ...answered } = answer.headers;
      try {
        if (fault?.kind === "cut after" || fault?.kind === "rewrite") {
          const whole = (await readBody(answer)).toString();
          if (fault.kind === "cut after") return cut();
          const { "content-length": _, etag: __, ...others } = answered;
          response
            .writeHead(answer.statusCode ?? 0, others)
            .end(fault.from.reduce((text, from) => text.replaceAll(from, fault.to), whole));
          return;
        }
        response.writeHead(answer.statusCode ?? 0, answered);
        let left = fault?.kind === "cut within" ? fault.bytes : Number.POSITIVE_INFINITY;
        for await (const chunk of answer) {
          response.write(chunk.subarray(0, left));
          left -= chunk.length;
          if (left <= 0) {
            // Written bytes have to leave before the end does.
            setTimeout(cut, 20);
            return;
          }
        }
        response.end();
      } catch {
        cut();
      }
    });
    sent.on("error", cut);
    response.on("close", () => sent.destroy());
    sent.end(body);
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === "string") throw new Error("The proxy has no port.");
  return {
    port: address.port,
    forwardTo: (port) => {
      target = port;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function readBody(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks);
}
