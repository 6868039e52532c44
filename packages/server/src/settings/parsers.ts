import { resolve } from "node:path";
import { cleanLine } from "@holdfast/api/conventions/clean-line";
import { isEmail } from "@holdfast/api/conventions/email";
import { z } from "zod";
import { databaseKinds, logLevels, type MetricsAddress } from "./declarations";
import { type GroupRole, readGroupRoles } from "./group-roles";
import { isUnspecified } from "./loopback";
import { isNetwork } from "./network";

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

function readMetricsAddress(text: string, context: z.RefinementCtx): MetricsAddress | undefined {
  if (text === "") return undefined;
  const [, host = "127.0.0.1", port] = /^(?:([^\s/:]+|\[[0-9A-Fa-f:.]+\]):)?([0-9]{1,5})$/.exec(text) ?? [];
  if (Number(port) <= 65535) return { host, port: Number(port) };
  context.addIssue("an address and a port, such as 127.0.0.1:9464");
  return z.NEVER;
}

function isSmtpUrl(text: string | undefined): boolean {
  return text === undefined || (/^smtps?:\/\/[^/]/.test(text) && URL.canParse(text));
}

function isTarget(text: string): boolean {
  return isNetwork(text) || (/^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/i.test(text) && /[a-z]/i.test(text));
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

function isShortLine(text: string | undefined): boolean {
  return text === undefined || (text.length <= 100 && cleanLine(text, 100) === text);
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

/** Reads every setting from the text that it was written as. */
export const settingParsers = z.object({
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
  upgrade_backup: boolean.default(true),
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
  stale_after_days: wholeNumber(0, 3_650).default(7),
  task_log_limit: wholeNumber(0, 67_108_864).default(1_048_576),
  log_retention_days: wholeNumber(0, 36_500).default(30),
  log_retention_days_failed: wholeNumber(0, 36_500).default(180),
  watch_limit: wholeNumber(0, 100_000).default(2_000),
  token_limit: wholeNumber(1, 1_000_000).default(1_000),
  metrics_monitor_limit: wholeNumber(0, 10_000).default(200),
  base_url: z
    .string()
    .transform((text, context) => (text === "" ? undefined : readBaseUrl(text, context)))
    .refine(
      (url) => url === undefined || !isUnspecified(new URL(url).hostname),
      "an address that other hosts can call, such as https://backup.example.org: 0.0.0.0 is all addresses of a machine",
    )
    .optional(),
  base_url_aliases: list(baseUrl).default([]),
  token_renewal_days: wholeNumber(0, 36_500).default(730),
  vendor: z
    .string()
    .regex(/^[a-z][a-z0-9]{0,31}$/, "a word of lower-case letters and digits, such as svc")
    .default("svc"),
  underscore_links: boolean.default(false),
  rate_limit: wholeNumber(0, 1_000_000).default(500),
  page_size_default: wholeNumber(1, 10_000).default(100),
  page_size_maximum: wholeNumber(1, 10_000).default(1000),
  sibling_regions: list(baseUrl).default([]),
  allowed_hosts: list(z.string().regex(/^[^\s/]+$/, "host names with commas")).default([]),
  metrics_token: optional.optional(),
  metrics_listen: z.string().transform(readMetricsAddress).optional(),
  trusted_proxies: list(z.string().refine(isNetwork, "addresses or networks, such as 10.0.0.1,10.1.0.0/16")).default(
    [],
  ),
  session_idle_minutes: wholeNumber(5, 525_600).default(720),
  session_hours: wholeNumber(1, 8_760).default(168),
  oidc_issuer: optional.refine(isIssuer, "an address such as https://login.example.org").optional(),
  oidc_client_id: optional.optional(),
  oidc_client_secret: optional.optional(),
  oidc_name: optional.refine(isShortLine, "a name on one line, of at most 100 characters").optional(),
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
  webhook_allowed_targets: list(
    z.string().refine(isTarget, "host names, addresses or networks, such as ntfy.lan,10.1.0.0/16"),
  ).default([]),
  secret_key: optional.optional(),
  secret_key_file: optional.optional(),
  drain_seconds: wholeNumber(0, 300).default(2),
  log_level: z.enum(logLevels, `one of ${logLevels.join(", ")}`).default("info"),
});
