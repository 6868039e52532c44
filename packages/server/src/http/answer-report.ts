import { type Fault, refuseAll } from "@holdfast/api/conventions/api-error";
import { type VersionOffer, versionedMediaType } from "@holdfast/api/conventions/media-type";
import type { ReportOperation } from "@holdfast/api/conventions/operation";
import { parseParameters } from "@holdfast/api/conventions/parse-parameters";
import type { Queries } from "../database/database";
import { authorize } from "../operations/authorize";
import type { WriteReport } from "../operations/gather-reports";
import type { ReportImplementation } from "../operations/report";
import type { Exchange } from "./endpoint";
import { findKeptAnswer, type KeptAnswer, keepAnswer, readIdempotencyKey, requestHash } from "./idempotency";
import { identifyRequest } from "./identify-request";
import { readBody } from "./read-body";
import type { Reply } from "./reply";

/** What is declared of an operation that takes reports. */
export interface DeclaredReport {
  offer: VersionOffer;
  versions: ReadonlyMap<number, ReportOperation>;
}

/**
 * The way of a report: who, where, which version, whether that is allowed and what it says; then it is written together
 * with others, and answered after the commit. The rights are those at its arrival.
 */
export async function answerReport(
  exchange: Exchange,
  { offer, versions }: DeclaredReport,
  implementation: ReportImplementation,
  writeReport: WriteReport,
): Promise<Reply> {
  const { parts, request, address, variables } = exchange;
  const { caller, context, version } = await identifyRequest(exchange, offer);
  const operation = versions.get(version);
  if (!operation) throw new Error(`Version ${version} is offered, but nothing declares it.`);
  const faults: Fault[] = [];
  parseParameters(address.query, [], faults);
  refuseAll(faults);
  authorize(operation, caller, context.permissions);
  const body = await readBody(exchange, operation.body, operation.item);

  const write = async (db: Queries): Promise<KeptAnswer> => {
    const reported = await implementation(
      {
        db,
        parts,
        now: parts.clock(),
        caller,
        scope: { caller, unitId: context.unitId, permission: operation.permission },
        version,
        itemId: Object.values(variables)[0] ?? "",
      },
      body,
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
  };

  const key = request.method === "POST" ? readIdempotencyKey(request.headers) : undefined;
  if (key === undefined) return writeReport(write, JSON.stringify(body).length);
  const hash = requestHash([operation.id, address, context.unitId, body]);
  const repeatable = { caller: caller.userId ?? caller.tokenId, key, hash };
  // By itself: what is kept for a day is looked up and written once per key, which is nothing for a group.
  return parts.database.change(async (db) => {
    const now = parts.clock();
    const kept = await findKeptAnswer(db, repeatable, now);
    if (kept) return kept;
    const answer = await write(db);
    await keepAnswer(db, repeatable, answer, now);
    return answer;
  });
}
