const day = 86_400_000;

/** How long a token lives that is made without an expiry, in milliseconds. */
export const defaultTokenLife = 90 * day;
/** How long a token can live, in milliseconds. */
export const longestTokenLife = 2 * 365 * day;
