import { refuse } from "@holdfast/api/conventions/api-error";
import { type Context, Hono } from "hono";
import type { Service } from "../service";
import type { Endpoint } from "./endpoint";
import { createExchange } from "./exchange";
import { linkPageEndpoints } from "./link-pages";
import { openIdEndpoints } from "./openid-endpoints";
import { operationEndpoints } from "./operation-endpoints";
import { publicEndpoints } from "./public-endpoints";
import { sessionEndpoints } from "./session-endpoints";

/** Where a request came from, handed to the app beside it. */
export interface Origin {
  peer: string;
}

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
export function createApp(service: Service, endpoints: readonly Endpoint[] = everything(service)): App {
  const app: App = new Hono();
  const exchange = createExchange(service);
  const serve = (endpoint: Endpoint) => (c: Context<{ Bindings: Origin }>) =>
    exchange(endpoint, c.req.raw, c.req.param(), c.env?.peer ?? "");
  for (const endpoint of mergeByPath(endpoints)) {
    app.all(endpoint.path, serve(endpoint));
  }
  app.notFound(serve(nothingThere));
  return app;
}

function everything(service: Service): Endpoint[] {
  return [
    ...operationEndpoints(service),
    ...publicEndpoints(service),
    ...linkPageEndpoints,
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
