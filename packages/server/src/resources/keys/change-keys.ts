import { refuse } from "@holdfast/api/conventions/api-error";
import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import { z } from "zod";
import { retireSigningKey, rotateSigningKey } from "../../access/tokens/signing-keys";
import { canBeStored } from "../../lists/comparisons";
import { type ChangeCall, type ChangeImplementation, implementChange } from "../../operations/change";
import { variableOf } from "../../operations/path-variables";
import { auditViewsOfRetirement } from "./audit-views";
import { keySource } from "./list-keys";
import { presentKeyV1 } from "./present";

export const rotateKey: ChangeImplementation = implementChange(z.object({}), async (call) => {
  const { db, parts, now } = call;
  const kid = await rotateSigningKey(db, parts.sealer, now);
  const after = await find(call, kid);
  if (!after) throw new Error("A key that was just made is not there.");
  return {
    object: { type: "key", id: kid },
    unitId: rootUnitId,
    after,
    body: JSON.stringify(after),
    location: `/keys/${kid}`,
  };
});

export const retireKey: ChangeImplementation = implementChange(z.object({}), async (call) => {
  const { db, parts, now } = call;
  const kid = variableOf(call.variables, "key_id");
  const before = canBeStored(kid) ? await find(call, kid) : undefined;
  if (!before) throw refuse("itemUnknown", "There is no such key, or you may not see it.");
  call.requireMatch(JSON.stringify(before));
  const [whole, ...auditViews] = auditViewsOfRetirement(await retireSigningKey(db, parts.sealer, kid, now));
  return { ...whole, object: { type: "key", id: kid }, before, auditViews };
});

async function find({ db, scope, now }: ChangeCall, kid: string) {
  const row = await keySource(now).find(db, scope, kid);
  return row && presentKeyV1(row);
}
