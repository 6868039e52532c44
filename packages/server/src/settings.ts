import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { z } from "zod";
import { type GroupRole, readGroupRoles } from "./access/group-roles";
import { isNetwork } from "./http/client-address";
import { isEmail } from "./resources/users/email";

/** A setting that cannot be used; the message tells what to write instead. */
export class SettingError extends Error {
  override readonly name = "SettingError";
}

/** Everything that an operator can set, parsed. */
export interface Settings {
  host: string;
  port: number;
  processes: number;
  data_dir: string;
  database_url: string;
  database_kind: DatabaseKind;
  database_connections: number;
  /** Seconds. */
  database_timeout: number;
  replica_url: string | undefined;
  /** Seconds. */
  replica_lag: number;
  task_retention_days: number;
  /** Undefined where it follows from host and port; see defaultBaseUrl. */
  base_url: string | undefined;
  vendor: string;
  underscore_links: boolean;
  rate_limit: number;
  page_size_default: number;
  page_size_maximum: number;
  sibling_regions: string[];
  allowed_hosts: string[];
  metrics_token: string | undefined;
  trusted_proxies: string[];
  session_idle_minutes: number;
  session_hours: number;
  oidc_issuer: string | undefined;
  oidc_client_id: string | undefined;
  oidc_client_secret: string | undefined;
  oidc_scopes: string;
  oidc_groups_claim: string;
  oidc_group_roles: GroupRole[];
  smtp_url: string | undefined;
  mail_from: string | undefined;
  secret_key: string | undefined;
  secret_key_file: string | undefined;
  drain_seconds: number;
  log_level: LogLevel;
}

export const databaseKinds = ["auto", "postgresql", "distributed"] as const;
export type DatabaseKind = (typeof databaseKinds)[number];
export const logLevels = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];
export type SettingName = keyof Settings;

interface SettingDeclaration {
  description: string;
  /** As it is shown in help and docs. */
  default: string;
  /** Names the value in help: `--port <number>`. */
  value: string;
  /** Not a flag: others on the machine can read a process's flags. */
  isSecret?: boolean;
}

/** Every setting, in the order in which help shows them. Each is `HOLDFAST_<NAME>` and `--<name>`. */
export const settingDeclarations: Record<SettingName, SettingDeclaration> = {
  host: { value: "address", default: "127.0.0.1", description: "Address to listen on." },
  port: { value: "number", default: "8080", description: "Port to listen on; 0 lets the system choose." },
  processes: {
    value: "number",
    default: "1",
    description: "How many processes answer on the port. Rate limits and metrics are each one's own.",
  },
  data_dir: { value: "folder", default: "./data", description: "Where the embedded database and the secret are kept." },
  database_url: {
    value: "url",
    default: "sqlite:<data_dir>/holdfast.db",
    description: "The database: sqlite:<path> or postgres://<user>:<password>@<host>[,<host>]/<name>.",
  },
  database_kind: {
    value: "kind",
    default: "auto",
    description: "What speaks PostgreSQL's protocol there: postgresql, distributed, or auto to ask it.",
  },
  database_connections: { value: "number", default: "10", description: "Connections to PostgreSQL per process." },
  database_timeout: {
    value: "seconds",
    default: "5",
    description: "How long PostgreSQL may work on a statement before a request is answered with 503.",
  },
  replica_url: { value: "url", default: "", description: "A replica of the PostgreSQL database to read lists from." },
  replica_lag: {
    value: "seconds",
    default: "5",
    description: "How far behind the replica may be; beyond that lists are read from the primary.",
  },
  task_retention_days: {
    value: "days",
    default: "0",
    description: "Tasks are removed a whole month at a time once all of it is older than this; 0 keeps them for good.",
  },
  base_url: {
    value: "url",
    default: "http://<host>:<port>",
    description: "Address that clients use. Tokens are bound to it: changing it makes older ones foreign.",
  },
  vendor: { value: "word", default: "svc", description: "Vendor segment of media types and of the unit header." },
  underscore_links: { value: "boolean", default: "false", description: "Also name links _self, _next and so on." },
  rate_limit: { value: "number", default: "100", description: "Requests a second per token; 0 is off." },
  page_size_default: { value: "number", default: "100", description: "Items on a page when the caller does not say." },
  page_size_maximum: { value: "number", default: "1000", description: "Items on a page at most." },
  sibling_regions: {
    value: "urls",
    default: "",
    description: "Base URLs of other control planes, with commas: their tokens are told where to go.",
  },
  allowed_hosts: {
    value: "names",
    default: "",
    description: "Further Host names to answer to, with commas; * is any. The base URL's and IP addresses always are.",
  },
  metrics_token: { value: "text", default: "", description: "Bearer token that /metrics asks for.", isSecret: true },
  trusted_proxies: {
    value: "addresses",
    default: "",
    description: "Proxies whose X-Forwarded-For tells where a request comes from: addresses or networks, with commas.",
  },
  session_idle_minutes: {
    value: "number",
    default: "720",
    description: "After how many minutes without a request somebody is signed out.",
  },
  session_hours: {
    value: "number",
    default: "168",
    description: "After how many hours somebody has to sign in again in any case.",
  },
  oidc_issuer: {
    value: "url",
    default: "",
    description: "OpenID provider that people can sign in with, such as https://login.example.org/realms/staff.",
  },
  oidc_client_id: { value: "text", default: "", description: "The id of this service at the OpenID provider." },
  oidc_client_secret: {
    value: "text",
    default: "",
    description: "The secret of this service at the OpenID provider; none for a public client.",
    isSecret: true,
  },
  oidc_scopes: {
    value: "words",
    default: "openid email profile",
    description: "What the OpenID provider is asked to tell.",
  },
  oidc_groups_claim: { value: "word", default: "groups", description: "The claim that has a person's groups." },
  oidc_group_roles: {
    value: "pairs",
    default: "",
    description:
      'Roles that groups have: <group>=<role>[@<unit id>], with commas, or JSON: {"<group>": ["<role>@<unit id>"]}.',
  },
  smtp_url: {
    value: "url",
    default: "",
    description:
      "Mail server that invitations are sent by: smtp[s]://[<user>:<password>@]<host>[:<port>]. None: no mail is sent.",
    isSecret: true,
  },
  mail_from: {
    value: "address",
    default: "",
    description: "Whom mail comes from, such as Holdfast <holdfast@example.org>; needed with smtp_url.",
  },
  secret_key: {
    value: "text",
    default: "",
    description: "Secret that seals keys in the database, 32 characters or more.",
    isSecret: true,
  },
  secret_key_file: {
    value: "file",
    default: "<data_dir>/secret.key",
    description: "File with the secret that seals keys, mode 600.",
  },
  drain_seconds: {
    value: "number",
    default: "2",
    description: "How long /readyz says 503 before the service stops listening on SIGTERM.",
  },
  log_level: { value: "level", default: "info", description: `How much is logged: ${logLevels.join(", ")}.` },
};

export const settingNames = Object.keys(settingDeclarations).filter(
  (name): name is SettingName => name in settingDeclarations,
);

const wholeNumber = (low: number, high: number) =>
  z
    .string()
    .regex(/^[0-9]+$/, `a whole number from ${low} to ${high}`)
    .transform(Number)
    .refine((number) => number >= low && number <= high, `a whole number from ${low} to ${high}`);
const boolean = z.enum(["true", "false"], "true or false").transform((text) => text === "true");
const baseUrl = z.string().transform(readBaseUrl);

function readBaseUrl(text: string, context: z.RefinementCtx): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && ["http:", "https:"].includes(url.protocol) && !url.search && !url.hash && !url.username) {
    return url.href.replace(/\/+$/, "");
  }
  context.addIssue("an address such as https://backup.example.org");
  return z.NEVER;
}

function isSmtpUrl(text: string | undefined): boolean {
  return text === undefined || (/^smtps?:\/\/[^/]/.test(text) && URL.canParse(text));
}

function isSender(text: string | undefined): boolean {
  if (text === undefined) return true;
  const address = /^[^<>\p{Cc}]*<([^<>]*)>$/u.exec(text)?.[1] ?? text;
  return isEmail(address);
}

/** An OpenID provider is asked over https, unless it is on this very machine. */
function isIssuer(text: string | undefined): boolean {
  if (text === undefined) return true;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || url.search || url.hash || url.username) return false;
  const isHere = ["127.0.0.1", "[::1]", "localhost"].includes(url.hostname);
  return url.protocol === "https:" || (url.protocol === "http:" && isHere);
}

function parseGroupRoles(text: string, context: z.RefinementCtx): GroupRole[] {
  const roles = readGroupRoles(text);
  if (roles) return roles;
  context.addIssue("pairs such as backup-admins=admin, auditors=viewer@<unit id>, or the same as JSON");
  return z.NEVER;
}

const list = <Item extends z.ZodType<unknown, string>>(item: Item) =>
  z
    .string()
    .transform((text) =>
      text
        .split(",")
        .map((part) => part.trim())
        .filter((part) => part !== ""),
    )
    .pipe(z.array(item));
const optional = z.string().transform((text) => (text === "" ? undefined : text));

const parsers = z.object({
  host: z
    .string()
    .regex(/^[^\s/]+$/, "an address such as 127.0.0.1")
    .default("127.0.0.1"),
  port: wholeNumber(0, 65535).default(8080),
  processes: wholeNumber(1, 64).default(1),
  data_dir: z
    .string()
    .min(1, "a folder")
    .default("./data")
    .transform((path) => resolve(path)),
  database_url: optional.optional(),
  database_kind: z.enum(databaseKinds, `one of ${databaseKinds.join(", ")}`).default("auto"),
  database_connections: wholeNumber(1, 1000).default(10),
  database_timeout: wholeNumber(1, 3600).default(5),
  replica_url: z
    .string()
    .refine(
      (text) => text === "" || /^postgres(ql)?:\/\//.test(text),
      "an address such as postgres://user:password@host:5432/name",
    )
    .transform((text) => (text === "" ? undefined : text))
    .optional(),
  replica_lag: wholeNumber(0, 3600).default(5),
  task_retention_days: wholeNumber(0, 36_500).default(0),
  base_url: z
    .string()
    .transform((text, context) => (text === "" ? undefined : readBaseUrl(text, context)))
    .optional(),
  vendor: z
    .string()
    .regex(/^[a-z][a-z0-9]{0,31}$/, "a word of lower-case letters and digits, such as svc")
    .default("svc"),
  underscore_links: boolean.default(false),
  rate_limit: wholeNumber(0, 1_000_000).default(100),
  page_size_default: wholeNumber(1, 10_000).default(100),
  page_size_maximum: wholeNumber(1, 10_000).default(1000),
  sibling_regions: list(baseUrl).default([]),
  allowed_hosts: list(z.string().regex(/^[^\s/]+$/, "host names with commas")).default([]),
  metrics_token: optional.optional(),
  trusted_proxies: list(z.string().refine(isNetwork, "addresses or networks, such as 10.0.0.1,10.1.0.0/16")).default(
    [],
  ),
  session_idle_minutes: wholeNumber(5, 525_600).default(720),
  session_hours: wholeNumber(1, 8_760).default(168),
  oidc_issuer: optional.refine(isIssuer, "an address such as https://login.example.org").optional(),
  oidc_client_id: optional.optional(),
  oidc_client_secret: optional.optional(),
  oidc_scopes: z
    .string()
    .regex(/^(?=.*\bopenid\b)[!-~]+( [!-~]+)*$/, "words with openid among them, such as openid email profile")
    .default("openid email profile"),
  oidc_groups_claim: z.string().min(1, "the name of a claim, such as groups").default("groups"),
  oidc_group_roles: z.string().transform(parseGroupRoles).default([]),
  smtp_url: optional.refine(isSmtpUrl, "an address such as smtps://user:password@mail.example.org").optional(),
  mail_from: optional
    .refine(isSender, "an address such as holdfast@example.org or Holdfast <holdfast@example.org>")
    .optional(),
  secret_key: optional.optional(),
  secret_key_file: optional.optional(),
  drain_seconds: wholeNumber(0, 300).default(2),
  log_level: z.enum(logLevels, `one of ${logLevels.join(", ")}`).default("info"),
});

/** Settings as they were written down, from one place. */
export type RawSettings = Partial<Record<SettingName, string>>;

/** Where settings come from; flags win over the environment, and that over the file. */
export interface SettingSources {
  flags: RawSettings;
  environment: Record<string, string | undefined>;
  /** Path of the settings file; without one, `holdfast.json` is read where it exists. Null is none at all. */
  file?: string | null | undefined;
}

/** Reads all settings, or says which one is wrong and what would be right. */
export function readSettings({ flags, environment, file }: SettingSources): Settings {
  const given: RawSettings = {
    ...readSettingsFile(file === undefined ? environment.HOLDFAST_CONFIG : file),
    ...fromEnvironment(environment),
    ...flags,
  };
  const parsed = parsers.safeParse(given);
  if (!parsed.success) {
    const wrong = parsed.error.issues.map((issue) => {
      const name = String(issue.path[0]);
      return `The setting ${name} has to be ${issue.message}.`;
    });
    throw new SettingError([...new Set(wrong)].join(" "));
  }
  const { database_url, ...others } = parsed.data;
  if (others.page_size_default > others.page_size_maximum) {
    throw new SettingError("The setting page_size_default has to be at most page_size_maximum.");
  }
  if (others.oidc_issuer !== undefined && others.oidc_client_id === undefined) {
    throw new SettingError("The setting oidc_client_id has to be given with oidc_issuer: the provider knows us by it.");
  }
  if (others.smtp_url !== undefined && others.mail_from === undefined) {
    throw new SettingError("The setting mail_from has to be given with smtp_url: mail needs an address to come from.");
  }
  const url = database_url ?? `sqlite:${others.data_dir}/holdfast.db`;
  if (others.replica_url !== undefined && !url.startsWith("postgres")) {
    throw new SettingError(
      "The setting replica_url is for PostgreSQL. Leave it out, or name a primary in database_url.",
    );
  }
  return {
    ...others,
    database_url: url,
    replica_url: others.replica_url,
    base_url: others.base_url,
    metrics_token: others.metrics_token,
    oidc_issuer: others.oidc_issuer,
    oidc_client_id: others.oidc_client_id,
    oidc_client_secret: others.oidc_client_secret,
    smtp_url: others.smtp_url,
    mail_from: others.mail_from,
    secret_key: others.secret_key,
    secret_key_file: others.secret_key_file,
  };
}

/** The address at which a service can be reached that was told nothing else. */
export function defaultBaseUrl(host: string, port: number): string {
  return new URL(`http://${host.includes(":") ? `[${host.replace(/^\[|\]$/g, "")}]` : host}:${port}`).origin;
}

function fromEnvironment(environment: Record<string, string | undefined>): RawSettings {
  const given: RawSettings = {};
  for (const name of settingNames) {
    const value = environment[`HOLDFAST_${name.toUpperCase()}`];
    if (value !== undefined && value !== "") given[name] = value;
  }
  return given;
}

/** The settings file that is read where none is named. */
export const usualSettingsFile = "holdfast.json";

/** What a settings file says; without a path, that of the usual one where it exists. */
export function readSettingsFile(path: string | null | undefined): RawSettings {
  if (path === null) return {};
  let text: string;
  try {
    text = readFileSync(path ?? usualSettingsFile, "utf8");
  } catch {
    if (path === undefined) return {};
    throw new SettingError(`The settings file ${path} cannot be read. Write one JSON object, such as {"port": 8080}.`);
  }
  const file = path ?? usualSettingsFile;
  const json = parseJson(text);
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

/** A value of the settings file as it would stand in the environment. */
function writtenOut(value: unknown): string {
  if (Array.isArray(value)) return value.join(",");
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
