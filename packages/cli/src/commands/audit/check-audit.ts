import { Command } from "commander";
import { addSettingOptions } from "../../grammar/settings-options";
import type { VerifyFlags } from "./verify-audit";

export function verifyCommand(): Command {
  const command = new Command("verify")
    .description("Check that no audit event was altered, removed, added or moved. The exit code is 1 where one was.")
    .argument("[file]", "An export to check instead of the database; - is standard input.")
    .option(
      "--jwks <file>",
      "With a file: a copy of /.well-known/jwks.json. The export has to be signed by a key in it.",
    )
    .option("--compare", "With a file: check the database, too, and that it goes on from where the export ends.")
    .addHelpText(
      "after",
      `
Without a file the database is checked, up to the end that was sealed with the secret, and that it still has the newest
event that a service on this machine has noted in audit.anchor, in data_dir. A file is checked by itself and needs no
database, unless --compare is given.

Examples:
  $ holdfast audit verify
  $ holdfast audit verify audit.ndjson --jwks jwks.json
  $ holdfast audit verify /elsewhere/last-month.ndjson --compare`,
    )
    .action(async (path: string | undefined, flags: VerifyFlags) => {
      const { verifyAudit } = await import("./verify-audit");
      await verifyAudit(command, path, flags);
    });
  return addSettingOptions(command);
}

export function exportCommand(): Command {
  const command = new Command("export")
    .description("Write all audit events to standard output, one JSON object on each line, and a signed trailer.")
    .addHelpText(
      "after",
      `
The events are checked on the way. A trail that was tampered with gets no trailer, and the exit code is 1.

Example:
  $ holdfast audit export > audit-$(date +%F).ndjson`,
    )
    .action(async () => (await import("./verify-audit")).exportAudit(command));
  return addSettingOptions(command);
}
