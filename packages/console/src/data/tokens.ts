import type { ItemOf } from "@holdfast/client";

export type ApiToken = ItemOf<"api-tokens", "read-api-token">;

const soon = 14 * 86_400_000;

/** State of a token, and the reason if it is not good. */
export function tokenState({ revoked_timestamp, expires_timestamp, is_foreign }: ApiToken, now: number) {
  const isRevoked = revoked_timestamp !== null && Date.parse(revoked_timestamp) <= now;
  if (isRevoked) return { word: "Revoked", look: "error" } as const;
  if (Date.parse(expires_timestamp) <= now) return { word: "Expired", look: "neutral" } as const;
  if (is_foreign) return { word: "Invalid", look: "error" } as const;
  if (revoked_timestamp !== null) return { word: "Being replaced", look: "incomplete" } as const;
  if (Date.parse(expires_timestamp) - now < soon) return { word: "Expires soon", look: "incomplete" } as const;
  return { word: "Good", look: "good" } as const;
}
