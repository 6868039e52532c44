import { randomUUID } from "node:crypto";
import type { tasks } from "@holdfast/api/resources/tasks";
import {
  type AddItem,
  another,
  inside,
  listing,
  none,
  post,
  type ResourceSample,
  reading,
  unitOf,
} from "./resource-sample";

const normal = { category: "backup", type: "restic_backup" };

const addTask: AddItem = async (plane, unitId) => {
  const [task] = await plane.addTasks([{ organizational_unit_id: unitId }]);
  return task?.id ?? "";
};

/** A task that waits for whoever claims it. */
const addQueued: AddItem = (plane, organizational_unit_id) =>
  post(plane, "/tasks", { ...normal, status: "queued", organizational_unit_id });

/** Reports are their own record: only what asks for a change is audited. */
export const taskSample: ResourceSample<typeof tasks> = {
  operations: {
    "list-tasks": listing,
    "read-task": reading(addTask),
    "create-task": {
      ...inside,
      reach: "named",
      gives: [],
      prepare: async (plane, place) => ({
        body: { category: "backup", type: `engine_${another()}`, organizational_unit_id: unitOf(plane, place) },
      }),
    },
    "update-task": [
      {
        ...inside,
        what: "claim",
        gives: [],
        prepare: async (plane, place) => ({
          itemId: await addQueued(plane, unitOf(plane, place)),
          body: { status: "in_progress", claim_id: randomUUID() },
        }),
      },
      {
        ...inside,
        what: "abort",
        needs: "tasks:abort",
        gives: [],
        prepare: async (plane, place) => ({
          itemId: await addQueued(plane, unitOf(plane, place)),
          body: { status: "aborting" },
          auditedIn: unitOf(plane, place),
        }),
      },
    ],
    "append-task-log": {
      ...inside,
      gives: [],
      isOwn: true,
      // Only the one who runs a task writes its log.
      prepare: async (plane, place, { holder }) => {
        const itemId = await addQueued(plane, unitOf(plane, place));
        await plane.database.change((db) =>
          db.updateTable("task_leases").set({ holder }).where("task_id", "=", itemId).execute(),
        );
        return { itemId, body: { offset: 0, text: `line ${another()}\n` } };
      },
    },
    "read-task-log": reading(addTask),
    "list-task-counts": listing,
    "watch-tasks": listing,
    "report-tasks": {
      ...none,
      prepare: async () => {
        const id = randomUUID();
        return { body: { reports: [{ operation: "create", task_id: id, body: { id, ...normal } }] } };
      },
    },
  },
  async seed(plane, several, one) {
    await plane.addTasks(Array.from({ length: 9 }, () => ({ organizational_unit_id: several })));
    // On several days, for the counts.
    await plane.addTasks(
      Array.from({ length: 7 }, (_, index) => ({
        organizational_unit_id: several,
        created_timestamp: `2026-10-1${index}T12:00:00.000Z`,
      })),
    );
    await plane.addTasks([{ organizational_unit_id: one }]);
  },
};
