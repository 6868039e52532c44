import { type Client, type ConnectOptions, connect } from "../../src/index";
import { type Lane, openLane } from "./lane";

/** Input of a runtime: texts only, as they have to reach another process. */
export interface Place {
  /** The address of the proxy before the service, which is the service's own base URL. */
  baseUrl: string;
  /** An address at which nothing listens. */
  closedUrl: string;
  /** The token of an owner; without it the browser's session is used. */
  token?: string;
  /** Number of scenarios that run at a time. A browser has six connections to a host, and streams keep theirs. */
  atOnce: number;
}

/** Environment of the scenarios. */
export interface World {
  place: Place;
  /** May do everything: an owner. */
  holdfast: Client;
  /** Credentials of the caller. */
  caller: ConnectOptions;
  /** Connects once more, as the same caller. */
  connectAgain(options?: ConnectOptions): Client;
  /** A client whose requests the returned lane can break. */
  openLane(options?: ConnectOptions): { lane: Lane; client: Client };
  /** A text that no other scenario uses. */
  mark(): string;
}

export type Scenarios = Record<string, (world: World) => Promise<void>>;

export function openWorld(place: Place): World {
  const { baseUrl, token } = place;
  const caller: ConnectOptions = token === undefined ? { session: true, baseUrl } : { token };
  const connectAgain = (options: ConnectOptions = {}) => connect({ ...caller, ...options });
  return {
    place,
    caller,
    holdfast: connectAgain(),
    connectAgain,
    openLane(options = {}) {
      const lane = openLane(baseUrl);
      return { lane, client: connectAgain({ ...options, fetch: lane.fetch }) };
    },
    mark: () => `m${crypto.getRandomValues(new Uint32Array(2)).join("")}`,
  };
}

/** Finds one of the default roles. */
export async function roleId(holdfast: Client, name: string): Promise<string> {
  const [role] = await holdfast.roles.list({ filter: { name } }).first(1);
  return given(role).id;
}

/** Creates a service token with a role. */
export async function createToken(holdfast: Client, role: string, name: string) {
  const created = await holdfast.apiTokens.create({ name, kind: "service", role_id: await roleId(holdfast, role) });
  return { id: created.id, token: given(created.token) };
}

/** A value that has to be there. */
export function given<Value>(value: Value | undefined | null): Value {
  if (value === undefined || value === null) throw new Error("Something is missing.");
  return value;
}

/** Fails unless both are the same as JSON. */
export function equal(actual: unknown, expected: unknown): void {
  const [is, should] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (is !== should) throw new Error(`Expected ${should}, got ${is}`);
}

/** Fails unless something holds. */
export function holds(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(`Expected: ${what}`);
}

/** Error that a function throws. */
export async function thrownBy(act: () => unknown): Promise<unknown> {
  try {
    await act();
  } catch (error) {
    return error;
  }
  throw new Error("Nothing was thrown.");
}

const maxWaitMs = 60_000;

/** Waits until something holds. */
export async function until(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const deadline = performance.now() + maxWaitMs;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`Not within ${maxWaitMs / 1000} s: ${what}`);
    await sleep(25);
  }
}

export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}
