import { existsSync, readFileSync } from "node:fs";
import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import { anchorPath, resealAnchor } from "@holdfast/server/audit/anchor";
import { resealDatabase } from "@holdfast/server/installation/reseal";
import { createSealer } from "@holdfast/server/secrets/seal";
import { acceptSecret, adoptSecret, makeSecret, secretPath, stageSecret } from "@holdfast/server/secrets/secret-key";
import { Command } from "commander";
import { openForCommand } from "../open-for-command";
import { recordCommand } from "../record-command";
import { addSettingOptions } from "../settings-options";
import { WrongUse } from "../wrong-use";

const variable = "HOLDFAST_NEW_SECRET_KEY";

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
need the old secret.`,
    )
    .action(({ newSecretFile }: { newSecretFile?: string }) =>
      openForCommand(command, async ({ database, sealer, settings, now }) => {
        const path = secretPath({
          secretKey: settings.secret_key,
          secretKeyFile: settings.secret_key_file,
          dataDir: settings.data_dir,
        });
        const given = givenSecret(process.env[variable], newSecretFile);
        if (path === undefined && given === undefined) {
          throw new WrongUse(`The secret is in HOLDFAST_SECRET_KEY. Give the new one in ${variable}, or name a file.`);
        }
        const secret = given ?? makeSecret();
        const next = createSealer(acceptSecret(secret, newSecretFile ?? variable));
        await database.change(async (db) => {
          await resealDatabase(db, {
            from: sealer,
            to: next,
            stage: () => path !== undefined && stageSecret(path, secret),
          });
          const action = { operation: "reseal-keys", object: null, unitId: rootUnitId };
          await recordCommand(db, { sealer: next, now }, action);
        });
        if (path !== undefined) adoptSecret(path, secret);
        process.stderr.write(
          path === undefined
            ? "Everything is sealed with the new secret. Set HOLDFAST_SECRET_KEY to it, and restart every service.\n"
            : `Everything is sealed with the new secret, which is in ${path}. Restart every service.\n`,
        );
        await resealAnchor(anchorPath(settings.data_dir), sealer, next);
      }),
    );
  return addSettingOptions(command);
}

function givenSecret(inEnvironment: string | undefined, file: string | undefined): string | undefined {
  if (file === undefined) return inEnvironment?.trim();
  if (!existsSync(file)) {
    throw new WrongUse(
      `There is no file ${file}. Make it with: openssl rand -base64 48 > ${file} && chmod 600 ${file}`,
    );
  }
  return readFileSync(file, "utf8").trim();
}
