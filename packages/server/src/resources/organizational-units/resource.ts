import { organizationalUnitFilters, organizationalUnits } from "@holdfast/api/resources/organizational-units";
import { implementRead } from "../../operations/item-read";
import { implementList, type Renderers } from "../../operations/read";
import type { ResourceDescription } from "../resource-description";
import type { KnownContents } from "../unit-contents";
import { createOrganizationalUnit, deleteOrganizationalUnit, updateOrganizationalUnit } from "./change-units";
import { type ListedUnit, unitSource } from "./list-units";
import { presentUnitV1 } from "./present";

const renderers: Renderers<ListedUnit> = { 1: (row) => JSON.stringify(presentUnitV1(row)) };

/** The tree of units, and what other resources have in it. */
export const organizationalUnitResource = (contents: readonly KnownContents[]) =>
  ({
    declaration: organizationalUnits,
    reads: () => ({
      "list-organizational-units": implementList(unitSource, organizationalUnitFilters, renderers),
      "read-organizational-unit": implementRead(
        "organizational_unit_id",
        ({ db }, scope, id) => unitSource.find(db, scope, id),
        "organizational unit",
        renderers,
      ),
    }),
    changes: {
      "create-organizational-unit": createOrganizationalUnit,
      "update-organizational-unit": updateOrganizationalUnit(contents),
      "delete-organizational-unit": deleteOrganizationalUnit(contents),
    },
    domain: "any",
    tables: {
      organizational_units: {
        move: { key: ["id"], numberedBy: "seq", refersToItself: "parent_id" },
        domain: { name: "units" },
      },
      organizational_unit_paths: { move: { key: ["ancestor_id", "unit_id"] }, domain: { name: "units" } },
    },
  }) satisfies ResourceDescription<typeof organizationalUnits>;
