import type { ItemOf } from "@holdfast/client";
import { prepareTokenFile } from "@holdfast/runner/token-file";
import type { Command } from "commander";
import { parseDuration } from "../../grammar/argument-parsers";
import { changeVerb } from "../../grammar/change-verb";
import { UsageError } from "../../grammar/usage-error";
import { explain } from "../../output/write";
import { readProfiles, writeProfiles } from "../../remote/profiles";
import { visible } from "../../terminal/visible";

interface RenewFlags {
  overlap?: number;
  tokenFile?: string;
}

type Renewed = ItemOf<"api-tokens", "renew-api-token">;

/** Renews the service token that the command calls with, and keeps the new one where the old one was. */
export function renewToken(): Command {
  return changeVerb<Renewed, RenewFlags>({
    name: "renew",
    description:
      "Renew the service token that this command calls with: one with the same role and unit, which lives as long. It replaces the old one in its file or profile; one from HOLDFAST_TOKEN is printed.",
    addOptions: (command) =>
      command.option(
        "--overlap <time>",
        "For how long the old one stays good, at most 7d. (default: 7d)",
        parseDuration,
      ),
    examples: ["holdfast token renew --token-file /etc/holdfast/token", "HOLDFAST_TOKEN=$(holdfast token renew)"],
    help: "A token can renew itself for token_renewal_days after somebody has given it. People create a new token instead.",
    prints: "the new token, if it is kept nowhere",
    async change({ client, local, profile }, _, { overlap, tokenFile }) {
      if (local)
        throw new UsageError("A token renews itself through the service: leave --local out, and give --token-file.");
      const renew = () =>
        client.apiTokens.renew(overlap === undefined ? {} : { overlap_seconds: Math.floor(overlap / 1000) });
      const replacement = tokenFile === undefined ? undefined : prepareTokenFile(tokenFile);
      const item = await renew().catch((error) => {
        replacement?.discard();
        throw error;
      });
      const { token = "", name, expires_timestamp } = item;
      const until = `The token ${visible(name)} is renewed until ${expires_timestamp.slice(0, 10)}`;
      if (replacement) {
        replacement.commit(token);
        explain(`${until}, in ${tokenFile}.`);
        return { item: withoutToken(item) };
      }
      if (profile !== undefined) {
        const { byName, current } = readProfiles(process.env);
        const kept = byName.get(profile);
        if (kept) writeProfiles(process.env, { current, byName: new Map(byName).set(profile, { ...kept, token }) });
        explain(`${until}, in the profile ${profile}.`);
        return { item: withoutToken(item) };
      }
      explain(`${until}. It is shown this once: keep it in place of the old one.`);
      return { item, result: token };
    },
  });
}

function withoutToken({ token: _, ...rest }: Renewed): Renewed {
  return rest;
}
