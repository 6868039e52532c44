import { refuse } from "@holdfast/api/conventions/api-error";
import { FieldChecks } from "@holdfast/api/conventions/texts";
import { parseTimestamp } from "@holdfast/api/conventions/timestamp";
import { canonicalId } from "@holdfast/api/conventions/uuid";
import { entityBodies } from "@holdfast/api/resources/entities";
import { type ChangeCall, type ChangeImplementation, implementChange } from "../../operations/change";
import { variableOf } from "../../operations/path-variables";
import { entitySource, type ListedEntity } from "./list-entities";
import { presentEntityV1 } from "./present";
import { setAttention } from "./store";

export const updateEntity: ChangeImplementation = implementChange(entityBodies.update, async (call, body) => {
  const { db, now } = call;
  const row = await requireEntity(call);
  const before = presentEntityV1(row);
  call.requireMatch(JSON.stringify(before));
  const changes = {
    ...(body.muted_until === undefined ? {} : { muted_until: readMute(body.muted_until, now) }),
    ...(body.is_retired === undefined ? {} : { is_retired: body.is_retired ? 1 : 0 }),
  };
  await setAttention(db, row.id, changes);
  const after = presentEntityV1({ ...row, ...changes });
  return {
    object: { type: "entity", id: row.id },
    unitId: row.organizational_unit_id,
    before: attentionTo(before),
    after: attentionTo(after),
    body: JSON.stringify(after),
  };
});

/** What a person has said about an entity: the rest comes from tasks, and is no part of a change. */
function attentionTo({ primary_entity, muted_until, is_retired }: ReturnType<typeof presentEntityV1>) {
  return { primary_entity, muted_until, is_retired };
}

/** A mute that is over would look like none. */
function readMute(given: string | null, now: number): number | null {
  if (given === null) return null;
  const until = parseTimestamp(given)?.milliseconds;
  if (until !== undefined && until > now) return until;
  const checks = new FieldChecks();
  checks.fail("muted_until", "an RFC 3339 timestamp that is yet to come, or null");
  checks.finish();
  return null;
}

async function requireEntity({ db, scope, variables }: ChangeCall): Promise<ListedEntity> {
  const row = await entitySource.find(db, scope, canonicalId(variableOf(variables, "entity_id")));
  if (!row) throw refuse("itemUnknown", "There is no such protected entity, or you may not see it.");
  return row;
}
