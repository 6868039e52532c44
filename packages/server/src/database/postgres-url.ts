import { SettingError } from "../settings";

/** Whether an address names a PostgreSQL database, or another one that speaks its protocol. */
export function isPostgresUrl(url: string): boolean {
  return /^postgres(ql)?:\/\//.test(url);
}

/**
 * Takes an address apart that may name several servers, of which one is the primary: one address for each.
 *
 * @example splitPostgresUrl("postgres://me@db1,db2:5433/holdfast") // [ "postgres://me@db1/holdfast", "postgres://me@db2:5433/holdfast" ]
 */
export function splitPostgresUrl(url: string): string[] {
  const parts = /^postgres(?:ql)?:\/\/(?:(?<user>[^@/?#]*)@)?(?<hosts>[^/?#]*)(?<rest>.*)$/.exec(url)?.groups;
  const hosts = (parts?.hosts ?? "").split(",").map((host) => host.trim());
  const urls = hosts.map(
    (host) => `postgres://${parts?.user === undefined ? "" : `${parts.user}@`}${host}${parts?.rest}`,
  );
  if (!parts || hosts.includes("") || !urls.every((one) => URL.canParse(one))) {
    throw new SettingError(
      `There is no database at ${JSON.stringify(withoutPassword(url))}. Write it as postgres://user:password@host:5432/name.`,
    );
  }
  return urls;
}

/** An address as it may be shown and logged. What stands before the last @ goes: a password may have another one in it. */
export function withoutPassword(url: string): string {
  return url.replace(/\/\/.*@/, "//").replace(/([?&](?:password|sslpassword)=)[^&]*/gi, "$1…");
}
