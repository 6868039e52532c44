const day = 86_400_000;

/** Lifetime of a token that is made without an expiry, in milliseconds. */
export const defaultTokenLife = 90 * day;
/** Maximum lifetime of a token, in milliseconds. */
export const longestTokenLife = 2 * 365 * day;
