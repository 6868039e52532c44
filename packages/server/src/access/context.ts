import type { Permission } from "@holdfast/api/conventions/permissions";
import { type CountUse, createCommitCache } from "../database/commit-cache";
import type { Database, DataVersion } from "../database/database";
import type { Caller } from "./caller";
import { requireCovered } from "./rights";
import { unitAndAbove } from "./unit-paths";

/** In which unit a request acts, and what the caller may do there. */
export interface UnitContext {
  unitId: string;
  permissions: ReadonlySet<Permission>;
}

/** Finds out what a caller may do in a unit; the same refusal for one that does not exist and one that is not theirs. */
export type UnitAccess = (caller: Caller, unitId: string, dataVersion: DataVersion) => Promise<UnitContext>;

export function createUnitAccess(database: Database, countUse: CountUse): UnitAccess {
  const entered = createCommitCache<UnitContext>(10_000, countUse);
  return (caller, unitId, dataVersion) =>
    entered.getOrLoad(dataVersion, `${caller.tokenId} ${unitId}`, async () => {
      const path = await database.snapshot((db) => unitAndAbove(db, unitId));
      return { unitId, permissions: requireCovered(caller, path) };
    });
}
