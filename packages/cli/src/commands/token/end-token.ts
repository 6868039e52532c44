import type { ItemOf } from "@holdfast/client";
import type { Command } from "commander";
import { expiryIn, parseDuration, parseLife } from "../../grammar/argument-parsers";
import { changeVerb } from "../../grammar/change-verb";
import { findTokenId, tokenArgument } from "../../lookups/tokens";
import { explain } from "../../output/write";
import { visible } from "../../terminal/visible";
import type { ApiToken } from "./token-state";

interface RotateFlags {
  overlap?: number;
  expires?: number;
}

export function rotateToken(): Command {
  return changeVerb<ItemOf<"api-tokens", "rotate-api-token">, RotateFlags>({
    name: "rotate",
    description: "Replace a token by a new one and print that. The old one ends at once, or after an overlap.",
    argument: tokenArgument,
    addOptions: (command) =>
      command
        .option(
          "--overlap <time>",
          "For how long the old one stays good, at most 7d. (default: not at all)",
          parseDuration,
        )
        .option(
          "--expires <time>",
          "How long the new one lives. (default: as long as the old one would have)",
          parseLife,
        ),
    examples: ["TOKEN=$(holdfast token rotate nightly-report --overlap 1h)"],
    prints: "the new token",
    async change({ client }, given, { overlap, expires }) {
      const item = await client.apiTokens.rotate(await findTokenId(client, given), {
        ...(overlap === undefined ? {} : { overlap_seconds: Math.floor(overlap / 1000) }),
        ...(expires === undefined ? {} : { expires_timestamp: expiryIn(expires) }),
      });
      return { item, result: item.token };
    },
  });
}

export function revokeToken(): Command {
  return changeVerb<ApiToken, object>({
    name: "revoke",
    description: "Revoke a token: the service refuses it from the next request on. This cannot be undone.",
    argument: tokenArgument,
    examples: ["holdfast token revoke nightly-report"],
    async change({ client }, given) {
      const id = await findTokenId(client, given);
      const was = await client.apiTokens.read(id);
      await client.apiTokens.revoke(id);
      const item = await client.apiTokens.read(id);
      const isNews = was.revoked_timestamp !== item.revoked_timestamp;
      const state = isNews ? "is revoked" : "was revoked before";
      explain(`The token ${visible(item.name)} ${state}: it is refused from ${item.revoked_timestamp} on.`);
      return { item };
    },
  });
}
