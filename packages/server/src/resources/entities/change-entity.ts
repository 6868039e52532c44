import { refuse } from "@holdfast/api/conventions/api-error";
import { textLimits } from "@holdfast/api/conventions/text-limits";
import { FieldChecks } from "@holdfast/api/conventions/texts";
import { parseTimestamp } from "@holdfast/api/conventions/timestamp";
import { canonicalId } from "@holdfast/api/conventions/uuid";
import { entityBodies } from "@holdfast/api/resources/entities";
import type { z } from "zod";
import { type EntityRow, evidenceColumns, knownEntity } from "../../database/protection/entity-rows";
import { areAllRetired, type OperationMarks } from "../../database/protection/operations";
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
    ...retirementIn(row, body),
  };
  await setAttention(db, row.id, changes);
  const after = presentEntityV1({ ...row, ...changes });
  const named = new Set(body.operations?.map(({ operation }) => operation));
  return {
    object: { type: "entity", id: row.id },
    unitId: row.organizational_unit_id,
    before: attentionTo(before, named),
    after: attentionTo(after, named),
    body: JSON.stringify(after),
  };
});

/** Statement of a person about an entity: the rest comes from tasks, and is no part of a change. */
function attentionTo({ operations, ...entity }: ReturnType<typeof presentEntityV1>, named: ReadonlySet<string>) {
  const { primary_entity, muted_until, is_retired } = entity;
  const said = operations.flatMap(({ operation, is_retired }) =>
    named.has(operation) ? [{ operation, is_retired }] : [],
  );
  return { primary_entity, muted_until, is_retired, ...(named.size === 0 ? {} : { operations: said }) };
}

type UpdateBody = z.infer<(typeof entityBodies)["update"]>;

/**
 * Retires an entity or operations of it, or ends that. An entity is retired with the last of its operations, and if it is to need
 * attention again, so do these.
 */
function retirementIn(row: ListedEntity, { is_retired, operations }: UpdateBody): Partial<EntityRow> {
  if (is_retired === undefined && operations === undefined) return {};
  const known = knownEntity(row);
  const wasAll = areAllRetired(known.marks);
  const marked = markOperations(known.marks, operations ?? []);
  const isAll = areAllRetired(marked);
  const isRetired = is_retired ?? (isAll || (row.is_retired === 1 && !wasAll));
  const marks = isAll && !isRetired ? marked.map((mark) => ({ ...mark, isRetired: false })) : marked;
  return { ...evidenceColumns({ ...known, marks }), is_retired: isRetired ? 1 : 0 };
}

function markOperations(
  marks: readonly OperationMarks[],
  said: NonNullable<UpdateBody["operations"]>,
): readonly OperationMarks[] {
  const checks = new FieldChecks();
  const wanted = new Map<string, boolean>();
  for (const [place, { operation: given, is_retired }] of said.entries()) {
    const path = ["operations", place, "operation"];
    const operation = checks.line(path, given, textLimits.operation);
    if (wanted.has(operation)) checks.fail(path, "named once");
    else if (operation && !marks.some((mark) => mark.operation === operation)) {
      checks.refuse(
        path,
        `The protected entity has no operation ${JSON.stringify(operation)}. Name one of its operations as it is listed.`,
      );
    }
    wanted.set(operation, is_retired);
  }
  checks.finish();
  return marks.map((mark) => ({ ...mark, isRetired: wanted.get(mark.operation) ?? mark.isRetired }));
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
