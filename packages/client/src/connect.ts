import type { Calls } from "./calls";
import { createResources } from "./create-resources";
import type { WantedVersions } from "./declared";
import { createDiscoveries, type DiscoveryIndex } from "./discovery";
import { issuerOf } from "./issuer";
import { createSession, type Session } from "./own-session";
import type { Resources } from "./resources";
import { withSession } from "./session";
import { createTasks, type Tasks } from "./tasks";
import { type Answer, type CallOptions, createTransport, type Fetch } from "./transport";

/**
 * Options of a connection.
 * @example
 * import { connect, type ConnectOptions } from "@holdfast/client";
 *
 * const options: ConnectOptions = { token, timeoutMs: 5_000, retries: 2 };
 * const impatient = connect(options);
 * await impatient.caller.read();
 */
export interface ConnectOptions<Versions extends WantedVersions = Record<never, never>> {
  /** An API token. It is sent in the header `Authorization`, and is in no message. */
  token?: string | undefined;
  /** Where the service is: the issuer of the token where it is left out. */
  baseUrl?: string | undefined;
  /** Uses the session of a browser, a cookie, instead of a token. Needs a `baseUrl`. */
  session?: boolean | undefined;
  /** The organizational unit that all calls act in: the token's own where it is left out. */
  unit?: string | undefined;
  /** The versions of resources to ask for, where they are not the default ones. */
  versions?: Versions | undefined;
  /** Timeout of one attempt of a call, in milliseconds; by default 30,000. */
  timeoutMs?: number | undefined;
  /** Number of retries of a call that may be repeated; by default 4. */
  retries?: number | undefined;
  /** Function that makes requests, if it is not the runtime's own. */
  fetch?: Fetch | undefined;
}

/**
 * A request to a path that is not in discovery, such as those of a session.
 * @example
 * import { type RequestOptions } from "@holdfast/client";
 *
 * const options: RequestOptions = { headers: { Accept: "application/json" }, retries: 0 };
 * await holdfast.request("/readyz", options);
 */
export interface RequestOptions extends CallOptions {
  method?: "get" | "post" | "patch" | "delete" | undefined;
  headers?: Record<string, string> | undefined;
  /** Is sent as JSON. */
  body?: unknown;
}

/** Everything that can be called, by resource. */
export interface Client<Versions extends WantedVersions = Record<never, never>> extends Resources<Versions> {
  tasks: Tasks;
  session: Session;
  /** Where the service is. */
  baseUrl: string;
  /** The organizational unit that all calls act in, where one was named. */
  unit: string | undefined;
  /**
   * Client that acts in an organizational unit.
   * @example
   * const failed = await holdfast.in(unitId).tasks.list({ filter: { status: "failed" } }).first(10);
   */
  in(unit: string): Client<Versions>;
  /**
   * Operations that the caller may call here: resources, versions and operations. It is read once and kept.
   * @example
   * const mayAbort = "update-task" in ((await holdfast.discover()).tasks?.v1 ?? {});
   */
  discover(options?: CallOptions): Promise<DiscoveryIndex>;
  /**
   * Sends a request to a path below the base URL that discovery does not list. It is retried only if it is a GET.
   * @example
   * const { text } = await holdfast.request("/healthz");
   */
  request(path: string, options?: RequestOptions): Promise<Answer>;
}

/**
 * Connects to a service. Nothing is sent before the first call.
 * @example
 * import { connect } from "@holdfast/client";
 *
 * const client = connect({ token });
 * for (const task of await client.tasks.list().first(3)) console.log(task.type, task.status);
 */
export function connect<const Versions extends WantedVersions = Record<never, never>>(
  options: ConnectOptions<Versions>,
): Client<Versions> {
  const { token, session = false, unit, versions = {}, timeoutMs = 30_000, retries = 4 } = options;
  if ((token === undefined) !== session) throw new TypeError("Give connect() either a token or session: true.");
  const given = options.baseUrl ?? (token === undefined ? undefined : issuerOf(token));
  if (given === undefined) throw new TypeError("Give connect() the baseUrl of the service whose session is used.");
  const baseUrl = given.replace(/\/+$/, "");
  // A browser's fetch works only as a method of its window.
  const fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init));
  const plain = createTransport({ baseUrl, token, timeoutMs, retries, fetch });
  const transport = session ? withSession(plain) : plain;
  return clientOf({ unit, transport, discoveries: createDiscoveries(transport), versions }, baseUrl);
}

function clientOf<Versions extends WantedVersions>(calls: Calls, baseUrl: string): Client<Versions> {
  const resources = createResources<Versions>(calls);
  return {
    ...resources,
    tasks: createTasks(calls, resources.tasks),
    session: createSession(calls.transport),
    baseUrl,
    unit: calls.unit,
    in: (unit) => clientOf({ ...calls, unit }, baseUrl),
    discover: (options = {}) => calls.discoveries.read(calls.unit, options),
    request: (path, { method = "get", ...rest } = {}) =>
      calls.transport.send({ ...rest, method, href: path, isRepeatable: method === "get" }),
  };
}
