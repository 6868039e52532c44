/** Claims of a provider about a person, in its ID token or at its userinfo endpoint. */
export type Claims = Readonly<Record<string, unknown>>;

/** An e-mail address, and whether the provider vouches for it. */
export interface VouchedEmail {
  email: string | undefined;
  isEmailVerified: boolean;
}

/**
 * Reads the address and whether it is verified from one and the same place: the ID token if that names an address, userinfo
 * otherwise. Where one says that an address is verified, that is not said of the address which the other names. "disagree"
 * is where both name an address, but not the same one, or do not say the same about it.
 */
export function readVouchedEmail(idToken: Claims, userInfo: Claims): VouchedEmail | "disagree" {
  const [first, second] = [textOf(idToken.email), textOf(userInfo.email)];
  if (first !== undefined && second !== undefined) {
    const [one, other] = [flagOf(idToken.email_verified), flagOf(userInfo.email_verified)];
    const isContradicted = one !== undefined && other !== undefined && one !== other;
    if (isContradicted || !isSameMailbox(first, second)) return "disagree";
  }
  const source = first === undefined ? userInfo : idToken;
  const email = textOf(source.email);
  return { email, isEmailVerified: email !== undefined && source.email_verified === true };
}

/** A claim that is a text with something in it. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

/** Users are distinguished more coarsely: ß and ss are alike there, but they can be two mailboxes of two people. */
export function isSameMailbox(one: string, other: string): boolean {
  return lowerAscii(one) === lowerAscii(other.trim());
}

/** Some providers write the flag as a text at one of the places. That vouches for nothing, but contradicts nothing either. */
function flagOf(value: unknown): boolean | undefined {
  if (value === true || value === "true") return true;
  return value === false || value === "false" ? false : undefined;
}

function lowerAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
