import { userFilters } from "@holdfast/api/resources/users";
import type { ChangeImplementation } from "../../operations/change";
import { implementRead } from "../../operations/item-reading";
import { type Implementation, implementList, type Renderers } from "../../operations/reading";
import { createUser, deleteUser, inviteUser, updateUser } from "./change-users";
import { findUser, type UserRow, userSource } from "./list-users";
import { presentUserV1, presentUserV2 } from "./present";

const renderers: Renderers<UserRow> = {
  1: (row) => JSON.stringify(presentUserV1(row)),
  2: (row) => JSON.stringify(presentUserV2(row)),
};

export const userChanges: Record<string, ChangeImplementation> = {
  "create-user": createUser,
  "invite-user": inviteUser,
  "update-user": updateUser,
  "delete-user": deleteUser,
};

export const userReadings: Record<string, Implementation> = {
  "list-users": implementList(userSource, userFilters, renderers),
  "read-user": implementRead("user_id", findUser, "user", renderers),
};
