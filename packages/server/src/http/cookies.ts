import { refuseField } from "@holdfast/api/conventions/api-error";

/** The cookie of a session, and that of a sign-in at an OpenID provider which is under way. */
export type CookieUse = "session" | "sign_in";

/** On https no other host and no plain connection can set a cookie of this name. */
function cookieName(use: CookieUse, baseUrl: string): string {
  return `${baseUrl.startsWith("https:") ? "__Host-" : ""}holdfast_${use}`;
}

/** The value of a cookie; undefined where it was not sent. */
export function readCookie(headers: Headers, use: CookieUse, baseUrl: string): string | undefined {
  const name = cookieName(use, baseUrl);
  const values = (headers.get("cookie") ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  if (values.length > 1) throw refuseField("headerRepeated", name, `Send the cookie ${name} once.`);
  return values[0];
}

/** Sets a cookie that scripts and other sites cannot use, for so many seconds; for the browser's run where none are given. */
export function writeCookie(use: CookieUse, baseUrl: string, value: string, seconds?: number): string {
  const parts = [`${cookieName(use, baseUrl)}=${value}`, "Path=/", "HttpOnly", "SameSite=Lax"];
  if (seconds !== undefined) parts.push(`Max-Age=${seconds}`);
  if (baseUrl.startsWith("https:")) parts.push("Secure");
  return parts.join("; ");
}

/** Takes a cookie away. */
export function clearCookie(use: CookieUse, baseUrl: string): string {
  return writeCookie(use, baseUrl, "", 0);
}
