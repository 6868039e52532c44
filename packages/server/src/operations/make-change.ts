import { refuse } from "@holdfast/api/conventions/api-error";
import type { WriteOperation } from "@holdfast/api/conventions/operation";
import type { Permission } from "@holdfast/api/conventions/permissions";
import type { Caller } from "../access/caller";
import { permissionsIn } from "../access/rights";
import { actorOf } from "../audit/actor-of";
import { recordEvents } from "../audit/record-event";
import type { Database, Queries } from "../database/database";
import { authorize } from "./authorize";
import type { ActingFor, Changed, ChangeImplementation, RuleParts } from "./change";
import type { PathVariables } from "./path-variables";

/** Parts that making changes needs. */
export interface ChangeParts extends RuleParts {
  database: Database;
  clock: () => number;
  /** Reads again, inside the transaction, who a caller is and with which rights; refuses who has lost them. */
  reloadCaller: (db: Queries, caller: Caller) => Promise<Caller>;
}

/** Operation and target of a change. */
export interface RequestedChange {
  variables: PathVariables;
  parameters: ReadonlyMap<string, string>;
  /** Checked against the declaration of the operation. */
  body: Record<string, unknown>;
  actingFor: ActingFor;
}

/** A change that a caller asks for. HTTP and the command line differ in this alone. */
export interface ChangeRequest<Answer> {
  operation: WriteOperation;
  implementation: ChangeImplementation;
  version: number;
  caller: Caller;
  /** The unit that is acted in. */
  unitId: string;
  /** The network address that the request comes from, and its id, where it has them. */
  address: string | null;
  requestId: string | null;
  /** Works out the request inside the transaction, where it depends on what is stored. */
  ask: (db: Queries) => Promise<RequestedChange>;
  /** Refuses where the item is not the one that the caller has read. */
  requireMatch: (item: string) => void;
  /** The answer to the same request, where it was answered before: then nothing is changed. */
  findEarlierAnswer: (db: Queries, now: number) => Promise<Answer | undefined>;
  /** Makes the answer, in the transaction of the change. */
  answer: (db: Queries, changed: Changed, now: number) => Promise<Answer>;
  /** Runs what follows the change, once that is committed. */
  runLater: (act: () => Promise<void>) => void;
}

/**
 * The one way to make a change, for every caller: the caller is read again, rights are checked, the rule of the resource
 * runs, and the audit events are written. All of it is one transaction.
 */
export async function makeChange<Answer>(parts: ChangeParts, request: ChangeRequest<Answer>): Promise<Answer> {
  const { operation, unitId } = request;
  const later: (() => Promise<void>)[] = [];
  const answer = await parts.database.change(async (db) => {
    later.length = 0;
    const now = parts.clock();
    const caller = await parts.reloadCaller(db, request.caller);
    const earlier = await request.findEarlierAnswer(db, now);
    if (earlier !== undefined) return earlier;
    const rightsIn = (unit: string): Promise<ReadonlySet<Permission>> => permissionsIn(db, caller, unit);
    authorize(operation, caller, await rightsIn(unitId));
    const asked = await request.ask(db);
    requireActingFor(caller, asked.actingFor);
    const changed = await request.implementation.make(
      {
        db,
        parts,
        now,
        caller,
        scope: { caller, unitId, permission: operation.permission },
        version: request.version,
        variables: asked.variables,
        parameters: asked.parameters,
        actingFor: asked.actingFor,
        permissionsIn: rightsIn,
        requireMatch: request.requireMatch,
        afterwards: (act) => later.push(act),
      },
      asked.body,
    );
    await recordChange(db, parts, { ...request, caller }, changed, now);
    return request.answer(db, changed, now);
  });
  for (const act of later) request.runLater(act);
  return answer;
}

/** No request over HTTP acts for other people. */
function requireActingFor(caller: Caller, actingFor: ActingFor): void {
  if (caller.mayActForPeople === true || Object.keys(actingFor).length === 0) return;
  throw refuse("kindForbidden", "Only the person can do this. On the machine of the service, use the command line.");
}

/** Writes the audit events of a change: one for each unit that it is seen from. */
async function recordChange(
  db: Queries,
  { sealer }: RuleParts,
  { operation, caller, unitId: actedIn, address, requestId }: ChangeRequest<unknown>,
  { object, before, after, unitId = actedIn, auditViews = [], parts }: Changed,
  at: number,
): Promise<void> {
  const event = {
    at,
    actor: actorOf(address, caller),
    operation: operation.id,
    object,
    requestId,
    result: "done",
  } as const;
  const views = parts ?? [{ unitId, before, after }, ...auditViews];
  await recordEvents(
    db,
    sealer,
    views.map((view) => ({ ...event, ...view })),
  );
}
