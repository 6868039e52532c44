import { randomUUID } from "node:crypto";
import type { roles } from "@holdfast/api/resources/roles";
import { type AddItem, listing, none, post, type ResourceSample, reporter, unitOf, usable } from "./resource-sample";

const body = () => ({ name: `Role ${randomUUID()}`, permissions: reporter.permissions });
const add: AddItem = (plane, unitId) => post(plane, "/roles", body(), unitId);

/** Roles are seen from below, too, and are changed where they were made. */
export const roleSample: ResourceSample<typeof roles> = {
  operations: {
    "list-roles": listing,
    "read-role": { ...usable, prepare: async (plane, place) => ({ itemId: await add(plane, unitOf(plane, place)) }) },
    "create-role": {
      ...none,
      places: ["own"],
      gives: reporter.permissions,
      prepare: async (plane) => ({ body: body(), auditedIn: plane.units.own }),
    },
    "update-role": {
      ...usable,
      prepare: async (plane, place) => ({
        itemId: await add(plane, unitOf(plane, place)),
        body: { description: "Other" },
        auditedIn: plane.units.own,
      }),
    },
    "delete-role": {
      ...usable,
      prepare: async (plane, place) => ({
        itemId: await add(plane, unitOf(plane, place)),
        auditedIn: plane.units.own,
      }),
    },
  },
  /** In the root, where every unit sees them. */
  async seed(plane) {
    for (const name of ["zoo keeper", "Zoo visitor", "zoo_inspector 100%"]) {
      await post(plane, "/roles", { name, permissions: ["tasks:read", "users:read"] });
    }
  },
};
