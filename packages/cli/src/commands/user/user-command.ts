import type { Command } from "commander";
import { deleteVerb } from "../../grammar/delete-verb";
import { noun } from "../../grammar/noun";
import { showVerb } from "../../grammar/show-verb";
import { findUserId, userArgument } from "../../lookups/users";
import { createUser, enableUser, inviteUser, updateUser } from "./change-user";
import { grantRole, revokeRole } from "./grant-role";
import { listUsers } from "./list-users";
import { userFacts } from "./user-facts";

/** People. */
export function userCommand(): Command {
  return noun("user", "People, and the roles that they hold in organizational units.", [
    listUsers(),
    showVerb({
      description: "Show a user.",
      argument: userArgument,
      examples: ["holdfast user show ada@example.org"],
      read: async (client, given) => client.users.read(await findUserId(client, given)),
      id: ({ id }) => id,
      facts: userFacts,
    }),
    createUser(),
    inviteUser(),
    updateUser(),
    enableUser("enable", "Let a user in again.", true),
    enableUser(
      "disable",
      "Lock a user out at once, personal tokens included. Sessions end, and an invitation that is open becomes void.",
      false,
    ),
    grantRole(),
    revokeRole(),
    deleteVerb({
      description: "Delete a user, with their sessions and personal tokens.",
      argument: userArgument,
      examples: ["holdfast user delete ada@example.org"],
      find: ({ client }, given) => findUserId(client, given),
      nameOf: async ({ client }, id) => (await client.users.read(id)).email,
      remove: ({ client }, id) => client.users.delete(id),
    }),
  ]);
}
