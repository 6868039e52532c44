/** Reads who has issued a token. The token itself is in no message. */
export function issuerOf(token: string): string {
  const payload = token.split(".")[1] ?? "";
  try {
    const { iss }: { iss?: unknown } = JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/")));
    if (typeof iss === "string" && /^https?:\/\//.test(iss)) return iss;
  } catch {
    // Text that is not JSON has no issuer either.
  }
  throw new TypeError(
    "The token does not name its issuer, so it is no token of Holdfast. Give connect() one that `holdfast token create` made, or a baseUrl.",
  );
}
