import type { Client } from "@holdfast/client";
import { findId, sameName } from "./find-one";

export const userArgument = ["user", "The user, by e-mail address or id; see: holdfast user list"] as const;

/** The id of a user who is named by id or by e-mail address. */
export function findUserId(client: Client, given: string): Promise<string> {
  return findId(given, {
    noun: "user",
    list: "user",
    named: async (address) => {
      const users = await client.users.list({ filter: { name: { $eq: address } } }).first(100);
      return users.filter(({ email, full_name }) => sameName(email, address) || sameName(full_name, address));
    },
    describe: ({ email }) => email,
  });
}
