import type { OperationDescriptor } from "./declared";
import { HoldfastError } from "./error";
import type { CallOptions, Transport } from "./transport";
import { orAborted } from "./wait";

/**
 * Operations of a resource that a caller may call: by version, `v1`, and operation id.
 * @example
 * import { type DiscoveredResource } from "@holdfast/client";
 *
 * const tasks: DiscoveredResource | undefined = (await holdfast.discover()).tasks;
 * console.log(tasks?.supported_versions);
 */
export interface DiscoveredResource {
  /** The versions that the service has, newest first: `v2`, `v1`. */
  readonly supported_versions: readonly string[];
  readonly [version: `v${number}`]: Readonly<Record<string, OperationDescriptor>>;
}

/**
 * Operations that a caller may call in one organizational unit, by resource.
 * @example
 * import { type DiscoveryIndex } from "@holdfast/client";
 *
 * const index: DiscoveryIndex = await holdfast.discover();
 * console.log(Object.keys(index));
 */
export type DiscoveryIndex = Readonly<Record<string, DiscoveredResource>>;

interface Discovery {
  index: DiscoveryIndex;
  /** The word in the service's media types and in the name of its unit header. */
  vendor: string;
}

/** An operation as it is called in one unit. */
export interface FoundOperation extends OperationDescriptor {
  /** Headers that select unit and version. */
  headers: Record<string, string>;
}

/** Which operation, in which version and unit. */
export interface WantedOperation {
  resource: string;
  version: number;
  operationId: string;
  unit: string | undefined;
}

export interface Discoveries {
  find(wanted: WantedOperation, options: CallOptions): Promise<FoundOperation>;
  /** Everything that may be called in a unit. */
  read(unit: string | undefined, options: CallOptions): Promise<DiscoveryIndex>;
  /** Forgets the paths of a unit: one of them is gone. */
  forget(unit: string | undefined): void;
  /** Headers that select the unit of a request and the version of a resource. */
  headers(wanted: Omit<WantedOperation, "operationId">, options: CallOptions): Promise<Record<string, string>>;
}

/** Finds paths by resource and operation id. The index of each unit is read once and kept. */
export function createDiscoveries(transport: Transport): Discoveries {
  const kept = new Map<string | undefined, Promise<Discovery>>();

  async function fetchIndex(unit: string | undefined, options: CallOptions): Promise<Discovery> {
    const headers = { Accept: "*/*", ...(await unitHeaders(unit, options)) };
    const { response, text } = await transport.send({
      ...options,
      method: "get",
      href: "/",
      headers,
      isRepeatable: true,
    });
    const type = response.headers.get("content-type") ?? "";
    const vendor = /^application\/api\.([a-z0-9]+)\.\*=v\d+\+json/i.exec(type)?.[1];
    if (vendor !== undefined) return { index: JSON.parse(text), vendor };
    const message = `What answers there is not Holdfast: its media type is ${type || "missing"}. Check the base URL.`;
    throw new HoldfastError({ status: response.status, faults: [{ error_code: 0, error_message: message }] });
  }

  function discover(unit: string | undefined, { signal, ...options }: CallOptions): Promise<Discovery> {
    let index = kept.get(unit);
    if (!index) {
      index = fetchIndex(unit, options);
      kept.set(unit, index);
      // A call that failed once may work the next time.
      const failed = index;
      failed.catch(() => {
        if (kept.get(unit) === failed) kept.delete(unit);
      });
    }
    return orAborted(index, signal);
  }

  async function unitHeaders(unit: string | undefined, options: CallOptions): Promise<Record<string, string>> {
    if (unit === undefined) return {};
    const { vendor } = await discover(undefined, options);
    return { [`x-${vendor}-organizationalunit-context`]: unit };
  }

  const headers: Discoveries["headers"] = async ({ resource, version, unit }, options) => {
    const { vendor } = await discover(undefined, options);
    const accept = `application/api.${vendor}.${resource}=v${version}+json`;
    return { Accept: accept, ...(await unitHeaders(unit, options)) };
  };

  async function find(wanted: WantedOperation, options: CallOptions): Promise<FoundOperation> {
    const { version, operationId, unit } = wanted;
    const known = kept.get(unit);
    let descriptor = descriptorIn((await discover(unit, options)).index, wanted);
    if (!descriptor && known) {
      // Rights may have come since the index was read. Another call may have read it again already.
      if (kept.get(unit) === known) kept.delete(unit);
      descriptor = descriptorIn((await discover(unit, options)).index, wanted);
    }
    if (descriptor) return { ...descriptor, headers: await headers(wanted, options) };
    const where = unit === undefined ? "" : ` in the organizational unit ${unit}`;
    const message = `This caller may not call ${operationId}${where}: its role lacks the permission. If it has it, the service is older than this client and has no version ${version} of it.`;
    throw new HoldfastError({
      status: 403,
      faults: [{ error_code: 0, error_message: message }],
      forbidden: operationId,
    });
  }

  return {
    find,
    read: async (unit, options) => (await discover(unit, options)).index,
    forget: (unit) => void kept.delete(unit),
    headers,
  };
}

function descriptorIn(index: DiscoveryIndex, wanted: WantedOperation): OperationDescriptor | undefined {
  return index[wanted.resource]?.[`v${wanted.version}`]?.[wanted.operationId];
}

/** Puts values into the variables of a path, in their order. */
export function expandPath({ href }: OperationDescriptor, values: readonly string[]): string {
  let at = 0;
  return href.replace(/\{[^}]*\}/g, () => encodeURIComponent(values[at++] ?? ""));
}
