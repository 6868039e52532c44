import { randomUUID } from "node:crypto";
import { refuse } from "@holdfast/api/conventions/api-error";
import { textLimits } from "@holdfast/api/conventions/text-limits";
import { FieldChecks } from "@holdfast/api/conventions/texts";
import { canonicalId } from "@holdfast/api/conventions/uuid";
import { monitorDefaults } from "@holdfast/api/resources/monitors";
import { defaultPeriodSeconds, pingKeyBodies } from "@holdfast/api/resources/ping-keys";
import { z } from "zod";
import type { Queries } from "../../../database/database";
import { type ChangeCall, type Changed, type ChangeImplementation, implementChange } from "../../../operations/change";
import { variableOf } from "../../../operations/path-variables";
import { readUnitId, requireRightIn } from "../unit-of-change";
import { type PingKeyRow, pingKeySource } from "./list-ping-keys";
import { presentPingKeyV1 } from "./present";
import { addPingKey } from "./store";

/** Maximum number of ping keys in a unit. */
const maxPerUnit = 1_000;

export const createPingKey: ChangeImplementation = implementChange(pingKeyBodies.create, async (call, body) => {
  const { db, now } = call;
  const checks = new FieldChecks();
  const name = checks.line("name", body.name, textLimits.name);
  const type = checks.line("type", body.type ?? monitorDefaults.type, textLimits.taskType);
  const unitId = readUnitId(checks, body.organizational_unit_id, call);
  checks.finish();
  await requireRightIn(call, unitId);
  await requireRoom(db, unitId);
  const id = randomUUID();
  const row: PingKeyRow = {
    id,
    organizational_unit_id: unitId,
    name,
    category: body.category ?? monitorDefaults.category,
    type,
    may_create: body.may_create === true ? 1 : 0,
    default_period_seconds:
      body.default_period_seconds === undefined ? defaultPeriodSeconds : body.default_period_seconds,
    created_at: now,
  };
  const key = await addPingKey(db, row);
  const after = presentPingKeyV1(row);
  return { ...audited(row), after, body: JSON.stringify(after), once: { key }, location: `/ping-keys/${id}` };
});

export const deletePingKey: ChangeImplementation = implementChange(z.object({}), async (call): Promise<Changed> => {
  const row = await requirePingKey(call);
  const before = presentPingKeyV1(row);
  call.requireMatch(JSON.stringify(before));
  await call.db.deleteFrom("ping_keys").where("id", "=", row.id).execute();
  return { ...audited(row), before };
});

async function requirePingKey({ db, scope, variables }: ChangeCall): Promise<PingKeyRow> {
  const row = await pingKeySource.find(db, scope, canonicalId(variableOf(variables, "ping_key_id")));
  if (!row) throw refuse("itemUnknown", "There is no such ping key, or you may not see it.");
  return row;
}

async function requireRoom(db: Queries, unitId: string): Promise<void> {
  const { count } = await db
    .selectFrom("ping_keys")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("organizational_unit_id", "=", unitId)
    .executeTakeFirstOrThrow();
  if (Number(count) < maxPerUnit) return;
  throw refuse("tooMany", `An organizational unit has at most ${maxPerUnit} ping keys. Delete some first.`);
}

function audited(row: PingKeyRow): Pick<Changed, "object" | "unitId"> {
  return { object: { type: "ping-key", id: row.id }, unitId: row.organizational_unit_id };
}
