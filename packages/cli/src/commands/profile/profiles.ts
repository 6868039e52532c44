import { Refusal } from "@holdfast/server/settings/refusal";
import { Command } from "commander";
import { addExamples, noun } from "../../grammar/noun";
import { minute } from "../../output/moments";
import { formatOf, type OutputFlags, outputOptions } from "../../output/output-format";
import { printItems } from "../../output/print-items";
import { explain } from "../../output/write";
import { readProfiles, writeProfiles } from "../../remote/profiles";

/** A profile as it is shown: never with its token. */
interface ShownProfile {
  name: string;
  url: string;
  is_current: boolean;
  expires_timestamp: string | null;
}

export function profilesCommand(): Command {
  return noun("profiles", "The services that you have logged in to.", [listProfiles(), useProfile()]);
}

function listProfiles(): Command {
  const command = new Command("list").description("List the profiles, without their tokens.");
  for (const option of outputOptions("table")) command.addOption(option);
  addExamples(command, ["holdfast profiles"]);
  return command.action(async (flags: OutputFlags) => {
    const { byName, current } = readProfiles(process.env);
    const shown = [...byName].map(([name, { url, token }]): ShownProfile => {
      return { name, url, is_current: name === current, expires_timestamp: expiryOf(token) };
    });
    await printItems(formatOf(flags) ?? "table", shown, {
      id: ({ name }) => name,
      columns: [
        {
          name: "is_current",
          title: "",
          value: (one) => String(one.is_current),
          text: (one) => (one.is_current ? "*" : ""),
        },
        { name: "name", title: "NAME", value: (one) => one.name },
        { name: "url", title: "SERVICE", value: (one) => one.url },
        {
          name: "expires_timestamp",
          title: "TOKEN EXPIRES (UTC)",
          value: (one) => one.expires_timestamp ?? "",
          text: (one) => minute(one.expires_timestamp),
        },
      ],
    });
    if (process.env.HOLDFAST_TOKEN) explain("HOLDFAST_TOKEN is set and wins over every profile.");
  });
}

/** When a token expires, as it says itself. */
function expiryOf(token: string): string | null {
  try {
    const claims: { exp?: unknown } = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
    return typeof claims.exp === "number" ? new Date(claims.exp * 1000).toISOString() : null;
  } catch {
    return null;
  }
}

function useProfile(): Command {
  const command = new Command("use")
    .description("Choose the profile that commands use where no other is named.")
    .argument("<name>", "The profile; see: holdfast profiles");
  addExamples(command, ["holdfast profiles use lab"]);
  return command.action((name: string) => {
    const { byName } = readProfiles(process.env);
    const profile = byName.get(name);
    if (!profile) throw new Refusal(`There is no profile ${name}. See: holdfast profiles`);
    writeProfiles(process.env, { current: name, byName });
    explain(`Commands ask ${profile.url} from now on.`);
  });
}
