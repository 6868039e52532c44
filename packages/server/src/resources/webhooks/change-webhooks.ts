import { randomUUID } from "node:crypto";
import { refuse, refuseField } from "@holdfast/api/conventions/api-error";
import { canonicalId, parseUuid } from "@holdfast/api/conventions/uuid";
import { webhookBodies } from "@holdfast/api/resources/webhooks";
import { z } from "zod";
import { requireCovered } from "../../access/rights";
import { unitAndAbove } from "../../access/unit-paths";
import type { Queries } from "../../database/database";
import type { ListScope } from "../../lists/list-source";
import { type ChangeCall, type Changed, type ChangeImplementation, implementChange } from "../../operations/change";
import { type PathVariables, variableOf } from "../../operations/path-variables";
import { checkFields, requireTarget } from "./check-webhook";
import { dropWaiting } from "./deliveries/delivery-store";
import { type WebhookRow, webhookSource } from "./list-webhooks";
import { auditedWebhook, presentWebhookV1 } from "./present";
import { addWebhook, sealAuthorization, webhookNames } from "./store";
import { makeWebhookSecret, webhookSecretPurpose } from "./webhook-secrets";

/** Maximum number of webhooks in a unit. */
const maxPerUnit = 100;
/** Time for which the old secret signs along after a rotation, in milliseconds. */
const rotationOverlap = 24 * 3_600_000;

type CreateBody = z.infer<typeof webhookBodies.create>;
type UpdateBody = z.infer<typeof webhookBodies.update>;

export const createWebhook: ChangeImplementation = implementChange(
  webhookBodies.create,
  create,
  async ({ parts }, body) => {
    if (body.kind !== "mail" && body.url !== undefined) await requireTarget(parts.outbound, body.url);
    return (call) => create(call, body);
  },
);

async function create(call: ChangeCall, body: CreateBody): Promise<Changed> {
  const { db, now, parts } = call;
  const unitId = await requireUnit(call, body.organizational_unit_id);
  const { kind } = body;
  const wanted = await checkFields(call, { kind, unitId, isNew: true }, body);
  await requireRoom(db, unitId);
  const id = randomUUID();
  const secret = await addWebhook(
    db,
    parts.sealer,
    {
      id,
      name: wanted.name ?? "",
      organizational_unit_id: unitId,
      kind,
      url: wanted.url ?? null,
      authorization: wanted.authorization ?? null,
      recipientIds: wanted.recipientIds ?? [],
      events: wanted.events ?? [],
      filter: wanted.filter ?? null,
      remind_after: wanted.remind_after ?? (kind === "standard" ? "never" : "daily"),
      isEnabled: body.is_enabled ?? true,
    },
    now,
  );
  const row = await reread(call, id, unitId);
  return {
    object: { type: "webhook", id },
    unitId,
    after: auditedWebhook(row),
    body: JSON.stringify(presentWebhookV1(row)),
    ...(secret === undefined ? {} : { once: { secret } }),
    location: `/webhooks/${id}`,
  };
}

export const updateWebhook: ChangeImplementation = implementChange(
  webhookBodies.update,
  update,
  async ({ parts }, body) => {
    if (body.url !== undefined) await requireTarget(parts.outbound, body.url);
    return (call) => update(call, body);
  },
);

async function update(call: ChangeCall, body: UpdateBody): Promise<Changed> {
  const { db, parts } = call;
  const row = await requireWebhook(call);
  call.requireMatch(JSON.stringify(presentWebhookV1(row)));
  const { id } = row;
  const wanted = await checkFields(call, { kind: row.kind, unitId: row.organizational_unit_id, isNew: false }, body);
  requireAuthorizationAgain(row, body);
  const isEnabled = body.is_enabled ?? row.is_enabled === 1;
  const isSwitchedOn = isEnabled && row.is_enabled === 0;
  await db
    .updateTable("webhooks")
    .set({
      ...(wanted.name === undefined ? {} : webhookNames(wanted.name)),
      ...(wanted.url === undefined ? {} : { url: wanted.url }),
      ...(wanted.authorization === undefined
        ? {}
        : { sealed_authorization: sealAuthorization(parts.sealer, id, wanted.authorization) }),
      ...(wanted.recipientIds === undefined ? {} : { recipient_user_ids: JSON.stringify(wanted.recipientIds) }),
      ...(wanted.events === undefined ? {} : { events: JSON.stringify(wanted.events) }),
      ...(wanted.filter === undefined ? {} : { filter: wanted.filter }),
      ...(wanted.remind_after === undefined ? {} : { remind_after: wanted.remind_after }),
      // Reminders count from when they are wanted.
      ...(isSwitchedOn || (wanted.remind_after ?? row.remind_after) !== row.remind_after
        ? { reminded_at: call.now }
        : {}),
      is_enabled: isEnabled ? 1 : 0,
      ...(isSwitchedOn ? { failures_in_a_row: 0, failing_since: null } : {}),
      // The reason is that of the service; a person has none to give.
      ...(body.is_enabled === undefined ? {} : { disabled_reason: null }),
    })
    .where("id", "=", id)
    .execute();
  if (!isEnabled) await dropWaiting(db, id);
  const after = await reread(call, id, row.organizational_unit_id);
  return {
    ...objectOf(row),
    before: auditedWebhook(row),
    after: auditedWebhook(after),
    body: JSON.stringify(presentWebhookV1(after)),
  };
}

/** Its waiting deliveries go with it: nothing sends for a webhook that is not there, and maintenance removes the rows. */
export const deleteWebhook: ChangeImplementation = implementChange(z.object({}), async (call): Promise<Changed> => {
  const row = await requireWebhook(call);
  call.requireMatch(JSON.stringify(presentWebhookV1(row)));
  await call.db.deleteFrom("webhooks").where("id", "=", row.id).execute();
  return { ...objectOf(row), before: auditedWebhook(row) };
});

export const rotateWebhookSecret: ChangeImplementation = implementChange(
  z.object({}),
  async (call): Promise<Changed> => {
    const { db, now, parts } = call;
    const row = await requireWebhook(call);
    const before = presentWebhookV1(row);
    call.requireMatch(JSON.stringify(before));
    if (row.kind !== "standard") {
      throw refuse("stateConflict", `A webhook of the kind ${row.kind} signs nothing, so it has no secret.`);
    }
    const secret = makeWebhookSecret();
    await db
      .updateTable("webhooks")
      .set({
        sealed_old_secret: row.sealed_secret,
        old_secret_until: now + rotationOverlap,
        sealed_secret: parts.sealer.seal(secret, webhookSecretPurpose(row.id)),
      })
      .where("id", "=", row.id)
      .execute();
    const audited = auditedWebhook(row);
    return { ...objectOf(row), before: audited, after: audited, body: JSON.stringify(before), once: { secret } };
  },
);

/** The webhook that the path names, if it is in the unit that is acted in or below it. */
export async function findWebhook(db: Queries, scope: ListScope, variables: PathVariables): Promise<WebhookRow> {
  const row = await webhookSource.find(db, scope, canonicalId(variableOf(variables, "webhook_id")));
  if (!row) throw refuse("itemUnknown", "There is no such webhook, or you may not see it.");
  return row;
}

const requireWebhook = ({ db, scope, variables }: ChangeCall) => findWebhook(db, scope, variables);

/** The unit that the webhook is to hear of: the caller has to be allowed to see its tasks, too. */
async function requireUnit({ db, caller, scope }: ChangeCall, given: string | undefined): Promise<string> {
  const unitId = given === undefined ? scope.unitId : parseUuid(given);
  if (unitId === undefined) {
    throw refuseField("bodyInvalid", "/organizational_unit_id", 'The field "organizational_unit_id" has to be a UUID.');
  }
  const held = requireCovered(caller, await unitAndAbove(db, unitId));
  if (held.has("webhooks:write") && held.has("tasks:read")) return unitId;
  throw refuse(
    "permissionMissing",
    "This needs the permission webhooks:write and tasks:read in the organizational unit. Ask an administrator for a role that has it.",
  );
}

async function requireRoom(db: Queries, unitId: string): Promise<void> {
  const { count } = await db
    .selectFrom("webhooks")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("organizational_unit_id", "=", unitId)
    .executeTakeFirstOrThrow();
  if (Number(count) < maxPerUnit) return;
  throw refuse("tooMany", `The organizational unit has ${maxPerUnit} webhooks. Delete what is not needed first.`);
}

/** Refuses to send a secret to another host because of a change: it has to be given again. */
function requireAuthorizationAgain(row: WebhookRow, { url, authorization }: UpdateBody): void {
  if (row.sealed_authorization === null || url === undefined || authorization !== undefined) return;
  if (row.url !== null && new URL(row.url).origin === new URL(url).origin) return;
  throw refuseField(
    "bodyInvalid",
    "/authorization",
    'The field "authorization" has to be given again with an address of another host, or null.',
  );
}

async function reread({ db, scope }: ChangeCall, id: string, unitId: string): Promise<WebhookRow> {
  const row = await webhookSource.find(db, { ...scope, unitId }, id);
  if (!row) throw new Error("A webhook that was just written is not there.");
  return row;
}

function objectOf(row: WebhookRow): Pick<Changed, "object" | "unitId"> {
  return { object: { type: "webhook", id: row.id }, unitId: row.organizational_unit_id };
}
