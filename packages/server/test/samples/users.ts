import { randomUUID } from "node:crypto";
import type { users } from "@holdfast/api/resources/users";
import { type AddItem, inside, listing, type ResourceSample, reading, reporter, unitOf } from "./resource-sample";

const addUser: AddItem = (plane, unitId) => plane.addUser({ roles: [{ role: "reporter", unitId }] });
const addInvited: AddItem = (plane, unitId) =>
  plane.addUser({ isConfirmed: false, roles: [{ role: "reporter", unitId }] });

const names = ["Ada Lovelace", "grace hopper", "Linus Torvalds", "Élodie Durand", "Żaneta Nowak", "anna 100%", "Bob_7"];

/** Changes of a user are audited in the unit that is acted in: a user lives in several. */
export const userSample: ResourceSample<typeof users> = {
  operations: {
    "list-users": listing,
    "read-user": reading(addUser),
    "create-user": {
      ...inside,
      reach: "named",
      staysInside: true,
      prepare: async (plane, place) => ({
        body: {
          email: `${randomUUID()}@example.org`,
          full_name: "New Person",
          access_control_configuration: [{ role_id: reporter.id, organizational_unit_ids: [unitOf(plane, place)] }],
        },
        auditedIn: plane.units.own,
      }),
    },
    "invite-user": {
      ...inside,
      prepare: async (plane, place) => ({
        itemId: await addInvited(plane, unitOf(plane, place)),
        auditedIn: plane.units.own,
      }),
    },
    "update-user": {
      ...inside,
      prepare: async (plane, place) => ({
        itemId: await addUser(plane, unitOf(plane, place)),
        body: { full_name: "Other Name", is_enabled: false, access_control_configuration: [] },
        auditedIn: plane.units.own,
      }),
    },
    "delete-user": {
      ...inside,
      prepare: async (plane, place) => ({
        itemId: await addUser(plane, unitOf(plane, place)),
        auditedIn: plane.units.own,
      }),
    },
  },
  async seed(plane, several, one) {
    for (const name of names) await plane.addUser({ name, roles: [{ role: "viewer", unitId: several }] });
    await plane.addUser({ name: "South Person", roles: [{ role: "admin", unitId: one }] });
  },
};
