import { refuse, refuseField } from "@holdfast/api/conventions/api-error";
import { textLimits } from "@holdfast/api/conventions/text-limits";
import { FieldChecks } from "@holdfast/api/conventions/texts";
import { canonicalId, parseUuid } from "@holdfast/api/conventions/uuid";
import { organizationalUnitBodies } from "@holdfast/api/resources/organizational-units";
import { z } from "zod";
import { canBeStored } from "../../lists/comparisons";
import { type ChangeCall, type Changed, type ChangeImplementation, implementChange } from "../../operations/change";
import { variableOf } from "../../operations/path-variables";
import type { KnownContents, UnitBelow } from "../unit-contents";
import { auditedUnit, viewsOfChange, viewsOfRemoval } from "./audited-unit";
import { unitSource } from "./list-units";
import { moveUnit } from "./move-unit";
import { moveUnitContents, removeUnit } from "./move-unit-contents";
import { requireHeldByMover } from "./moved-rights";
import { placeUnits } from "./place-units";
import { presentUnitV1 } from "./present";
import { createUnit, findUnit, renameUnit, setStaleDays, type UnitRow } from "./store";
import { requireMovable, requirePlace, requireWritable } from "./unit-rights";

export const createOrganizationalUnit: ChangeImplementation = implementChange(
  organizationalUnitBodies.create,
  async (call, body) => {
    const { db, scope, now } = call;
    const checks = new FieldChecks();
    const name = checks.line("name", body.name, textLimits.name);
    const parentId = readUnitId(checks, body.parent_id) ?? scope.unitId;
    checks.finish();
    await requireWritable(call, parentId);
    const id = await createUnit(db, { name, parentId, createdAt: now });
    if (body.stale_after_days !== undefined) await setStaleDays(db, id, body.stale_after_days);
    const made = await reread(call, id);
    return {
      object: { type: "organizational-unit", id },
      unitId: parentId,
      after: auditedUnit(made),
      body: await write(call, made),
      location: `/organizational-units/${id}`,
    };
  },
);

export const updateOrganizationalUnit = (contents: readonly KnownContents[]): ChangeImplementation =>
  implementChange(organizationalUnitBodies.update, async (call, body) => {
    const { db } = call;
    const unit = await requireUnitInScope(call);
    const checks = new FieldChecks();
    const name = body.name === undefined ? unit.name : checks.line("name", body.name, textLimits.name);
    const to = readUnitId(checks, body.parent_id);
    checks.finish();
    const isMoved = to !== undefined && (await move(call, contents, unit, name, to));
    if (!isMoved && name !== unit.name) await rename(call, unit, name);
    if (body.stale_after_days !== undefined) await setStaleDays(db, unit.id, body.stale_after_days);
    const changed = await reread(call, unit.id);
    const [seen, ...auditViews] = await viewsOfChange(db, unit, changed);
    const object = { type: "organizational-unit", id: unit.id };
    return { object, ...seen, auditViews, body: await write(call, changed) };
  });

export const deleteOrganizationalUnit = (contents: readonly KnownContents[]): ChangeImplementation =>
  implementChange(z.object({}), async (call): Promise<Changed> => {
    const { db, parameters, now } = call;
    const unit = await requireUnitInScope(call);
    const { parent_id: parentId } = unit;
    if (parentId === null) throw refuse("stateConflict", "The root cannot be deleted. Delete the units below it.");
    const wanted = parameters.get("move_to");
    const to = wanted === undefined || wanted === "" ? undefined : parseUuid(wanted);
    if (to === undefined && wanted !== undefined && wanted !== "") {
      throw refuseField(
        "parameterInvalid",
        "move_to",
        "The parameter move_to has to be the id of an organizational unit.",
      );
    }
    if (to === undefined) await requirePlace(call, parentId);
    else await moveEverything(call, contents, { id: unit.id, parentId }, to);
    await removeUnit(db, contents, { id: unit.id, parentId }, now);
    const [seen, ...auditViews] = await viewsOfRemoval(db, { ...unit, parent_id: parentId }, to);
    return { object: { type: "organizational-unit", id: unit.id }, ...seen, auditViews };
  });

async function rename(call: ChangeCall, { id, parent_id: parentId }: UnitRow, name: string): Promise<void> {
  if (parentId !== null) await requirePlace(call, parentId);
  await renameUnit(call.db, { id, parentId }, name);
}

/** Moves a unit, where the caller may; or it is there already. */
async function move(
  call: ChangeCall,
  contents: readonly KnownContents[],
  unit: UnitRow,
  name: string,
  to: string,
): Promise<boolean> {
  const { db, now } = call;
  // First of all, also where it is there already: that alone must not show.
  await requireWritable(call, to);
  if (unit.parent_id === to) return false;
  if (unit.parent_id === null) throw refuse("stateConflict", "The root cannot be moved. Move the units below it.");
  const placed = { id: unit.id, parentId: unit.parent_id };
  await requireMovable(call, placed, to);
  await moveUnit(db, contents, { ...placed, name }, to, now);
  return true;
}

async function moveEverything(
  call: ChangeCall,
  contents: readonly KnownContents[],
  unit: UnitBelow,
  to: string,
): Promise<void> {
  const { db, now } = call;
  await requireMovable(call, unit, to);
  // Who holds a role in the unit is going to hold it there.
  await requireHeldByMover(call, to, { gained: [unit.id], lost: [] });
  await moveUnitContents(db, contents, unit, to, now);
}

/** The unit, if it is in the one that is acted in and is what If-Match speaks of. */
async function requireUnitInScope(call: ChangeCall): Promise<UnitRow> {
  const { db, scope, variables } = call;
  const id = canonicalId(variableOf(variables, "organizational_unit_id"));
  const listed = canBeStored(id) ? await unitSource.find(db, scope, id) : undefined;
  const unit = listed && (await findUnit(db, id));
  if (!unit) throw refuse("itemUnknown", "There is no such organizational unit, or you may not see it.");
  call.requireMatch(JSON.stringify(presentUnitV1(listed)));
  return unit;
}

function readUnitId(checks: FieldChecks, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const id = parseUuid(text);
  if (id === undefined) checks.fail("parent_id", "the id of an organizational unit");
  return id;
}

async function reread({ db }: ChangeCall, id: string): Promise<UnitRow> {
  const row = await findUnit(db, id);
  if (!row) throw new Error("An organizational unit that was just written is not there.");
  return row;
}

/** A unit as the caller reads it. */
async function write({ db, caller }: ChangeCall, row: UnitRow): Promise<string> {
  const [placed] = await placeUnits(db, caller, [row]);
  if (!placed) throw new Error("An organizational unit has lost its place.");
  return JSON.stringify(presentUnitV1(placed));
}
