import { refuse } from "@holdfast/api/conventions/api-error";
import { type Context, Hono } from "hono";
import type { Endpoint } from "./endpoint";
import { consoleFileEndpoints } from "./endpoints/console-files";
import { linkPageEndpoints } from "./endpoints/link-page-endpoints";
import { openIdEndpoints } from "./endpoints/openid-endpoints";
import { operationEndpoints } from "./endpoints/operation-endpoints";
import { pingEndpoints } from "./endpoints/ping-endpoints";
import { publicEndpoints } from "./endpoints/public-endpoints";
import { sessionEndpoints } from "./endpoints/session-endpoints";
import { createExchange, type Origin } from "./exchange";
import type { HttpParts } from "./http-parts";

export type App = Hono<{ Bindings: Origin }>;

const nothingThere: Endpoint = {
  path: "*",
  methods: {
    GET: {
      name: "unknown",
      answer() {
        throw refuse("pathUnknown", "There is nothing at this path. GET / lists what there is.");
      },
    },
  },
};

/** Builds the app: the router leads to an endpoint, and createExchange does everything that all endpoints share. */
export function createApp(parts: HttpParts, endpoints: readonly Endpoint[] = everything(parts)): App {
  const app: App = new Hono();
  const exchange = createExchange(parts);
  const serve = (endpoint: Endpoint) => (c: Context<{ Bindings: Origin }>) =>
    exchange(endpoint, c.req.raw, c.req.param(), c.env ?? { peer: "" });
  for (const endpoint of mergeByPath(endpoints)) {
    app.all(endpoint.path, serve(endpoint));
  }
  app.notFound(serve(nothingThere));
  return app;
}

function everything(parts: HttpParts): Endpoint[] {
  return [
    ...operationEndpoints(parts),
    ...publicEndpoints(parts),
    ...pingEndpoints(parts),
    ...linkPageEndpoints,
    ...consoleFileEndpoints(parts),
    ...sessionEndpoints,
    ...openIdEndpoints,
  ];
}

/** Makes one endpoint of all at the same path: a page stands where its form is sent to. */
function mergeByPath(endpoints: readonly Endpoint[]): Endpoint[] {
  return [...Map.groupBy(endpoints, ({ path }) => path)].map(([path, group]) => ({
    path,
    methods: Object.fromEntries(group.flatMap(({ methods }) => Object.entries(methods))),
  }));
}
