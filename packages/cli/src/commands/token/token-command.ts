import type { Command } from "commander";
import { resourceNoun } from "../../grammar/resource-noun";
import { findTokenId, tokenArgument } from "../../lookups/tokens";
import { hidden } from "../../output/columns";
import { createToken } from "./create-token";
import { revokeToken, rotateToken } from "./end-token";
import { renewToken } from "./renew-token";
import { tokenFacts } from "./token-facts";
import { type ApiToken, tokenTones, withStates } from "./token-state";

/** API tokens. */
export function tokenCommand(): Command {
  return resourceNoun<"api-tokens", ApiToken>({
    name: "token",
    description: "API tokens: what every request carries.",
    resource: "api-tokens",
    calls: ({ apiTokens }) => apiTokens,
    argument: tokenArgument,
    find: findTokenId,
    rows: withStates,
    columns: ({ users }) => [
      "name",
      "kind",
      "organizational_unit_id",
      {
        name: "created_by",
        isExtra: true,
        title: "CREATOR",
        text: ({ created_by }) => users.of(created_by),
        canShrink: true,
      },
      { name: "created_timestamp", isExtra: true },
      { name: "expires_timestamp", title: "EXPIRES", isExtra: true },
      { name: "last_used_timestamp", title: "LAST USED", isExtra: true },
      { name: "state", tone: ({ state }) => state && tokenTones[state] },
      "id",
      ...hidden("base_url", "role", "user_id"),
    ],
    facts: tokenFacts,
    list: {
      description: "List tokens, newest first. What could be used as one is never shown.",
      filters: {
        name: "Only those with this in their names.",
        kind: "Only these kinds: {words}.",
        is_revoked: { flags: "--active", text: "Leave out those that are revoked.", value: () => false },
      },
      sort: { text: "name or expires_timestamp, with - before it for downwards." },
      examples: [
        "holdfast token",
        "holdfast token list --kind service --sort expires_timestamp",
        "holdfast token list -o csv",
      ],
    },
    show: {
      description: "Show a token, without what could be used as one.",
      examples: ["holdfast token show nightly-report"],
    },
    update: {
      description: "Rename a token.",
      fields: { name: "What it is for, as lists show it." },
      examples: ["holdfast token update nightly --name nightly-report"],
    },
    verbs: [createToken(), rotateToken(), renewToken(), revokeToken()],
  });
}
