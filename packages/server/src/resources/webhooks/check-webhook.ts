import { refuse, refuseField } from "@holdfast/api/conventions/api-error";
import { formatFilter, parseFilter } from "@holdfast/api/conventions/filter";
import { listLimits, textLimits } from "@holdfast/api/conventions/text-limits";
import { FieldChecks } from "@holdfast/api/conventions/texts";
import { parseUuid } from "@holdfast/api/conventions/uuid";
import { taskFilters } from "@holdfast/api/resources/tasks";
import type { ReminderInterval, WebhookEvent, WebhookKind } from "@holdfast/api/resources/webhook-words";
import type { webhookBodies } from "@holdfast/api/resources/webhooks";
import type { z } from "zod";
import type { ChangeCall } from "../../operations/change";
import type { Outbound } from "../../outbound/outbound";
import { TargetRefused } from "../../outbound/targets";
import { findRecipients } from "./recipients";

type Fields = z.infer<typeof webhookBodies.update>;

/** Wanted fields of a webhook, as they are stored, but for its secrets. */
export interface WantedWebhook {
  name: string;
  kind: WebhookKind;
  organizational_unit_id: string;
  url: string | null;
  /** In clear; null for none. */
  authorization: string | null;
  recipientIds: readonly string[];
  events: readonly WebhookEvent[];
  filter: string | null;
  remind_after: ReminderInterval;
}

/** Refuses an address that must not be sent to. It is asked for again at every attempt. */
export async function requireTarget(outbound: Outbound, url: string): Promise<void> {
  try {
    await outbound.check(url);
  } catch (error) {
    if (!(error instanceof TargetRefused)) throw error;
    throw refuseField("bodyInvalid", "/url", `The field "url" has to be ${error.message}.`);
  }
}

/** Checks what was sent for a webhook of a kind, and gives what of it is to be stored. */
export async function checkFields<Given extends Fields>(
  { db, parts, permissionsIn }: ChangeCall,
  { kind, unitId, isNew }: { kind: WebhookKind; unitId: string; isNew: boolean },
  given: Given,
): Promise<Partial<Omit<WantedWebhook, "kind" | "organizational_unit_id">>> {
  const checks = new FieldChecks();
  const isMail = kind === "mail";
  const { name, url, authorization, recipient_user_ids: recipients, events, filter, remind_after } = given;
  const wanted: Partial<Omit<WantedWebhook, "kind" | "organizational_unit_id">> = {};
  if (name !== undefined) wanted.name = checks.line("name", name, textLimits.name);
  if (isMail && parts.mailer === undefined && isNew) {
    checks.fail("kind", "another kind than mail: no mail server is set here. Its settings are smtp_url and mail_from");
  }
  if (isMail && url !== undefined) checks.fail("url", "left out for mail, which goes to recipient_user_ids");
  if (!isMail && url === undefined && isNew) checks.fail("url", `given for ${kind}`);
  if (!isMail && url !== undefined) wanted.url = url;
  if (authorization !== undefined) wanted.authorization = readAuthorization(checks, kind, authorization);
  if (!isMail && recipients !== undefined && recipients.length > 0) {
    checks.fail("recipient_user_ids", "left out for all kinds but mail");
  }
  if (isMail && (recipients !== undefined || isNew)) {
    wanted.recipientIds = await readRecipients(checks, { db, unitId }, recipients ?? []);
  }
  if (events !== undefined) {
    if (events.length === 0) checks.fail("events", "a list with at least one event");
    if (events.includes("token.expiring") && !(await permissionsIn(unitId)).has("api-tokens:read")) {
      throw refuse(
        "permissionMissing",
        "The event token.expiring needs the permission api-tokens:read in the organizational unit. Leave it out, or ask an administrator for a role that has it.",
      );
    }
    wanted.events = [...new Set(events)];
  }
  if (filter !== undefined) wanted.filter = readFilter(checks, filter);
  if (remind_after !== undefined) wanted.remind_after = remind_after;
  checks.finish();
  return wanted;
}

function readAuthorization(checks: FieldChecks, kind: WebhookKind, text: string | null): string | null {
  if (text === null) return null;
  if (kind === "slack" || kind === "mail") checks.fail("authorization", `left out for ${kind}`);
  // It becomes a line of a request, so that nothing may end the line.
  if (!/^[!-~]+( [!-~]+)*$/.test(text)) {
    checks.fail("authorization", "printable ASCII characters, such as Bearer and a token");
  }
  return text;
}

async function readRecipients(
  checks: FieldChecks,
  { db, unitId }: { db: ChangeCall["db"]; unitId: string },
  given: readonly string[],
): Promise<string[]> {
  const ids = [...new Set(given.map((id) => parseUuid(id) ?? ""))];
  const found = new Set((await findRecipients(db, unitId, ids.filter(Boolean))).map(({ id }) => id));
  if (ids.length === 0 || !ids.every((id) => found.has(id))) {
    checks.fail(
      "recipient_user_ids",
      `1 to ${listLimits.webhookRecipients} users who are enabled and confirmed and may see the tasks of the organizational unit`,
    );
  }
  return ids;
}

/** A filter as it was understood. */
function readFilter(checks: FieldChecks, given: NonNullable<Fields["filter"]> | null): string | null {
  if (given === null) return null;
  const text = typeof given === "string" ? given : JSON.stringify(given);
  if (text.trim() === "") return null;
  const { filter, faults } = parseFilter(text, taskFilters);
  for (const { message } of faults) checks.fail("filter", `a filter of tasks. ${message.replace(/\.$/, "")}`);
  return formatFilter(filter);
}
