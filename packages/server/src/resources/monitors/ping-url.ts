import { createHash, randomUUID } from "node:crypto";
import type { Sealer } from "../../secrets/seal";

/** Purpose of the seal of a monitor's ping URL. */
export function pingUrlPurpose(monitorId: string): string {
  return `ping URL of the monitor ${monitorId}`;
}

/** Stored form of a new ping URL. */
export interface StoredPingUrl {
  url_hash: string;
  sealed_url: string;
}

/** Makes the UUID of a ping URL: it is enough to report for the monitor. */
export function newPingUrl(sealer: Sealer, monitorId: string): StoredPingUrl {
  const uuid = randomUUID();
  return { url_hash: hashCapability(uuid), sealed_url: sealer.seal(uuid, pingUrlPurpose(monitorId)) };
}

/** Hash by which a UUID of a ping URL, or a ping key, is found. Both are random, so a plain hash cannot be reversed. */
export function hashCapability(secret: string): string {
  return createHash("sha256").update(secret).digest("base64url");
}
