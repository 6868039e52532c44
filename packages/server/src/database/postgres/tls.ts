import { readFileSync } from "node:fs";
import type { ConnectionOptions } from "node:tls";
import { errorMessage } from "@holdfast/api/conventions/error-message";
import { SettingError } from "../../settings/settings";
import type { ServerAddress } from "./url";

const modes = ["disable", "require", "verify-ca", "verify-full"] as const;
const files = ["sslrootcert", "sslcert", "sslkey"] as const;

/**
 * Encryption of a connection, with the meanings that PostgreSQL's own programs give the words; undefined where the
 * address does not say, which is: not at all.
 */
export function readEncryption({ parameters }: ServerAddress): ConnectionOptions | false | undefined {
  const { sslmode } = parameters;
  const file = files.find((name) => parameters[name] !== undefined);
  if (sslmode === undefined) {
    if (file === undefined) return undefined;
    throw new SettingError(
      `The address of the database has ${file}, but nothing is encrypted without sslmode. Add it.`,
    );
  }
  const mode = modes.find((known) => known === sslmode);
  if (mode === undefined) {
    throw new SettingError(
      `The address of the database has an sslmode ${JSON.stringify(sslmode)} that is not known. Known are ${modes.join(", ")}; without any, nothing is encrypted.`,
    );
  }
  if (mode === "disable") return false;
  if (mode === "verify-ca" && parameters.sslrootcert === undefined) {
    throw new SettingError("sslmode=verify-ca needs the authority's certificate. Name its file with sslrootcert.");
  }
  const [ca, cert, key] = files.map((name) => readNamed(name, parameters[name]));
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    // An authority that is named has to be checked.
    ...(mode === "require" && ca === undefined ? { rejectUnauthorized: false } : {}),
    ...(mode === "verify-full" ? {} : { checkServerIdentity: () => undefined }),
  };
}

function readNamed(name: string, path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const reason = errorMessage(error);
    throw new SettingError(`The file of ${name} cannot be read (${reason}). Correct the address of the database.`);
  }
}
