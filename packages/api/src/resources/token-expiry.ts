/** Days before its expiry on which a token is announced, each time once. */
const tokenExpiryNoticeDays = [14, 7, 1] as const;

const day = 86_400_000;

/** Time before its expiry from which a token is announced. */
export const maxExpiryNoticeMs = Math.max(...tokenExpiryNoticeDays) * day;

/** Times at which a token was created and expires, in milliseconds. */
export interface TokenLife {
  createdAt: number;
  expiresAt: number;
}

/**
 * The notice that a token has reached, in days before its expiry; none for one that expires later. A notice that is longer than its
 * life is left out: who has made a token for an hour knows when it ends.
 */
export function expiryNotice({ createdAt, expiresAt }: TokenLife, now: number): number | undefined {
  return tokenExpiryNoticeDays
    .toSorted((a, b) => a - b)
    .find((days) => expiresAt > now && expiresAt - now <= days * day && expiresAt - createdAt > days * day);
}
