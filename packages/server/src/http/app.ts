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
import type { HttpParts } from "./http-parts";
import { createRequestPipeline, type ExchangeParts, type Origin } from "./request-pipeline";

export interface App {
  fetch(request: Request, origin?: Origin): Response | Promise<Response>;
  /** Asks as a client would. */
  request(url: string, init?: RequestInit, origin?: Origin): Promise<Response>;
}

type Router = Hono<{ Bindings: Origin }>;

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

/** Builds the app with everything that the service answers. */
export function createApp(parts: HttpParts): App {
  return createAppOf(parts, everything(parts));
}

/** Builds an app of some endpoints: the router leads to one, and createRequestPipeline does everything that all of them share. */
export function createAppOf<Parts extends ExchangeParts>(
  parts: Parts,
  endpoints: readonly Endpoint<NoInfer<Parts>>[],
): App {
  const exchange = createRequestPipeline(parts);
  const router: Router = new Hono();
  const serve = (endpoint: Endpoint<Parts>) => (c: Context<{ Bindings: Origin }>) =>
    exchange(endpoint, c.req.raw, c.req.param(), c.env);
  // The router takes the first path that fits, so /monitors/_batch has to come before /monitors/:id.
  const inOrder = mergeByPath(endpoints).toSorted((one, other) => variablesOf(one) - variablesOf(other));
  for (const endpoint of inOrder) router.all(endpoint.path, serve(endpoint));
  router.notFound(serve(nothingThere));
  const fetch: App["fetch"] = (request, origin = { peer: "" }) => router.fetch(request, origin);
  return { fetch, request: async (url, init, origin) => fetch(new Request(url, init), origin) };
}

function everything(parts: HttpParts): Endpoint<HttpParts>[] {
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
function mergeByPath<Parts>(endpoints: readonly Endpoint<Parts>[]): Endpoint<Parts>[] {
  return [...Map.groupBy(endpoints, ({ path }) => path)].map(([path, group]) => ({
    path,
    methods: Object.fromEntries(group.flatMap(({ methods }) => Object.entries(methods))),
  }));
}

function variablesOf({ path }: Pick<Endpoint, "path">): number {
  return path.match(/[:*]/g)?.length ?? 0;
}
