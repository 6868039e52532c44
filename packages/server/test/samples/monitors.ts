import { randomUUID } from "node:crypto";
import type { monitors } from "@holdfast/api/resources/monitors";
import { addMonitor, defaultChoices, slugOf } from "../../src/resources/monitors/store";
import { sampleTask } from "../harness";
import {
  type AddItem,
  another,
  changing,
  creating,
  listing,
  names,
  none,
  type OwnedPlane,
  post,
  type ResourceSample,
  reading,
} from "./resource-sample";

const add: AddItem = (plane, organizational_unit_id) =>
  post(plane, "/monitors", { name: randomUUID(), organizational_unit_id });

export const monitorSample: ResourceSample<typeof monitors> = {
  operations: {
    "preview-schedule": { ...none, prepare: async () => ({ query: "?cron=30+2+*+*+*" }) },
    "list-monitor-suggestions": listing,
    "list-monitors": listing,
    "read-monitor": reading(add),
    "create-monitor": creating((organizational_unit_id) => ({ name: randomUUID(), organizational_unit_id })),
    "create-monitors": {
      ...none,
      prepare: async (plane) => ({ body: { monitors: [{ name: randomUUID() }] }, auditedIn: plane.units.own }),
    },
    "update-monitor": changing(add, () => ({ grace_seconds: 600 })),
    "rotate-monitor-url": changing(add, () => ({ overlap_seconds: another() })),
    "delete-monitor": changing(add),
  },
  async seed(plane, several, one) {
    await addOperations(plane, several);
    for (const [index, name] of names.entries()) await addNamed(plane, several, name, index);
    await addNamed(plane, one, "South", 0);
  },
};

async function addNamed(
  { database, controlPlane, clock }: OwnedPlane,
  organizational_unit_id: string,
  name: string,
  index: number,
): Promise<void> {
  clock.now += 1;
  const place = { id: randomUUID(), organizational_unit_id, name, category: "backup", type: "restic_backup" };
  const schedule = index % 2 === 0 ? null : JSON.stringify({ period_seconds: 3_600 * index });
  const watched = JSON.stringify({ id: "seeded-0", type: "database", value: "Mail store" });
  const entity = index === 1 ? { primary_entity: watched, operation: sampleTask(1).type } : {};
  const monitor = { ...defaultChoices, ...place, slug: slugOf(place), schedule, ...entity };
  await database.change((db) => addMonitor(db, controlPlane.sealer, monitor, clock.now));
}

/** Operations that run every day, which nothing watches: for suggestions. */
async function addOperations(plane: OwnedPlane, organizational_unit_id: string): Promise<void> {
  const primary_entity = { id: "seeded-many", type: "host", value: "Many" };
  const operations = ["etc", "home", "srv 100%", "Élan", "opt_7", "var", "Var"];
  for (const [index, operation] of operations.entries()) {
    const run = (day: number) => {
      const at = `2026-11-${day}T0${index}:00:00.000Z`;
      const times = { created_timestamp: at, start_timestamp: at, end_timestamp: at };
      return { organizational_unit_id, primary_entity, operation, ...times };
    };
    await plane.addTasks([10, 11, 12, 13, 14].map(run));
  }
}
