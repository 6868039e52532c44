import { statSync } from "node:fs";
import { userInfo } from "node:os";
import { resolve } from "node:path";
import { settingDeclarations, settingNames } from "./declarations";
import { hasPassword } from "./has-password";
import { readSettingsFile } from "./settings";

/** The warning for secrets that others can read. */
export interface ExposedSecrets {
  message: string;
  remedy: string;
}

/** Looks whether a settings file holds a secret and can be read by others than those who need to. */
export function findExposedSecrets(file: string): ExposedSecrets | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found) return undefined;
  const { username, uid } = userInfo();
  const isOurs = found.uid === uid;
  // A file of another owner may be readable through its group.
  if ((found.mode & (isOurs ? 0o044 : 0o004)) === 0) return undefined;
  const given = readSettingsFile(file);
  const names = settingNames.filter((name) => {
    const value = given[name] ?? "";
    return settingDeclarations[name].isSecret ? value !== "" : hasPassword(value);
  });
  if (names.length === 0) return undefined;
  const path = resolve(file);
  return {
    message: `The settings file holds secrets (${names.join(", ")}) and is readable by others.`,
    remedy: `Run: ${isOurs ? "" : `chown ${username} ${path} && `}chmod 600 ${path}`,
  };
}
