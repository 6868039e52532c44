import type { Permission } from "@holdfast/api/conventions/permissions";
import type { z } from "zod";
import type { Caller } from "../access/caller";
import type { Queries } from "../database/database";
import type { ListScope } from "../lists/list-source";
import type { OperationParts } from "./operation-parts";
import type { PathVariables } from "./path-variables";

/** Parts that the rule of a change needs beside its transaction. */
export type RuleParts = Pick<
  OperationParts,
  "baseUrl" | "baseUrlAliases" | "tokenRenewalDays" | "sealer" | "mailer" | "metrics" | "tokenLimit"
>;

/** Action of a caller who may act for people. No other caller can ask for it. */
export interface ActingFor {
  /** Whose personal token it is to be. */
  userId?: string;
  /** The new user counts as confirmed, and has no invitation to accept. */
  isConfirmed?: true;
}

/** A request to change something, as far as it is understood and allowed, inside the transaction that it is made in. */
export interface ChangeCall {
  db: Queries;
  parts: RuleParts;
  now: number;
  /** Who asks, with the roles held in this very transaction. */
  caller: Caller;
  /** The unit that is acted in, the caller and the permission of the operation: what narrows every query. */
  scope: ListScope;
  version: number;
  variables: PathVariables;
  /** The query parameters that the operation declares. */
  parameters: ReadonlyMap<string, string>;
  actingFor: ActingFor;
  /** Permissions of the caller in a unit; nothing where the unit does not exist or is not covered. */
  permissionsIn(unitId: string): Promise<ReadonlySet<Permission>>;
  /** Refuses with 412 where the item, as the caller reads it, is not the one that If-Match speaks of. */
  requireMatch(body: string): void;
  /** Does something once the change is committed, such as sending mail. What fails there is logged and undoes nothing. */
  afterwards(act: () => Promise<void>): void;
}

/** View of a change from the place of a unit, before and after. */
export interface AuditView {
  unitId: string;
  before?: unknown;
  after?: unknown;
}

/** One of several things that were changed at once, each an audit event of its own. */
export interface ChangedPart extends AuditView {
  object: { type: string; id: string };
}

/** Result of a change: for the answer, and for the audit trail. */
export interface Changed {
  object: { type: string; id: string };
  /** The unit that the object is in, where that is not the one that was acted in. */
  unitId?: string;
  /** State before and after, without secrets. */
  before?: unknown;
  after?: unknown;
  /** View of the change for those who see it from elsewhere and may not see all of it: each is an event of its own. */
  auditViews?: readonly AuditView[];
  /** The audit events of a change of several things, or of none. */
  parts?: readonly ChangedPart[];
  /** The item as JSON. */
  body?: string;
  /** Fields that only this first answer shows, such as a token: they are stored nowhere. */
  once?: Readonly<Record<string, string>>;
  /** Where what was made can be read. */
  location?: string;
}

/** A request to change something before its transaction begins: the caller is known, and may call the operation. */
export interface PreparingCall {
  parts: OperationParts;
  scope: ListScope;
  variables: PathVariables;
}

/** A change: the body that its operation declares, and the rule that makes it. */
export interface ChangeImplementation<Body extends z.ZodObject = z.ZodObject> {
  body: Body;
  /** Reads a body of which parts are refused by themselves, so that the rule checks these. */
  readLoosely?(sent: object): z.infer<Body>;
  /**
   * Does what takes long and must not hold up other changes, before the transaction begins: asking elsewhere. Gives what
   * makes the change then. What was looked up here may have changed, so it is looked up again there.
   */
  prepare?(call: PreparingCall, body: z.infer<Body>): Promise<(call: ChangeCall) => Promise<Changed>>;
  /** Makes the change. The body was checked against its declaration; what it means is checked here. */
  make(call: ChangeCall, body: z.infer<Body>): Promise<Changed>;
}

/** Implements a change whose body has the given shape. */
export function implementChange<Body extends z.ZodObject>(
  body: Body,
  make: (call: ChangeCall, body: z.infer<Body>) => Promise<Changed>,
  prepare?: (call: PreparingCall, body: z.infer<Body>) => Promise<(call: ChangeCall) => Promise<Changed>>,
): ChangeImplementation<Body> {
  return prepare ? { body, make, prepare } : { body, make };
}
