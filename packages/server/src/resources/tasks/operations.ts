import { type TaskV1, taskFilters } from "@holdfast/api/resources/tasks";
import { allOf } from "../../lists/comparisons";
import type { ListScope, Snapshot } from "../../lists/list-source";
import { type Implementation, implementList, implementRead, type Writers } from "../implementation";
import { unitConditions } from "./conditions";
import { createTaskSource } from "./list-tasks";

const writers: Writers<{ document: string }> = {
  // What is stored is what is shown, unless links have further names.
  1: ({ document }, { underscoreLinks, nameLinks }) => {
    if (!underscoreLinks) return document;
    const task: TaskV1 = JSON.parse(document);
    return JSON.stringify({ ...task, _links: nameLinks({ self: task._links.self }) });
  },
};

/** What can be done with tasks. */
export function taskReadings(): Record<string, Implementation> {
  return {
    "list-tasks": implementList(createTaskSource(), taskFilters, writers),
    "read-task": implementRead(findTask, "task", writers),
  };
}

async function findTask({ db }: Snapshot, scope: ListScope, id: string) {
  return db
    .selectFrom("tasks")
    .select("document")
    .where("id", "=", id)
    .where(allOf(unitConditions(scope)))
    .executeTakeFirst();
}
