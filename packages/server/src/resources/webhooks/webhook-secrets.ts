import { createHmac, randomBytes } from "node:crypto";

const prefix = "whsec_";
const secretBytes = 32;

/** Purpose of the seal of a webhook's header: that of one webhook cannot be put into another. */
export function authorizationPurpose(webhookId: string): string {
  return `authorization of webhook ${webhookId}`;
}

/** Purpose of the seal of a webhook's secret. */
export function webhookSecretPurpose(webhookId: string): string {
  return `secret of webhook ${webhookId}`;
}

/** Makes a secret as Standard Webhooks writes it. */
export function makeWebhookSecret(): string {
  return `${prefix}${randomBytes(secretBytes).toString("base64")}`;
}

/** The signatures of a message, one for each secret, as its header has them. */
export function signMessage(
  secrets: readonly string[],
  { id, timestamp, body }: { id: string; timestamp: number; body: string },
): string {
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(prefix.length), "base64");
      return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
    })
    .join(" ");
}
