import { userFilters } from "@holdfast/api/resources/users";
import type { ChangeImplementation } from "../change";
import { type Implementation, implementList, implementRead, type Writers } from "../implementation";
import { findUser, type UserRow, userSource } from "./list-users";
import { presentUserV1, presentUserV2 } from "./present";

const writers: Writers<UserRow> = {
  1: (row) => JSON.stringify(presentUserV1(row)),
  2: (row, { nameLinks }) => JSON.stringify(presentUserV2(row, nameLinks)),
};

function missing(): never {
  throw new Error("Not written yet.");
}

export const userChanges: Record<string, ChangeImplementation> = {
  "create-user": missing,
  "invite-user": missing,
  "update-user": missing,
  "delete-user": missing,
};

export const userReadings: Record<string, Implementation> = {
  "list-users": implementList(userSource, userFilters, writers),
  "read-user": implementRead(findUser, "user", writers),
};
