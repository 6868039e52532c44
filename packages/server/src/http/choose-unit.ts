import { refuseField } from "@holdfast/api/conventions/api-error";
import { parseUuid } from "@holdfast/api/conventions/uuid";
import type { Caller } from "../access/caller";
import type { UnitAccess, UnitContext } from "../access/context";
import type { DataVersions } from "../database/database";

/** Finds out in which unit a request acts: the one that it names, or the one that the token was made for. */
export async function chooseUnit(
  headers: Headers,
  headerName: string,
  caller: Caller,
  dataVersions: DataVersions,
  unitAccess: UnitAccess,
): Promise<UnitContext> {
  const given = headers.get(headerName)?.trim() ?? "";
  if (given.includes(",")) throw refuseField("headerRepeated", headerName, `Send the header ${headerName} once.`);
  const unitId = given === "" ? caller.unitId : parseUuid(given);
  if (unitId === undefined) {
    throw refuseField(
      "unitMalformed",
      headerName,
      `The header ${headerName} has to be the UUID of an organizational unit.`,
    );
  }
  return unitAccess(caller, unitId, dataVersions.access);
}
