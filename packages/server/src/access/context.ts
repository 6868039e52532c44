import { refuse } from "@holdfast/api/conventions/api-error";
import type { Permission } from "@holdfast/api/conventions/permissions";
import { createCommitCache } from "../database/commit-cache";
import type { Database, Stamp } from "../database/database";
import type { Caller } from "./caller";
import { unitAndAbove } from "./unit-paths";

/** In which unit a request acts, and what the caller may do there. */
export interface UnitContext {
  unitId: string;
  permissions: ReadonlySet<Permission>;
}

/** Finds out what a caller may do in a unit; the same refusal for one that does not exist and one that is not theirs. */
export type UnitAccess = (caller: Caller, unitId: string, stamp: Stamp) => Promise<UnitContext>;

export function createUnitAccess(database: Database): UnitAccess {
  const entered = createCommitCache<UnitContext>(10_000);
  return (caller, unitId, stamp) =>
    entered.getOrLoad(stamp, `${caller.tokenId} ${unitId}`, async () => {
      const path = await database.snapshot((db) => unitAndAbove(db, unitId));
      const covering = caller.roles.filter((role) => path.includes(role.unitId));
      if (covering.length === 0) {
        throw refuse(
          "unitForbidden",
          "You hold no role in this organizational unit, or it does not exist. Name another one.",
        );
      }
      return { unitId, permissions: new Set(covering.flatMap((role) => [...role.permissions])) };
    });
}
