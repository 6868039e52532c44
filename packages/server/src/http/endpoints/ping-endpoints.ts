import { followTasks } from "../../resources/follow-tasks";
import { readPing } from "../../resources/monitors/pings/ping";
import { createPingInlet, type PingInletParts } from "../../resources/monitors/pings/receive-ping";
import type { Endpoint, Exchange, Handler } from "../endpoint";
import { keptPingBody, readPingBody } from "../read-ping-body";
import type { Reply } from "../reply";

/** The names of the parts of a path, in their order. What they are depends on the first. */
const names = ["first", "second", "third"];

/** Where backup tools that speak to Healthchecks report. No token: the URL alone allows to report, and nothing else. */
export function pingEndpoints(parts: Omit<PingInletParts, "follow">): Endpoint[] {
  const inlet = createPingInlet({ ...parts, follow: followTasks });

  async function answer(exchange: Exchange): Promise<Reply> {
    const { variables, address, peer } = exchange;
    const given = names.flatMap((name) => variables[name] ?? []);
    const ping = readPing(given, new URLSearchParams(address.query));
    if (!ping) throw inlet.missed(peer);
    await inlet.admit(ping, peer);
    const body = await readPingBody(exchange);
    const { isCreated } = await inlet.receive({ ...ping, body }, peer);
    return isCreated ? text(201, "Created") : text(200, "OK");
  }

  const handler: Handler = { name: "ping", kind: "report", largestBody: Number.POSITIVE_INFINITY, answer };
  const paths = names.map(
    (_, index) =>
      `/ping/${names
        .slice(0, index + 1)
        .map((name) => `:${name}`)
        .join("/")}`,
  );
  return paths
    .flatMap((path) => [path, `${path}/`])
    .map((path) => ({ path, methods: { GET: handler, POST: handler } }));
}

function text(status: number, body: string): Reply {
  return {
    status,
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "Cache-Control": "no-store",
      "Access-Control-Allow-Origin": "*",
      "Cross-Origin-Resource-Policy": "cross-origin",
      "Ping-Body-Limit": String(keptPingBody),
    },
    body,
  };
}
