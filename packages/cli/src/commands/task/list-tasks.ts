import type { Task } from "@holdfast/client";
import type { Command } from "commander";
import { listVerb, pageSize, withUnitNames } from "../../grammar/list-verb";
import { addTaskFilters, type TaskFlags, taskFilter } from "./task-filter";
import { taskShape } from "./task-shape";

const usualLimit = 100;

/** Lists tasks. */
export function listTasks(): Command {
  return listVerb<Task, TaskFlags & { watch?: true }, Task>({
    description: "List tasks, newest first.",
    usualLimit,
    searches: "the name of what they protect",
    addOptions: (command) =>
      addTaskFilters(command).option("--watch", "Keep the list up to date, with progress bars, until q or Ctrl-C."),
    examples: [
      "holdfast task",
      "holdfast task --status failed --since 24h",
      "holdfast task --outcome lost,missed --category backup --unit Berlin -o csv",
      "holdfast task --status in_progress --watch",
    ],
    list: async (client, flags) =>
      client.tasks.list({ limit: pageSize(flags, usualLimit), filter: await taskFilter(client, flags) }),
    rows: withUnitNames,
    shape: ({ units }) => taskShape(units, Date.now()),
    async instead(connection, flags, format) {
      if (!flags.watch) return false;
      const { watchTasks } = await import("./watch-tasks");
      await watchTasks(connection, flags, format);
      return true;
    },
  });
}
