import { ApiError } from "@holdfast/api/conventions/api-error";
import { textLimits } from "@holdfast/api/conventions/text-limits";
import type { Refusals } from "../audit/count-refusals";
import type { Exchange, Handler } from "./endpoint";

/**
 * Conflicts that say something of what the caller may not see: an address belongs to one user of the whole installation.
 * Trying out which addresses are taken is visible that way.
 */
const revealing: Readonly<Record<string, string>> = { "create-user": "alreadyThere" };

/** Parts that noting a refusal needs. */
export interface RefusalParts {
  refusals: Refusals;
  clock: () => number;
}

/**
 * Counts in the audit trail that a known caller was refused, whether reading or changing, or was
 * refused in a way that reveals something.
 */
export function noteRefusal(
  { refusals, clock }: RefusalParts,
  { requestId, variables, seen }: Pick<Exchange, "requestId" | "variables" | "seen">,
  { name: operation, itemVariable = "" }: Pick<Handler, "name" | "itemVariable">,
  error: unknown,
): void {
  if (!(error instanceof ApiError) || !seen.actor) return;
  if (error.status !== 403 && error.faults[0].name !== revealing[operation]) return;
  const itemId = variables[itemVariable];
  refusals.note({
    at: clock(),
    actor: seen.actor,
    operation,
    object:
      itemId === undefined ? null : { type: operation.replace(/^[a-z]+-/, ""), id: itemId.slice(0, textLimits.id) },
    unitId: seen.unitId ?? null,
    requestId,
    result: "refused",
    reason: error.faults[0].name,
  });
}
