import { randomUUID } from "node:crypto";
import { refuse, refuseField } from "@holdfast/api/conventions/api-error";
import { foldCase } from "@holdfast/api/conventions/fold-case";
import { textLimits } from "@holdfast/api/conventions/text-limits";
import { FieldChecks } from "@holdfast/api/conventions/texts";
import { canonicalId } from "@holdfast/api/conventions/uuid";
import { viewBodies, viewV1 } from "@holdfast/api/resources/views";
import { z } from "zod";
import type { Queries } from "../../database/database";
import { authorize } from "../../operations/authorize";
import { type ChangeCall, type Changed, type ChangeImplementation, implementChange } from "../../operations/change";
import { variableOf } from "../../operations/path-variables";
import { type ViewRow, viewSource } from "./list-views";
import { auditedView, presentViewV1 } from "./present";
import { readViewQuery } from "./read-query";

const maxPerPerson = 100;
const maxPerUnit = 200;

/** The unit or the person that a view belongs to. */
type Owner = Pick<ViewRow, "organizational_unit_id" | "user_id">;

export const createView: ChangeImplementation = implementChange(viewBodies.create, async (call, body) => {
  const { db, now, scope } = call;
  const checks = new FieldChecks();
  const name = checks.line("name", body.name, textLimits.viewName);
  const query = readViewQuery(checks, body.page, body.query, scope.unitId);
  checks.finish();
  const owner = await requireOwner(call, body.is_shared === true);
  await requireRoom(db, owner);
  const row = { id: randomUUID(), ...owner, ...viewNames(name), page: body.page, query, created_at: now };
  await refuseTakenName(db, row);
  await db.insertInto("saved_views").values(row).execute();
  return {
    ...audited(row),
    after: auditedView(row),
    body: JSON.stringify(presentViewV1(row)),
    location: `/views/${row.id}`,
  };
});

export const updateView: ChangeImplementation = implementChange(viewBodies.update, async (call, body) => {
  const { db } = call;
  const { place: _, ...before } = await requireView(call);
  call.requireMatch(JSON.stringify(presentViewV1(before)));
  const wasShared = before.user_id === null;
  if (wasShared) await requireRightToShare(call, before.organizational_unit_id);
  const page = viewV1.shape.page.parse(before.page);
  const checks = new FieldChecks();
  const name = body.name === undefined ? before.name : checks.line("name", body.name, textLimits.viewName);
  const query = body.query === undefined ? before.query : readViewQuery(checks, page, body.query, call.scope.unitId);
  checks.finish();
  const isMoved = body.is_shared !== undefined && body.is_shared !== wasShared;
  const owner = isMoved ? await requireOwner(call, !wasShared) : ownerOf(before);
  if (isMoved) await requireRoom(db, owner);
  const after = { ...before, ...owner, ...viewNames(name), query };
  await refuseTakenName(db, after);
  await db
    .updateTable("saved_views")
    .set({ ...owner, ...viewNames(name), query })
    .where("id", "=", before.id)
    .execute();
  return {
    // A view that is no longer shared was changed in the unit in which it was.
    ...audited(after.user_id === null ? after : before),
    before: auditedView(before),
    after: auditedView(after),
    body: JSON.stringify(presentViewV1(after)),
  };
});

export const deleteView: ChangeImplementation = implementChange(z.object({}), async (call): Promise<Changed> => {
  const row = await requireView(call);
  call.requireMatch(JSON.stringify(presentViewV1(row)));
  if (row.user_id === null) await requireRightToShare(call, row.organizational_unit_id);
  await call.db.deleteFrom("saved_views").where("id", "=", row.id).execute();
  return { ...audited(row), before: auditedView(row) };
});

/** The view that the path names, if the caller may see it. Whether the caller may change it is another question. */
async function requireView({ db, scope, variables }: ChangeCall) {
  const id = canonicalId(variableOf(variables, "view_id"));
  const row = await viewSource.find(db, { ...scope, permission: "views:read" }, id);
  if (!row) throw refuse("itemUnknown", "There is no such view, or you may not see it.");
  return row;
}

/** Gives the future owner: the unit that is acted in, or the person who acts. */
async function requireOwner(call: ChangeCall, isShared: boolean): Promise<Owner> {
  const { caller, scope } = call;
  if (isShared) {
    await requireRightToShare(call, scope.unitId);
    return { organizational_unit_id: scope.unitId, user_id: null };
  }
  if (caller.userId !== null) return { organizational_unit_id: null, user_id: caller.userId };
  throw refuseField(
    "kindForbidden",
    "/is_shared",
    'Only a person has private views. The field "is_shared" has to be true.',
  );
}

async function requireRightToShare({ caller, scope, permissionsIn }: ChangeCall, unitId: string | null): Promise<void> {
  const permissions = await permissionsIn(unitId ?? scope.unitId);
  authorize({ permission: scope.permission }, caller, permissions);
}

async function requireRoom(db: Queries, owner: Owner): Promise<void> {
  const { count } = await ofOwner(db, owner)
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  if (owner.user_id === null) {
    if (Number(count) < maxPerUnit) return;
    throw refuse("tooMany", `An organizational unit has at most ${maxPerUnit} shared views. Delete some first.`);
  }
  if (Number(count) < maxPerPerson) return;
  throw refuse("tooMany", `A person has at most ${maxPerPerson} private views. Delete some first.`);
}

async function refuseTakenName(
  db: Queries,
  { id, page, name_folded, ...owner }: Owner & { id: string; page: string; name_folded: string },
): Promise<void> {
  const taken = await ofOwner(db, owner)
    .select("id")
    .where("page", "=", page)
    .where("name_folded", "=", name_folded)
    .where("id", "!=", id)
    .executeTakeFirst();
  if (taken)
    throw refuseField("alreadyThere", "/name", "There is a view of this page with that name. Choose another name.");
}

function ofOwner(db: Queries, { organizational_unit_id, user_id }: Owner) {
  const views = db.selectFrom("saved_views");
  return user_id === null
    ? views.where("organizational_unit_id", "=", organizational_unit_id)
    : views.where("user_id", "=", user_id);
}

function ownerOf({ organizational_unit_id, user_id }: Owner): Owner {
  return { organizational_unit_id, user_id };
}

/** The columns that a name fills: what is sorted and compared is stored. */
function viewNames(name: string) {
  return { name, name_lower: name.toLowerCase(), name_folded: foldCase(name) };
}

/** The event belongs to the unit of a shared view; a private one has none, so that it is where its person acted. */
function audited({ id, organizational_unit_id }: ViewRow): Pick<Changed, "object" | "unitId"> {
  return {
    object: { type: "view", id },
    ...(organizational_unit_id === null ? {} : { unitId: organizational_unit_id }),
  };
}
