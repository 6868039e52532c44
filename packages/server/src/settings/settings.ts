import { closeSync, existsSync, fstatSync, openSync, readFileSync } from "node:fs";
import { hostname } from "node:os";
import { parseJson } from "@holdfast/api/conventions/parse-json";
import { type SettingName, type Settings, settingDeclarations, settingNames } from "./declarations";
import { isExecutable } from "./executable";
import { findJsonFault } from "./json-fault";
import { bracketed, isUnspecified } from "./loopback";
import { UnusableText } from "./parsers";

/** A setting that cannot be used; the message says what to write instead. */
export class SettingError extends Error {
  override readonly name = "SettingError";
}

/** Settings as they were written down, from one place. */
export type RawSettings = Partial<Record<SettingName, string>>;

/** Where settings come from; flags win over the environment, and that over the file. */
export interface SettingSources {
  flags: RawSettings;
  environment: Record<string, string | undefined>;
  /** Path of the settings file; without one, the usual file is read where it exists. Null is none at all. */
  file?: string | null | undefined;
}

/** Reads all settings, or says which one is wrong and what would be right. */
export function readSettings({ flags, environment, file }: SettingSources): Settings {
  const given: RawSettings = {
    ...readSettingsFile(file === undefined ? environment.HOLDFAST_CONFIG : file),
    ...fromEnvironment(environment),
    ...flags,
  };
  const settings = parseSettings(given);
  if (settings.page_size_default > settings.page_size_maximum) {
    throw new SettingError("The setting page_size_default has to be at most page_size_maximum.");
  }
  if (settings.oidc_issuer !== undefined && settings.oidc_client_id === undefined) {
    throw new SettingError("The setting oidc_client_id has to be given with oidc_issuer: the provider knows us by it.");
  }
  if (settings.smtp_url !== undefined && settings.mail_from === undefined) {
    throw new SettingError("The setting mail_from has to be given with smtp_url: mail needs an address to come from.");
  }
  return { ...settings, database_url: settings.database_url || `sqlite:${settings.data_dir}/holdfast.db` };
}

/** Parses every setting, and says all that are wrong. */
function parseSettings(given: RawSettings): Settings {
  const parsed: Partial<Settings> = {};
  const wrong: string[] = [];
  function parse<Name extends SettingName>(name: Name): void {
    const { parse, isDerived, default: standard = "" } = settingDeclarations[name];
    try {
      parsed[name] = parse(given[name] ?? (isDerived ? "" : standard));
    } catch (error) {
      if (!(error instanceof UnusableText)) throw error;
      wrong.push(`The setting ${name} has to be ${error.message}.`);
    }
  }
  for (const name of settingNames) parse(name);
  if (!isComplete(parsed)) throw new SettingError(wrong.join(" "));
  return parsed;
}

function isComplete(parsed: Partial<Settings>): parsed is Settings {
  return settingNames.every((name) => name in parsed);
}

/** The base URL of a service without the setting base_url. All addresses of a machine are none that could be called. */
export function defaultBaseUrl(host: string, port: number): string {
  if (isUnspecified(host)) throw new SettingError(missingBaseUrl(host, port));
  return new URL(`http://${bracketed(host)}:${port}`).origin;
}

/** Refuses settings that leave open by which address the service is called, before anything is opened or made. */
export function requireBaseUrl({ base_url, host, port }: Pick<Settings, "base_url" | "host" | "port">): void {
  if (base_url === undefined) defaultBaseUrl(host, port);
}

function missingBaseUrl(host: string, port: number): string {
  return `The host ${host} is all addresses of this machine, and links and tokens need the one that other hosts use. Set base_url (HOLDFAST_BASE_URL) to it: that of a proxy with TLS, such as https://backup.example.org, or without one --base-url http://${hostname()}:${port} if other hosts know this machine by that name.`;
}

function fromEnvironment(environment: Record<string, string | undefined>): RawSettings {
  const given: RawSettings = {};
  for (const name of settingNames) {
    const value = environment[`HOLDFAST_${name.toUpperCase()}`];
    if (value !== undefined && value !== "") given[name] = value;
  }
  return given;
}

/** The settings file in the working folder. */
const folderSettingsFile = "holdfast.json";
/** That of the service of a machine. From sources it is not read: there, developers try another one. */
const machineSettingsFile = isExecutable ? "/etc/holdfast/holdfast.json" : undefined;

/** The settings file that is read where none is named: that of the working folder, else that of the machine. */
export function defaultSettingsFile(ofMachine = machineSettingsFile): string {
  const isOfMachine = ofMachine !== undefined && !existsSync(folderSettingsFile) && existsSync(ofMachine);
  return isOfMachine ? ofMachine : folderSettingsFile;
}

/** Reads a settings file; without a path, the default one if it exists. */
export function readSettingsFile(path: string | null | undefined, ofMachine = machineSettingsFile): RawSettings {
  if (path === null) return {};
  const file = path ?? defaultSettingsFile(ofMachine);
  let text: string;
  try {
    text = file === folderSettingsFile && path === undefined ? readFolderFile() : readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof SettingError) throw error;
    if (path === undefined && file === folderSettingsFile) return {};
    if (path === undefined) throw new SettingError(notReadable(file));
    throw new SettingError(`The settings file ${path} cannot be read. Write one JSON object, such as {"port": 8080}.`);
  }
  // Some editors write a byte order mark, which is no part of the text.
  const json = parseFile(text.replace(/^\uFEFF/, ""), file);
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    throw new SettingError(`The settings file ${file} has to be one JSON object, such as {"port": 8080}.`);
  }
  const given: RawSettings = {};
  for (const [key, value] of Object.entries(json)) {
    const name = settingNames.find((candidate) => candidate === key);
    if (!name)
      throw new SettingError(
        `The settings file ${file} has an unknown setting ${JSON.stringify(key)}. Known are ${settingNames.join(", ")}.`,
      );
    given[name] = writtenOut(value);
  }
  return given;
}

function parseFile(text: string, file: string): unknown {
  const json = parseJson(text);
  const fault = json === undefined && /^\s*\{/.test(text) ? findJsonFault(text) : undefined;
  if (!fault) return json;
  const { line, column, expected } = fault;
  throw new SettingError(
    `The settings file ${file} is no JSON from line ${line}, column ${column} on: there has to be ${expected}.`,
  );
}

function notReadable(file: string): string {
  return `This user may not read ${file}, the settings of the service on this machine. Run the command with sudo, or name other settings with --config.`;
}

/** Reads the file of the folder. In one that others write to, such as /tmp, it could be anyone's. */
function readFolderFile(): string {
  const file = openSync(folderSettingsFile, "r");
  try {
    const { uid, mode } = fstatSync(file);
    const isOurs = uid === 0 || uid === process.getuid?.();
    if (isOurs && (mode & 0o002) === 0) return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
  throw new SettingError(
    `The settings file ${folderSettingsFile} in this folder is another user's, or others can write to it. Name it with --config ./${folderSettingsFile} if you trust it, else start the command in another folder.`,
  );
}

/** A value of the settings file as it would stand in the environment. */
function writtenOut(value: unknown): string {
  if (Array.isArray(value)) return value.join(",");
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
}
