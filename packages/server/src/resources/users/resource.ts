import { userFilters, users } from "@holdfast/api/resources/users";
import { implementRead } from "../../operations/item-read";
import { implementList, type Renderers } from "../../operations/read";
import type { ResourceDescription } from "../resource-description";
import { createUser, deleteUser, inviteUser, updateUser } from "./change-users";
import { grantsInUnits } from "./grants-in-units";
import { findUser, type UserRow, userSource } from "./list-users";
import { presentUserV1, presentUserV2 } from "./present";

const renderers: Renderers<UserRow> = {
  1: (row) => JSON.stringify(presentUserV1(row)),
  2: (row) => JSON.stringify(presentUserV2(row)),
};

/** People. How they sign in has tables of its own, in `tables-of-none.ts`. */
export const userResource = {
  declaration: users,
  reads: () => ({
    "list-users": implementList(userSource, userFilters, renderers),
    "read-user": implementRead("user_id", findUser, "user", renderers),
  }),
  changes: {
    "create-user": createUser,
    "invite-user": inviteUser,
    "update-user": updateUser,
    "delete-user": deleteUser,
  },
  domain: "any",
  tables: {
    users: {
      move: { key: ["id"], numberedBy: "seq", refersToItself: "inviter_id" },
      domain: { name: "access", uncounted: ["last_active_at"] },
      grows: true,
    },
    role_grants: {
      move: { key: ["user_id", "organizational_unit_id", "role_id"] },
      domain: { name: "access" },
      inUnit: grantsInUnits,
    },
  },
} satisfies ResourceDescription<typeof users>;
