import { existsSync, readFileSync } from "node:fs";
import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import { anchorPath, resealAnchor } from "@holdfast/server/audit/anchor";
import { resealDatabase } from "@holdfast/server/installation/reseal";
import { createSealer } from "@holdfast/server/secrets/seal";
import { acceptSecret, adoptSecret, makeSecret, secretPath, stageSecret } from "@holdfast/server/secrets/secret-key";
import type { Command } from "commander";
import { UsageError } from "../../grammar/usage-error";
import { openForCommand } from "../../local/open-for-command";
import { recordCommand } from "../../local/record-command";
import { newSecretVariable as variable } from "./new-secret-variable";

/** Seals everything with a new secret. */
export function resealKeys(command: Command, { newSecretFile }: { newSecretFile?: string }): Promise<void> {
  return openForCommand(command, async ({ database, sealer, settings, now }) => {
    const path = secretPath({
      secretKey: settings.secret_key,
      secretKeyFile: settings.secret_key_file,
      dataDir: settings.data_dir,
    });
    const given = givenSecret(process.env[variable], newSecretFile);
    if (path === undefined && given === undefined) {
      throw new UsageError(`The secret is in HOLDFAST_SECRET_KEY. Give the new one in ${variable}, or name a file.`);
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
  });
}

function givenSecret(inEnvironment: string | undefined, file: string | undefined): string | undefined {
  if (file === undefined) return inEnvironment?.trim();
  if (!existsSync(file)) {
    throw new UsageError(
      `There is no file ${file}. Make it with: openssl rand -base64 48 > ${file} && chmod 600 ${file}`,
    );
  }
  return readFileSync(file, "utf8").trim();
}
