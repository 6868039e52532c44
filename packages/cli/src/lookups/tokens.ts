import type { Client } from "@holdfast/client";
import { minute } from "../output/moments";
import { findId } from "./find-one";

export const tokenArgument = ["token", "The token, by its name or id; see: holdfast token list"] as const;

/** The id of a token that is named by its id, or by a name that only one has which is not revoked. */
export function findTokenId(client: Client, given: string): Promise<string> {
  return findId(given, {
    noun: "token",
    list: "token",
    named: (name) => client.apiTokens.list({ filter: { name: { $eq: name }, is_revoked: false } }).first(20),
    describe: ({ created_timestamp }) => `made ${minute(created_timestamp)}`,
  });
}
