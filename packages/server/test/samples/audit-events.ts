import { randomUUID } from "node:crypto";
import type { auditEvents } from "@holdfast/api/resources/audit-events";
import { recordEvent } from "../../src/audit/record-event";
import { type AddItem, listing, type ResourceSample, reading } from "./resource-sample";

const addEvent: AddItem = async (plane, unitId) => {
  const objectId = randomUUID();
  await plane.database.change((db) =>
    recordEvent(db, plane.controlPlane.sealer, {
      at: plane.clock.now,
      actor: { kind: "command_line", user_id: null, token_id: null, address: null },
      operation: "import-tasks",
      object: { type: "task", id: objectId },
      unitId,
      requestId: null,
      result: "done",
    }),
  );
  const row = await plane.database.snapshot((db) =>
    db.selectFrom("audit_events").select("id").where("object_id", "=", objectId).executeTakeFirstOrThrow(),
  );
  return row.id;
};

export const auditEventSample: ResourceSample<typeof auditEvents> = {
  operations: { "list-audit-events": listing, "read-audit-event": reading(addEvent) },
  async seed(plane, several, one) {
    for (const unitId of [several, several, several, several, one]) await addEvent(plane, unitId);
  },
};
