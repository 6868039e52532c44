import { SettingError } from "../../settings/settings";

/** One server of those that an address names, and what the address says about reaching it. */
export interface ServerAddress {
  host: string;
  /** Undefined, as everything that the address leaves out. */
  port: number | undefined;
  database: string | undefined;
  user: string | undefined;
  password: string | undefined;
  parameters: Partial<Record<Parameter, string>>;
}

const parameters = ["sslmode", "sslrootcert", "sslcert", "sslkey", "application_name", "options"] as const;
type Parameter = (typeof parameters)[number];

/** True if an address names a PostgreSQL database, or another one that speaks its protocol. */
export function isPostgresUrl(url: string): boolean {
  return /^postgres(ql)?:\/\//.test(url);
}

/**
 * Takes an address apart that may name several servers, of which one is the primary.
 *
 * @example readPostgresUrl("postgres://me@db1,db2:5433/holdfast") // two that differ in host and port only
 */
export function readPostgresUrl(url: string): ServerAddress[] {
  const parts = /^postgres(?:ql)?:\/\/(?:(?<user>[^@/?#]*)@)?(?<hosts>[^@/?#]*)(?<rest>[^@]*)$/.exec(url)?.groups;
  if (url.includes("@") && !parts) {
    throw new SettingError(
      "The address of the database has an @ too many, or in an odd place. Write @ in a password as %40 and / as %2F.",
    );
  }
  const hosts = (parts?.hosts ?? "").split(",").map((host) => host.trim());
  const urls = hosts.map((host) => `postgres://${host}${parts?.rest}`);
  if (!parts || hosts.includes("") || !urls.every((one) => URL.canParse(one))) {
    throw new SettingError(
      `There is no database at ${JSON.stringify(withoutPassword(url))}. Write it as postgres://user:password@host:5432/name.`,
    );
  }
  const [, user, password] = /^([^:]*):?(.*)$/s.exec(parts.user ?? "") ?? [];
  return urls.map((one) => {
    const { hostname, port, pathname, searchParams } = new URL(one);
    return {
      host: decode(hostname.replace(/^\[(.+)\]$/, "$1")) ?? "",
      port: port === "" ? undefined : Number(port),
      database: decode(pathname.slice(1)),
      user: decode(user),
      password: decode(password),
      parameters: readParameters(searchParams),
    };
  });
}

/** Empty is the same as left out. */
function decode(text = ""): string | undefined {
  try {
    return text === "" ? undefined : decodeURIComponent(text);
  } catch {
    throw new SettingError("The address of the database has a % in an odd place. Write % in a password as %25.");
  }
}

/** An unknown parameter might have been meant to encrypt the connection. */
function readParameters(given: URLSearchParams): ServerAddress["parameters"] {
  const read: ServerAddress["parameters"] = {};
  for (const [name, value] of given) {
    const known = parameters.find((parameter) => parameter === name);
    if (known === undefined) {
      throw new SettingError(
        `The address of the database has a parameter ${JSON.stringify(name)} that is not known. Known are ${parameters.join(", ")}.`,
      );
    }
    if (read[known] !== undefined) {
      throw new SettingError(`The address of the database has the parameter ${known} twice. Leave one out.`);
    }
    read[known] = value;
  }
  return read;
}

/** An address as it may be shown and logged. What stands before the last @ goes: a password may have another one in it. */
export function withoutPassword(url: string): string {
  return url.replace(/\/\/.*@/, "//").replace(/((?:^|[?&;\s])(?:ssl)?password=)[^&\s]*/gi, "$1…");
}
