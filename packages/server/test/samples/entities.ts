import { randomUUID } from "node:crypto";
import type { entities } from "@holdfast/api/resources/entities";
import { type AddItem, changing, listing, type ResourceSample, reading } from "./resource-sample";

/** Something protected that no other task names. */
const addEntity: AddItem = async (plane, organizational_unit_id) => {
  const id = randomUUID();
  await plane.addTasks([{ organizational_unit_id, primary_entity: { id, type: "host", value: id }, id }]);
  const row = await plane.database.snapshot((db) =>
    db.selectFrom("protected_entities").select("id").where("entity_id", "=", id).executeTakeFirstOrThrow(),
  );
  return row.id;
};

const outcomes = ["success", "warning", "missed", "error", "success", "warning"] as const;
const names = ["Mail store", "db 100%", "Web_7", "Élan", "zebra", "Zebra"];

/** Entities come into being with their tasks. */
export const entitySample: ResourceSample<typeof entities> = {
  operations: {
    "list-entities": listing,
    "list-entity-counts": listing,
    "read-entity": reading(addEntity),
    "update-entity": changing(addEntity, () => ({ is_retired: true })),
  },
  /** In every state but `good`, which needs a monitor. What is in the other unit came with its task. */
  async seed(plane, several) {
    for (const [index, outcome] of outcomes.entries()) {
      const primary_entity = { id: `seeded-${index}`, type: "database", value: names[index] ?? "" };
      const day = `2026-09-0${index + 1}`;
      const status = outcome === "success" || outcome === "warning" ? "completed" : "failed";
      await plane.addTasks([
        { organizational_unit_id: several, primary_entity, created_timestamp: `${day}T01:00:00.000Z` },
        {
          organizational_unit_id: several,
          primary_entity,
          status,
          outcome,
          created_timestamp: `${day}T02:00:00.000Z`,
          end_timestamp: "2026-11-14T00:00:00.000Z",
        },
      ]);
    }
    const primary_entity = { id: "seeded-never", type: "host", value: "Never" };
    await plane.addTasks([{ organizational_unit_id: several, primary_entity, status: "failed" }]);
  },
};
