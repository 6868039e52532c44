import { resolve } from "node:path";
import { isNetwork } from "./network";
import {
  anyText,
  baseUrl,
  boolean,
  groupRoles,
  isIssuer,
  isSender,
  isShortLine,
  isSmtpUrl,
  isTarget,
  list,
  matching,
  metricsAddress,
  oneOf,
  optional,
  type Parser,
  reachableUrl,
  satisfying,
  wholeNumber,
} from "./parsers";

export const logLevels = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

interface SettingDeclaration<Value> {
  parse: Parser<Value>;
  /** The text that is parsed if none is given, as help and docs show it. If left out, "" is parsed. */
  default?: string;
  /** Set if the default follows from other settings: the text shows how, and "" is parsed. */
  isDerived?: boolean;
  description: string;
  /** Names the value in help: `--port <number>`. */
  value: string;
  /** Not a flag: others on the machine can read a process's flags. */
  isSecret?: boolean;
}

/** Every setting, in the order in which help shows them. Each is `HOLDFAST_<NAME>` and `--<name>`. */
const declarations = {
  host: {
    parse: matching(/^[^\s/]+$/, "an address such as 127.0.0.1"),
    value: "address",
    default: "127.0.0.1",
    description: "Address to listen on.",
  },
  port: {
    parse: wholeNumber(0, 65535),
    value: "number",
    default: "8080",
    description: "Port to listen on; 0 lets the system choose.",
  },
  processes: {
    parse: wholeNumber(1, 64),
    value: "number",
    default: "1",
    description: "Number of processes that serve the port. Rate limits are per process.",
  },
  data_dir: {
    parse: (text) => resolve(matching(/./s, "a folder")(text)),
    value: "folder",
    default: "./data",
    description: "Folder of the embedded database and the secret.",
  },
  database_url: {
    parse: anyText,
    isDerived: true,
    value: "url",
    default: "sqlite:<data_dir>/holdfast.db",
    description:
      "The database: sqlite:<path> or postgres://<user>:<password>@<host>[,<host>]/<name>; as a flag, without the password.",
  },
  upgrade_backup: {
    parse: boolean,
    value: "boolean",
    default: "true",
    description: "Copy an SQLite database to <database>-before-upgrade before a new version migrates it.",
  },
  database_connections: {
    parse: wholeNumber(1, 1000),
    value: "number",
    default: "10",
    description: "Connections to PostgreSQL per process.",
  },
  database_timeout: {
    parse: wholeNumber(1, 3600),
    value: "seconds",
    default: "5",
    description:
      "How long PostgreSQL may work on a statement, and a list on what its filter matches, before a request is answered with 503.",
  },
  task_retention_days: {
    parse: wholeNumber(0, 36_500),
    value: "days",
    default: "0",
    description: "Number of days to keep tasks; whole months are deleted. 0 keeps all tasks.",
  },
  stale_after_days: {
    parse: wholeNumber(0, 3_650),
    value: "days",
    default: "7",
    description:
      "Number of days without a good backup after which a protected item that no monitor watches is stale, unless its unit says otherwise. 0 is never.",
  },
  task_log_limit: {
    parse: wholeNumber(0, 67_108_864),
    description: "How many bytes of the log of each task are kept: its first quarter and its last three. 0 keeps none.",
    value: "bytes",
    default: "1048576",
  },
  log_retention_days: {
    parse: wholeNumber(0, 36_500),
    description:
      "How many days the logs of tasks that ended with success are kept. 0 keeps them as long as their tasks.",
    value: "days",
    default: "30",
  },
  watch_limit: {
    parse: wholeNumber(0, 100_000),
    value: "streams",
    default: "2000",
    description: "How many streams of tasks a process serves at a time.",
  },
  token_limit: {
    parse: wholeNumber(1, 1_000_000),
    value: "tokens",
    default: "1000",
    description:
      "How many service tokens that are good an organizational unit may have, those of the units below it included; the root counts its own.",
  },
  metrics_monitor_limit: {
    parse: wholeNumber(0, 10_000),
    value: "monitors",
    default: "200",
    description:
      "Up to how many monitors metrics have a series for each. Above that, and with 0, they only count monitors by state.",
  },
  log_retention_days_failed: {
    parse: wholeNumber(0, 36_500),
    description: "How many days the logs of all other tasks are kept. 0 keeps them as long as their tasks.",
    value: "days",
    default: "180",
  },
  base_url: {
    parse: optional(reachableUrl),
    isDerived: true,
    value: "url",
    default: "http://<host>:<port>",
    description:
      "Address that clients use. Links and new tokens have it. After a change, name the former one in base_url_aliases.",
  },
  base_url_aliases: {
    parse: list(baseUrl),
    value: "urls",
    description:
      "Addresses that the service had before, or has as well, with commas: tokens issued for them are valid.",
  },
  token_renewal_days: {
    parse: wholeNumber(0, 36_500),
    value: "days",
    default: "730",
    description: "For how many days after it was given a service token can renew itself. 0: not at all.",
  },
  vendor: {
    parse: matching(/^[a-z][a-z0-9]{0,31}$/, "a word of lower-case letters and digits, such as svc"),
    value: "word",
    default: "svc",
    description: "Vendor segment of media types and of the unit header.",
  },
  underscore_links: {
    parse: boolean,
    value: "boolean",
    default: "false",
    description: "Also name links _self, _next and so on.",
  },
  rate_limit: {
    parse: wholeNumber(0, 1_000_000),
    value: "number",
    default: "500",
    description: "Requests a second per person and per service, with bursts to twice as many; 0 is off.",
  },
  page_size_default: {
    parse: wholeNumber(1, 10_000),
    value: "number",
    default: "100",
    description: "Items on a page without the parameter limit.",
  },
  page_size_maximum: {
    parse: wholeNumber(1, 10_000),
    value: "number",
    default: "1000",
    description: "Largest number of items on a page.",
  },
  sibling_regions: {
    parse: list(baseUrl),
    value: "urls",
    description: "Base URLs of other control planes, with commas: the refusal of their tokens names the right one.",
  },
  allowed_hosts: {
    parse: list(matching(/^[^\s/]+$/, "host names with commas")),
    value: "names",
    description:
      "Further Host names to accept, with commas; * is any. The base URL's and IP addresses are always accepted.",
  },
  metrics_token: {
    parse: optional(anyText),
    value: "text",
    description:
      "Bearer token that /metrics asks for. Without one, it is there only while base_url and host are this machine.",
    isSecret: true,
  },
  metrics_listen: {
    parse: optional(metricsAddress),
    value: "address",
    description: "Address and port for /metrics alone, such as 127.0.0.1:9464. None: only beside the API.",
  },
  trusted_proxies: {
    parse: list(satisfying(isNetwork, "addresses or networks, such as 10.0.0.1,10.1.0.0/16")),
    value: "addresses",
    description: "Proxies whose X-Forwarded-For is trusted: addresses or networks, with commas.",
  },
  session_idle_minutes: {
    parse: wholeNumber(5, 525_600),
    value: "number",
    default: "720",
    description: "Minutes without a request after which a session ends.",
  },
  session_hours: {
    parse: wholeNumber(1, 8_760),
    value: "number",
    default: "168",
    description: "Hours after which a session ends in any case.",
  },
  oidc_issuer: {
    parse: optional(satisfying(isIssuer, "an address such as https://login.example.org")),
    value: "url",
    description: "OpenID provider that people can sign in with, such as https://login.example.org/realms/staff.",
  },
  oidc_client_id: {
    parse: optional(anyText),
    value: "text",
    description: "The id of this service at the OpenID provider.",
  },
  oidc_client_secret: {
    parse: optional(anyText),
    value: "text",
    description: "The secret of this service at the OpenID provider; none for a public client.",
    isSecret: true,
  },
  oidc_name: {
    parse: optional(satisfying(isShortLine, "a name on one line, of at most 100 characters")),
    value: "text",
    description: "What people know the OpenID provider as, for the sign-in page; by default the host of oidc_issuer.",
  },
  oidc_scopes: {
    parse: matching(/^(?=.*\bopenid\b)[!-~]+( [!-~]+)*$/, "words with openid among them, such as openid email profile"),
    value: "words",
    default: "openid email profile",
    description: "The scopes to request from the OpenID provider.",
  },
  oidc_groups_claim: {
    parse: matching(/./s, "the name of a claim, such as groups"),
    value: "word",
    default: "groups",
    description: "The claim that has a person's groups.",
  },
  oidc_group_roles: {
    parse: groupRoles,
    value: "pairs",
    description:
      'Roles that groups have: <group>=<role>[@<unit id>], with commas, or JSON: {"<group>": ["<role>@<unit id>"]}.',
  },
  smtp_url: {
    parse: optional(satisfying(isSmtpUrl, "an address such as smtps://user:password@mail.example.org")),
    value: "url",
    description:
      "Mail server that invitations and notifications are sent by: smtp[s]://[<user>:<password>@]<host>[:<port>]. None: no mail is sent.",
    isSecret: true,
  },
  mail_from: {
    parse: optional(satisfying(isSender, "an address such as holdfast@example.org or Holdfast <holdfast@example.org>")),
    value: "address",
    description: "Sender of mail, such as Holdfast <holdfast@example.org>; needed with smtp_url.",
  },
  webhook_allowed_targets: {
    parse: list(satisfying(isTarget, "host names, addresses or networks, such as ntfy.lan,10.1.0.0/16")),
    value: "names",
    description:
      "Hosts and networks that webhooks may send to although they are not on the internet, also without TLS: names, addresses or networks, with commas.",
  },
  secret_key: {
    parse: optional(anyText),
    value: "text",
    description: "Secret that seals keys in the database, 32 characters or more.",
    isSecret: true,
  },
  secret_key_file: {
    parse: optional(anyText),
    isDerived: true,
    value: "file",
    default: "<data_dir>/secret.key",
    description: "File with the secret that seals keys, mode 600.",
  },
  drain_seconds: {
    parse: wholeNumber(0, 300),
    value: "number",
    default: "2",
    description: "Seconds for which /readyz returns 503 on SIGTERM before the service stops listening.",
  },
  log_level: {
    parse: oneOf(logLevels),
    value: "level",
    default: "info",
    description: `Log level: ${logLevels.join(", ")}.`,
  },
} satisfies Record<string, SettingDeclaration<unknown>>;

/** Everything that an operator can set, parsed. */
export type Settings = { [Name in keyof typeof declarations]: ReturnType<(typeof declarations)[Name]["parse"]> };
export type SettingName = keyof Settings;

export const settingDeclarations: { [Name in SettingName]: SettingDeclaration<Settings[Name]> } = declarations;

export const settingNames = Object.keys(settingDeclarations).filter(
  (name): name is SettingName => name in settingDeclarations,
);
