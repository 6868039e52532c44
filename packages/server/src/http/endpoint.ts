import type { AuditActor } from "../audit/record-event";
import type { AdmissionSlot } from "./admission";
import type { AllowSilence } from "./listen";
import type { Address } from "./receive";
import type { Reply, ReplyBody } from "./reply";

/**
 * A request on its way through, and those parts of the service that a function needs which takes it. What is found out about the
 * caller is noted for the log and the audit trail.
 */
export interface Exchange<Parts = unknown> {
  parts: Parts;
  request: Request;
  address: Address;
  /** The Host that it was sent to, which is one of ours. */
  host: string;
  requestId: string;
  /** The address of the client, as far as it can be trusted. */
  peer: string;
  /** Where it counts among all requests that go on. */
  slot: AdmissionSlot;
  /** Lets its connection be silent for so many seconds from now on. */
  allowSilence: AllowSilence;
  /** The variables of the path. */
  variables: Record<string, string>;
  seen: { caller?: string; actor?: AuditActor; unitId?: string };
  /** Headers that go out with whatever is answered. */
  headers: Record<string, string>;
}

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** Handler of one method of a path. */
export interface Handler<Parts = unknown> {
  /** Name in the log and the metrics: an operation id where it has one. */
  name: string;
  /**
   * A probe says how the service is, and is answered however busy that is; a report is refused only when there are still
   * more requests than others are refused at.
   */
  kind?: "probe" | "report";
  /** True if an operator wants to see each request: a sign-in, or a change of one's own account. */
  isLogged?: boolean;
  /** Maximum size of a body in bytes, if it is not the default. */
  largestBody?: number;
  /** The variable of the path that has the id of the item which is asked for, where one is. */
  itemVariable?: string | undefined;
  answer(exchange: Exchange<Parts>): Reply<ReplyBody> | Promise<Reply<ReplyBody>>;
}

/** Something that can be asked for at a path. */
export interface Endpoint<Parts = unknown> {
  /** In the way of the router: `/tasks/:task_id`. */
  path: string;
  /** Handlers by method. The handler of GET also answers HEAD; methods that are not here are refused. */
  methods: Readonly<Partial<Record<Method, Handler<Parts>>>>;
}
