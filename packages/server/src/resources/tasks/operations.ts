import { getLink, type NameLinks } from "@holdfast/api/conventions/hal";
import { taskFilters } from "@holdfast/api/resources/tasks";
import type { ListScope, Snapshot } from "../../lists/list-source";
import { type Implementation, implementList, implementRead } from "../implementation";
import { unitConditions } from "./conditions";
import { createTaskSource } from "./list-tasks";

/** What can be done with tasks. */
export function taskOperations(nameLinks: NameLinks): Record<string, Implementation> {
  const writeV1 = createTaskWriter(nameLinks);
  return {
    "list-tasks": implementList(createTaskSource(), taskFilters, { 1: writeV1 }),
    "read-task": implementRead(findTask, "task", { 1: writeV1 }),
  };
}

/** Writes a task's stored JSON with its links; a list of a hundred tasks does so a hundred times. */
function createTaskWriter(nameLinks: NameLinks): (task: { id: string; document: string }) => string {
  const links = JSON.stringify(nameLinks({ self: getLink("/tasks/{task_id}") })).split("{task_id}");
  return ({ id, document }) => `${document.slice(0, -1)},"_links":${links.join(encodeURIComponent(id))}}`;
}

async function findTask({ db }: Snapshot, scope: ListScope, id: string) {
  return db
    .selectFrom("tasks")
    .select(["id", "document"])
    .where("id", "=", id)
    .where((eb) => eb.and(unitConditions(scope)))
    .executeTakeFirst();
}
