import { randomUUID } from "node:crypto";
import type { organizationalUnits } from "@holdfast/api/resources/organizational-units";
import {
  type AddItem,
  changing,
  creating,
  inside,
  listing,
  type ResourceSample,
  reading,
  unitOf,
} from "./resource-sample";

const add: AddItem = (plane, unitId) => plane.addUnit(randomUUID(), unitId);

export const organizationalUnitSample: ResourceSample<typeof organizationalUnits> = {
  operations: {
    "list-organizational-units": listing,
    "read-organizational-unit": reading(add),
    "create-organizational-unit": creating((parent_id) => ({ name: randomUUID(), parent_id })),
    "update-organizational-unit": {
      ...inside,
      gives: [],
      // A change of a unit that stays is recorded in the unit itself.
      prepare: async (plane, place) => {
        const itemId = await add(plane, unitOf(plane, place));
        return { itemId, body: { name: randomUUID() }, auditedIn: itemId };
      },
    },
    "delete-organizational-unit": changing(add),
  },
  /** None in the other unit, which is one itself. */
  async seed(plane, several) {
    for (const name of ["Quay", "crane 100%", "Lock_7"]) await plane.addUnit(name, several);
  },
};
