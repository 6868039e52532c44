import { type Fault, refuseAll } from "@holdfast/api/conventions/api-error";
import { type VersionOffer, versionedMediaType } from "@holdfast/api/conventions/media-type";
import type { ReportOperation } from "@holdfast/api/conventions/operation";
import { parseParameters } from "@holdfast/api/conventions/parse-parameters";
import { authorize } from "../operations/authorize";
import type { ChangeImplementation } from "../operations/change";
import { checkBody } from "../operations/check-body";
import type { RepeatableReport, Reported, ReportImplementation } from "../operations/report";
import type { Exchange } from "./endpoint";
import { type AnswerChangeParts, change } from "./handle-change";
import { findKeptAnswer, keepAnswer, readIdempotencyKey, requestHash } from "./idempotency";
import { identifyRequest, type RequestContext } from "./identify-request";
import { readReport } from "./read-body";
import type { Reply } from "./reply";

/** Declaration of an operation that takes reports. */
export interface DeclaredReport {
  offer: VersionOffer;
  versions: ReadonlyMap<number, ReportOperation>;
  volatileFields: readonly string[];
}

/** Implementation of such an operation: the report, and the change that some bodies ask for instead. */
export interface ImplementedReport {
  report: ReportImplementation;
  change: ChangeImplementation | undefined;
}

/** The way of a report: who, where, which version, whether that is allowed, and what was sent. Its implementation does the rest. */
export async function handleReport(
  exchange: Exchange<AnswerChangeParts>,
  { offer, versions, volatileFields }: DeclaredReport,
  implemented: ImplementedReport,
): Promise<Reply> {
  const { parts, request, address, variables, slot, allowSilence } = exchange;
  const identified = await identifyRequest(exchange, offer);
  const { caller, context, version, dataVersions } = identified;
  const operation = versions.get(version);
  if (!operation) throw new Error(`Version ${version} is offered, but nothing declares it.`);
  const faults: Fault[] = [];
  const parameters = parseParameters(address.query, [], faults);
  refuseAll(faults);
  authorize(operation, caller, context.permissions);
  const { sent, size } = await readReport(exchange);
  const asked = { ...sent };
  if (operation.change?.isAskedBy(asked) && implemented.change) {
    const { permission } = operation.change;
    authorize({ permission }, caller, context.permissions);
    const body = checkBody(implemented.change.body, sent, operation.item);
    const write = { ...operation, kind: "write", permission, otherPermissions: [] } as const;
    return change(exchange, identified, write, { offer, volatileFields }, implemented.change, { parameters, body });
  }
  authorize({ permission: operation.permission }, caller, context.permissions);

  const reported = await implemented.report(
    {
      caller,
      scope: { caller, unitId: context.unitId, permission: operation.permission },
      variables,
      permissions: context.permissions,
      permissionsIn: async (unitId) => (await parts.unitAccess(caller, unitId, dataVersions.access)).permissions,
      size,
      repeatable: repeatableReport(exchange, identified, operation, sent),
      signal: request.signal,
      async hold(seconds, wait) {
        allowSilence(seconds);
        await slot.whileHeld(wait);
        allowSilence();
      },
    },
    sent,
  );
  const headers: Record<string, string> = {
    "Content-Type": versionedMediaType(parts.vendor, offer.resource, version),
  };
  if (reported.location !== undefined) headers.Location = reported.location;
  return {
    status: reported.isRepeated ? 200 : operation.status,
    headers,
    body: parts.nameLinks(reported.body),
  };
}

/** Makes a report repeatable by its key. */
function repeatableReport(
  { parts, request, address }: Exchange<Pick<AnswerChangeParts, "clock">>,
  { caller, context }: RequestContext,
  { id }: ReportOperation,
  sent: object,
): RepeatableReport | undefined {
  const key = request.method === "POST" ? readIdempotencyKey(request.headers) : undefined;
  if (key === undefined) return undefined;
  const hash = requestHash([id, address, context.unitId, sent]);
  const repeatable = { caller: caller.userId ?? caller.tokenId, key, hash };
  return {
    async find(db) {
      const kept = await findKeptAnswer(db, repeatable, parts.clock());
      return kept && readKept(kept.body ?? "", kept.headers.Location, kept.status === 200);
    },
    async keep(db, { body, location, isRepeated = false }) {
      const headers: Record<string, string> = location === undefined ? {} : { Location: location };
      await keepAnswer(db, repeatable, { status: isRepeated ? 200 : 201, headers, body }, parts.clock());
    },
  };
}

function readKept(body: string, location: string | undefined, isRepeated: boolean): Reported {
  return { body, isRepeated, ...(location === undefined ? {} : { location }) };
}
