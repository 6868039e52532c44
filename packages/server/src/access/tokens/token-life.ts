const day = 86_400_000;

/** Lifetime of a token that is made without an expiry, in milliseconds. */
export const defaultTokenLifeMs = 90 * day;
/** Maximum lifetime of a token, in milliseconds. */
export const maxTokenLifeMs = 2 * 365 * day;
