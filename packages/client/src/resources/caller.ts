import { type Calls, readItem } from "../calls";
import type { ItemOf } from "../declared";
import type { CallOptions } from "../transport";

/** Who makes the requests, and what they may do. */
export interface Caller {
  /**
   * Reads who is calling, and what they may do in the organizational unit of the request.
   * @example
   * const { kind, permissions } = await holdfast.caller.read();
   */
  read(options?: CallOptions): Promise<ItemOf<"caller", "read-caller">>;
}

export function createCaller(calls: Calls): Caller {
  return { read: (options = {}) => readItem(calls, "caller", "read-caller", options) };
}
