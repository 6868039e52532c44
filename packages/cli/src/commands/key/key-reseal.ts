import { Command } from "commander";
import { addSettingOptions } from "../../grammar/settings-options";
import { newSecretVariable as variable } from "./new-secret-variable";

export function resealCommand(): Command {
  const command = new Command("reseal")
    .description("Change the secret that seals the private keys, and seal them with the new one. Tokens stay valid.")
    .option("--new-secret-file <file>", "Where the new secret is read from. (default: a new one is made)")
    .addHelpText(
      "after",
      `
The new secret comes from ${variable}, from the file, or is made. Where the old one is in a file, the new one takes its
place there; where it is in HOLDFAST_SECRET_KEY, set that to the new one yourself. Stop the services before, or restart
them afterwards: until then they answer, but refuse every change with 503. Backups of the database that were made before
need the old secret.

Example:
  $ holdfast key reseal --new-secret-file /etc/holdfast/new-secret.key`,
    )
    .action(async (flags: { newSecretFile?: string }) => (await import("./reseal-keys")).resealKeys(command, flags));
  return addSettingOptions(command);
}
