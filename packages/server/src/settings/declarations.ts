import type { GroupRole } from "./group-roles";

/** Everything that an operator can set, parsed. */
export interface Settings {
  host: string;
  port: number;
  processes: number;
  data_dir: string;
  database_url: string;
  upgrade_backup: boolean;
  database_kind: DatabaseKind;
  database_connections: number;
  /** Seconds. */
  database_timeout: number;
  replica_url: string | undefined;
  /** Seconds. */
  replica_lag: number;
  task_retention_days: number;
  stale_after_days: number;
  /** Bytes. */
  task_log_limit: number;
  log_retention_days: number;
  log_retention_days_failed: number;
  watch_limit: number;
  token_limit: number;
  metrics_monitor_limit: number;
  /** Undefined where it follows from host and port; see defaultBaseUrl. */
  base_url: string | undefined;
  /** Base URLs that the service had before. */
  base_url_aliases: string[];
  /** Days for which a service token can renew itself after a person issued it; 0 disables renewal. */
  token_renewal_days: number;
  vendor: string;
  underscore_links: boolean;
  rate_limit: number;
  page_size_default: number;
  page_size_maximum: number;
  sibling_regions: string[];
  allowed_hosts: string[];
  metrics_token: string | undefined;
  metrics_listen: MetricsAddress | undefined;
  trusted_proxies: string[];
  session_idle_minutes: number;
  session_hours: number;
  oidc_issuer: string | undefined;
  oidc_client_id: string | undefined;
  oidc_client_secret: string | undefined;
  /** Undefined where it follows from the issuer. */
  oidc_name: string | undefined;
  oidc_scopes: string;
  oidc_groups_claim: string;
  oidc_group_roles: GroupRole[];
  smtp_url: string | undefined;
  mail_from: string | undefined;
  /** Host names and networks. */
  webhook_allowed_targets: string[];
  secret_key: string | undefined;
  secret_key_file: string | undefined;
  drain_seconds: number;
  log_level: LogLevel;
}

/** Where metrics have a port of their own. */
export interface MetricsAddress {
  host: string;
  port: number;
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
    description: "Number of processes that serve the port. Rate limits are per process.",
  },
  data_dir: { value: "folder", default: "./data", description: "Folder of the embedded database and the secret." },
  database_url: {
    value: "url",
    default: "sqlite:<data_dir>/holdfast.db",
    description:
      "The database: sqlite:<path> or postgres://<user>:<password>@<host>[,<host>]/<name>; as a flag, without the password.",
  },
  upgrade_backup: {
    value: "boolean",
    default: "true",
    description: "Copy an SQLite database to <database>-before-upgrade before a new version migrates it.",
  },
  database_kind: {
    value: "kind",
    default: "auto",
    description: "Kind of server: postgresql, distributed, or auto to detect it.",
  },
  database_connections: { value: "number", default: "10", description: "Connections to PostgreSQL per process." },
  database_timeout: {
    value: "seconds",
    default: "5",
    description:
      "How long PostgreSQL may work on a statement, and a list on what its filter matches, before a request is answered with 503.",
  },
  replica_url: { value: "url", default: "", description: "A replica of the PostgreSQL database to read lists from." },
  replica_lag: {
    value: "seconds",
    default: "5",
    description: "Longest lag of the replica, in seconds; beyond that lists are read from the primary.",
  },
  task_retention_days: {
    value: "days",
    default: "0",
    description: "Number of days to keep tasks; whole months are deleted. 0 keeps all tasks.",
  },
  stale_after_days: {
    value: "days",
    default: "7",
    description:
      "Number of days without a good backup after which a protected item that no monitor watches is stale, unless its unit says otherwise. 0 is never.",
  },
  task_log_limit: {
    description: "How many bytes of the log of each task are kept: its first quarter and its last three. 0 keeps none.",
    value: "bytes",
    default: "1048576",
  },
  log_retention_days: {
    description:
      "How many days the logs of tasks that ended with success are kept. 0 keeps them as long as their tasks.",
    value: "days",
    default: "30",
  },
  watch_limit: {
    value: "streams",
    default: "2000",
    description: "How many streams of tasks a process serves at a time.",
  },
  token_limit: {
    value: "tokens",
    default: "1000",
    description:
      "How many service tokens that are good an organizational unit may have, those of the units below it included; the root counts its own.",
  },
  metrics_monitor_limit: {
    value: "monitors",
    default: "200",
    description:
      "Up to how many monitors metrics have a series for each. Above that, and with 0, they only count monitors by state.",
  },
  log_retention_days_failed: {
    description: "How many days the logs of all other tasks are kept. 0 keeps them as long as their tasks.",
    value: "days",
    default: "180",
  },
  base_url: {
    value: "url",
    default: "http://<host>:<port>",
    description:
      "Address that clients use. Links and new tokens have it. After a change, name the former one in base_url_aliases.",
  },
  base_url_aliases: {
    value: "urls",
    default: "",
    description:
      "Addresses that the service had before, or has as well, with commas: tokens issued for them are valid.",
  },
  token_renewal_days: {
    value: "days",
    default: "730",
    description: "For how many days after it was given a service token can renew itself. 0: not at all.",
  },
  vendor: { value: "word", default: "svc", description: "Vendor segment of media types and of the unit header." },
  underscore_links: { value: "boolean", default: "false", description: "Also name links _self, _next and so on." },
  rate_limit: {
    value: "number",
    default: "500",
    description: "Requests a second per person and per service, with bursts to twice as many; 0 is off.",
  },
  page_size_default: { value: "number", default: "100", description: "Items on a page without the parameter limit." },
  page_size_maximum: { value: "number", default: "1000", description: "Largest number of items on a page." },
  sibling_regions: {
    value: "urls",
    default: "",
    description: "Base URLs of other control planes, with commas: the refusal of their tokens names the right one.",
  },
  allowed_hosts: {
    value: "names",
    default: "",
    description:
      "Further Host names to accept, with commas; * is any. The base URL's and IP addresses are always accepted.",
  },
  metrics_token: {
    value: "text",
    default: "",
    description:
      "Bearer token that /metrics asks for. Without one, it is there only while base_url and host are this machine.",
    isSecret: true,
  },
  metrics_listen: {
    value: "address",
    default: "",
    description: "Address and port for /metrics alone, such as 127.0.0.1:9464. None: only beside the API.",
  },
  trusted_proxies: {
    value: "addresses",
    default: "",
    description: "Proxies whose X-Forwarded-For is trusted: addresses or networks, with commas.",
  },
  session_idle_minutes: {
    value: "number",
    default: "720",
    description: "Minutes without a request after which a session ends.",
  },
  session_hours: {
    value: "number",
    default: "168",
    description: "Hours after which a session ends in any case.",
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
  oidc_name: {
    value: "text",
    default: "",
    description: "What people know the OpenID provider as, for the sign-in page; by default the host of oidc_issuer.",
  },
  oidc_scopes: {
    value: "words",
    default: "openid email profile",
    description: "The scopes to request from the OpenID provider.",
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
      "Mail server that invitations and notifications are sent by: smtp[s]://[<user>:<password>@]<host>[:<port>]. None: no mail is sent.",
    isSecret: true,
  },
  mail_from: {
    value: "address",
    default: "",
    description: "Sender of mail, such as Holdfast <holdfast@example.org>; needed with smtp_url.",
  },
  webhook_allowed_targets: {
    value: "names",
    default: "",
    description:
      "Hosts and networks that webhooks may send to although they are not on the internet, also without TLS: names, addresses or networks, with commas.",
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
    description: "Seconds for which /readyz returns 503 on SIGTERM before the service stops listening.",
  },
  log_level: { value: "level", default: "info", description: `Log level: ${logLevels.join(", ")}.` },
};

export const settingNames = Object.keys(settingDeclarations).filter(
  (name): name is SettingName => name in settingDeclarations,
);
