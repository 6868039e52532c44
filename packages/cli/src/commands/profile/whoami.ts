import type { ItemOf } from "@holdfast/client";
import { Command } from "commander";
import type { LocalPlane } from "../../connection/connection";
import { withConnection } from "../../connection/with-connection";
import { addConnectionOptions, addUnitOption } from "../../grammar/connection-options";
import { addExamples } from "../../grammar/noun";
import { actingIn } from "../../lookups/units";
import { ago, minute } from "../../output/moments";
import { formatOf, type OutputFlags, outputOptions } from "../../output/output-format";
import { printItem, stdoutStyle } from "../../output/print-items";
import { formatFacts } from "../../output/table";
import { writeLine } from "../../output/write";
import { nameOf } from "./login";

/** Who calls, where, until when, and with which permissions. */
type Identity = Omit<ItemOf<"caller", "read-caller">, "_links" | "kind" | "base_url" | "base_url_aliases"> & {
  kind: string;
  url: string;
  profile: string | null;
};

export function whoamiCommand(): Command {
  const command = new Command("whoami").description("Show who you are, where, until when, and what you may do there.");
  for (const option of outputOptions("table")) command.addOption(option);
  addUnitOption(command, "Where to look. (default: the unit of the token)");
  addExamples(command, ["holdfast whoami", "holdfast whoami -o json | jq -r '.permissions[]'"]);
  command.action((flags: OutputFlags & { unit?: string }) =>
    withConnection(command, async ({ client: unscoped, local, profile = null }) => {
      const client = await actingIn(unscoped, flags.unit);
      const identity = local
        ? await operator(local)
        : { ...(await client.caller.read()), url: client.baseUrl, profile };
      const format = formatOf(flags) ?? "table";
      if (format !== "table") return printItem(format, identity, { id: idOf });
      for (const line of formatFacts(factsOf(identity), stdoutStyle())) await writeLine(line);
    }),
  );
  return addConnectionOptions(command);
}

/** Who works on the data of this machine can do everything. */
async function operator({ where }: LocalPlane): Promise<Identity> {
  const [{ permissions }, { rootUnitId }] = await Promise.all([
    import("@holdfast/api/conventions/permissions"),
    import("@holdfast/api/conventions/root-unit"),
  ]);
  return {
    kind: "command_line",
    user: null,
    token: null,
    organizational_unit: { id: rootUnitId, name: "Root" },
    permissions: Object.keys(permissions).sort(),
    url: where,
    profile: null,
  };
}

function idOf({ user, token, kind }: Identity): string {
  return user?.id ?? token?.id ?? kind;
}

function factsOf(identity: Identity): [string, string][] {
  const { kind, token, user, url, profile, organizational_unit: unit, permissions } = identity;
  const isLocal = kind === "command_line";
  const who = isLocal ? "the operator of this machine" : nameOf(identity);
  return [
    ["Who", who],
    ["Where", isLocal ? `${url} (--local)` : `${url}${profile === null ? "" : `, profile ${profile}`}`],
    ["Unit", `${unit.name} (${unit.id})`],
    ["With", token ? `the ${kind} token ${token.name}` : user ? "a session" : "the data itself"],
    ["Until", token ? `${minute(token.expires_timestamp)} UTC, ${ago(token.expires_timestamp, Date.now())}` : "-"],
    ["May", permissions.join(", ") || "nothing here"],
  ];
}
