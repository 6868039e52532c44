import type { Command } from "commander";
import { noun } from "../../grammar/noun";
import { showVerb } from "../../grammar/show-verb";
import { findTokenId, tokenArgument } from "../../lookups/tokens";
import { revokeToken, rotateToken, updateToken } from "./change-token";
import { createToken } from "./create-token";
import { listTokens } from "./list-tokens";
import { renewToken } from "./renew-token";
import { tokenFacts } from "./token-facts";

/** API tokens. */
export function tokenCommand(): Command {
  return noun("token", "API tokens: what every request carries.", [
    listTokens(),
    showVerb({
      description: "Show a token, without what could be used as one.",
      argument: tokenArgument,
      examples: ["holdfast token show nightly-report"],
      read: async (client, given) => client.apiTokens.read(await findTokenId(client, given)),
      id: ({ id }) => id,
      facts: tokenFacts,
    }),
    createToken(),
    updateToken(),
    rotateToken(),
    renewToken(),
    revokeToken(),
  ]);
}
