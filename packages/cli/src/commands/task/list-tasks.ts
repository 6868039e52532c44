import type { Client, Task } from "@holdfast/client";
import type { Command } from "commander";
import { filledFields } from "../../grammar/field-option";
import type { ListFlags } from "../../grammar/list-verb";
import { type ResourceList, resourceList } from "../../grammar/resource-list";
import { addEntityFilter, type EntityFlag, entityFilter, taskFilters, viewFilter } from "./task-filter";
import { taskColumns } from "./task-shape";

export type WatchFlags = ListFlags & EntityFlag & { watch?: true };

type TaskListing = ResourceList<"tasks", Task, WatchFlags>;

/** The list of tasks: once, or kept up to date. */
export const taskList = {
  name: "task",
  resource: "tasks",
  calls: ({ tasks: { list, read } }: Client) => ({ list, read }),
  columns: taskColumns,
  list: {
    ...howListed(({ watch }) => watch === true),
    description: "List tasks, newest first.",
    addOptions: (command: Command) =>
      addEntityFilter(command).option("--watch", "Keep the list up to date, with progress bars, until q or Ctrl-C."),
    examples: [
      "holdfast task",
      "holdfast task --status failed --since 24h",
      "holdfast task --outcome lost,missed --category backup --unit Berlin -o csv",
      "holdfast task --status in_progress --watch",
      'holdfast task list --view "failures of the week"',
    ],
  },
} as const satisfies TaskListing;

/** Declares the verb that keeps the list up to date. */
export function watchTasksVerb(): Command {
  return resourceList<"tasks", Task, WatchFlags>({
    ...taskList,
    list: {
      ...howListed(() => true),
      verb: "watch",
      description:
        "Watch tasks as they change, with progress bars, until q or Ctrl-C. Without a terminal: a line per change.",
      addOptions: addEntityFilter,
      examples: ["holdfast task watch --status in_progress,queued", "holdfast task watch --category backup -o ndjson"],
    },
  });
}

function howListed(isWatch: (flags: WatchFlags) => boolean) {
  return {
    defaultLimit: 100,
    filters: taskFilters,
    filter: entityFilter,
    baseFilter: viewFilter,
    nothing: "No task matches.",
    async instead(connection, flags, format, command) {
      if (!isWatch(flags)) return false;
      const { client } = connection;
      const base = await viewFilter(flags, client);
      const filter = { ...base, ...(await filledFields(command, client)), ...(await entityFilter(flags, client)) };
      const { watchTasks } = await import("./watch-tasks");
      await watchTasks(connection, { filter, limit: flags.limit }, format);
      return true;
    },
  } satisfies TaskListing["list"];
}
