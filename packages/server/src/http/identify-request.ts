import { chooseVersion, type VersionOffer } from "@holdfast/api/conventions/media-type";
import { unitHeader } from "@holdfast/api/conventions/unit-header";
import type { Caller } from "../access/caller";
import type { UnitAccess, UnitContext } from "../access/context";
import type { LimitRate } from "../access/rate-limit";
import type { TokenUse } from "../access/tokens/token-use";
import { actorOf } from "../audit/actor-of";
import type { Database, DataVersions } from "../database/database";
import { type AuthenticateParts, authenticate } from "./authenticate";
import { chooseUnit } from "./choose-unit";
import type { Exchange } from "./endpoint";
import { varyOf } from "./respond";

/** Parts that counting a request for its caller needs. */
export interface CountCallerParts {
  limitRate: LimitRate;
  tokenUse: TokenUse;
}

/** Parts that the first steps of every operation need. */
export interface IdentifyParts extends AuthenticateParts, CountCallerParts {
  database: Database;
  vendor: string;
  unitAccess: UnitAccess;
}

/** Who makes a request, where, and in which version. */
export interface RequestContext {
  /** As of when that holds: for the whole request. */
  dataVersions: DataVersions;
  caller: Caller;
  context: UnitContext;
  version: number;
}

/** The first steps of every operation: who, where and in which version. */
export async function identifyRequest(
  exchange: Exchange<IdentifyParts>,
  offer: VersionOffer,
  accept = exchange.request.headers.get("accept"),
): Promise<RequestContext> {
  const { parts, request, headers: sent } = exchange;
  // Whatever was committed before this counts.
  const dataVersions = await parts.database.dataVersions();
  const caller = await authenticate(exchange, dataVersions);
  if (caller.kind === "session") sent.Vary = `${varyOf(parts)}, Cookie`;
  noteCaller(exchange, caller);
  const turn = exchange.slot.requeue();
  if (turn) await turn;
  const context = await chooseUnit(request.headers, unitHeader(parts.vendor), caller, dataVersions, parts.unitAccess);
  exchange.seen.unitId = context.unitId;
  return { dataVersions, caller, context, version: chooseVersion(accept, offer) };
}

/** Counts a request against the limit of its caller, and notes who it is. */
function noteCaller(
  { parts, request, peer, slot: place, seen, headers }: Exchange<CountCallerParts>,
  caller: Caller,
): void {
  place.charge(caller.limitedAs);
  seen.caller = caller.tokenId;
  seen.actor = actorOf(peer, caller);
  Object.assign(headers, parts.limitRate(caller));
  parts.tokenUse.note(caller, { address: peer, client: request.headers.get("user-agent") });
}
