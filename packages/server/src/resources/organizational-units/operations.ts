import { organizationalUnitFilters } from "@holdfast/api/resources/organizational-units";
import type { ChangeImplementation } from "../../operations/change";
import { implementRead } from "../../operations/item-reading";
import { type Implementation, implementList, type Renderers } from "../../operations/reading";
import { createOrganizationalUnit, deleteOrganizationalUnit, updateOrganizationalUnit } from "./change-units";
import { type ListedUnit, unitSource } from "./list-units";
import { presentUnitV1 } from "./present";

const renderers: Renderers<ListedUnit> = { 1: (row) => JSON.stringify(presentUnitV1(row)) };

export const organizationalUnitReadings: Record<string, Implementation> = {
  "list-organizational-units": implementList(unitSource, organizationalUnitFilters, renderers),
  "read-organizational-unit": implementRead(
    "organizational_unit_id",
    ({ db }, scope, id) => unitSource.find(db, scope, id),
    "organizational unit",
    renderers,
  ),
};

export const organizationalUnitChanges: Record<string, ChangeImplementation> = {
  "create-organizational-unit": createOrganizationalUnit,
  "update-organizational-unit": updateOrganizationalUnit,
  "delete-organizational-unit": deleteOrganizationalUnit,
};
