import { errorMessage } from "@holdfast/api/conventions/error-message";
import { formatTimestamp } from "@holdfast/api/conventions/timestamp";
import type { Database } from "../../database/database";
import type { Mailer } from "../../mail/create-mailer";
import type { Outbound, OutboundMessage } from "../../outbound/outbound";
import { NotAnswered } from "../../outbound/post";
import { TargetRefused, TargetUnknown } from "../../outbound/targets";
import type { Sealer } from "../../secrets/seal";
import { version } from "../../settings/version";
import type { ClaimedDelivery, SendingWebhook } from "./deliveries/claim-deliveries";
import type { AttemptResult } from "./deliveries/finish-deliveries";
import { readPayload } from "./payload";
import { readIds } from "./present";
import { findRecipients } from "./recipients";
import { authorizationPurpose, signMessage, webhookSecretPurpose } from "./webhook-secrets";
import { writeMail, writeMessage } from "./write-message";

export interface SendingParts {
  database: Database;
  sealer: Sealer;
  outbound: Outbound;
  mailer: Mailer | undefined;
  baseUrl: string;
  clock: () => number;
}

/** When a message may leave, and that it has. */
export type Leaving = Pick<OutboundMessage, "turn" | "onLeft">;

type Sent = Pick<ClaimedDelivery, "id" | "event_count" | "payload" | "reached_user_ids">;
type Outcome = Omit<AttemptResult, "attempt"> & { status: number | null; reason: string | null };

const maxReasonLength = 300;
/** Timeout for mail to all recipients of a webhook, in milliseconds: less than a claim holds. */
const mailTimeoutMs = 45_000;

/** Sends a delivery once, and says how that went. It never fails. */
export async function sendDelivery(
  parts: SendingParts,
  webhook: SendingWebhook,
  delivery: Sent,
  leaving: Leaving = {},
): Promise<AttemptResult> {
  const startedAt = parts.clock();
  const begun = performance.now();
  const { status, reason, ...result } = await attempt(parts, webhook, delivery, leaving);
  const duration = Math.round(performance.now() - begun);
  return {
    ...result,
    attempt: {
      timestamp: formatTimestamp(startedAt),
      status,
      duration_ms: duration,
      reason: reason?.slice(0, maxReasonLength) ?? null,
    },
  };
}

async function attempt(
  parts: SendingParts,
  webhook: SendingWebhook,
  delivery: Sent,
  leaving: Leaving,
): Promise<Outcome> {
  const reached = readIds(delivery.reached_user_ids);
  try {
    return webhook.kind === "mail"
      ? await sendMail(parts, webhook, delivery, reached)
      : await sendRequest(parts, { ...webhook, kind: webhook.kind }, delivery, leaving);
  } catch (error) {
    return failed(reasonOf(error), reached);
  } finally {
    leaving.onLeft?.();
  }
}

async function sendRequest(
  { outbound, sealer, baseUrl, clock }: SendingParts,
  webhook: SendingWebhook & { kind: "standard" | "slack" | "ntfy" },
  { id, event_count: count, payload }: Sent,
  leaving: Leaving,
): Promise<Outcome> {
  const { headers, body } = writeMessage(webhook.kind, readPayload(payload), {
    count,
    baseUrl,
    webhookName: webhook.name,
  });
  const authorization = openSealed(sealer, webhook.sealed_authorization, authorizationPurpose(webhook.id));
  const { status, retryAfter } = await outbound.send({
    url: webhook.url ?? "",
    headers: {
      "User-Agent": `Holdfast/${version}`,
      ...headers,
      ...(authorization === undefined ? {} : { Authorization: authorization }),
      ...(webhook.kind === "standard" ? signatureOf(sealer, webhook, { id, body, now: clock() }) : {}),
    },
    body,
    ...leaving,
  });
  const isDelivered = status >= 200 && status < 300;
  return {
    isDelivered,
    status,
    retryAfter,
    isGone: status === 410,
    reachedUserIds: [],
    reason: isDelivered ? null : whyRefused(status),
  };
}

function signatureOf(
  sealer: Sealer,
  webhook: SendingWebhook,
  { id, body, now }: { id: string; body: string; now: number },
): Record<string, string> {
  const purpose = webhookSecretPurpose(webhook.id);
  const isRotating = webhook.old_secret_until !== null && now < webhook.old_secret_until;
  const secrets = [
    openSealed(sealer, webhook.sealed_secret, purpose),
    isRotating ? openSealed(sealer, webhook.sealed_old_secret, purpose) : undefined,
  ].filter((secret) => secret !== undefined);
  const messageId = `msg_${id}`;
  const timestamp = Math.floor(now / 1000);
  return {
    "webhook-id": messageId,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signMessage(secrets, { id: messageId, timestamp, body }),
  };
}

/** Mails those who may see the unit's tasks at this moment, one after the other. Who was reached before gets it once. */
async function sendMail(
  { database, mailer, baseUrl }: SendingParts,
  webhook: SendingWebhook,
  { event_count: count, payload }: Sent,
  before: readonly string[],
): Promise<Outcome> {
  const reached = [...before];
  if (!mailer) return failed("No mail server is set: smtp_url is missing.", reached);
  const recipients = await database.snapshot((db) =>
    findRecipients(db, webhook.organizational_unit_id, readIds(webhook.recipient_user_ids)),
  );
  if (recipients.length === 0) return failed("None of the recipients may see the tasks of the unit.", reached);
  const context = { count, baseUrl, webhookName: webhook.name };
  const until = performance.now() + mailTimeoutMs;
  let failure: string | undefined;
  for (const { id, email, time_zone: timeZone } of recipients) {
    if (reached.includes(id)) continue;
    if (performance.now() > until) return failed("The mail server is too slow.", reached);
    try {
      await mailer.send({ to: email, ...writeMail(readPayload(payload), { ...context, timeZone }) });
      reached.push(id);
    } catch (error) {
      failure = errorMessage(error);
    }
  }
  if (failure !== undefined) return failed(failure, reached);
  return { isDelivered: true, status: null, retryAfter: null, isGone: false, reachedUserIds: reached, reason: null };
}

function failed(reason: string, reachedUserIds: readonly string[]): Outcome {
  return { isDelivered: false, status: null, retryAfter: null, isGone: false, reachedUserIds, reason };
}

function whyRefused(status: number): string {
  if (status >= 300 && status < 400) return `The receiver answered ${status}: redirects are not followed.`;
  return `The receiver answered ${status}.`;
}

function reasonOf(error: unknown): string {
  if (error instanceof TargetRefused) return `The address has to be ${error.message}.`;
  if (error instanceof TargetUnknown || error instanceof NotAnswered) return error.message;
  return `The message could not be sent: ${errorMessage(error)}`;
}

function openSealed(sealer: Sealer, sealed: string | null, purpose: string): string | undefined {
  if (sealed === null) return undefined;
  const plain = sealer.open(sealed, purpose);
  if (plain === undefined) throw new Error(`The ${purpose} cannot be opened.`);
  return plain;
}
