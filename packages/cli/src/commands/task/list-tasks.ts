import type { Task } from "@holdfast/client";
import type { Command } from "commander";
import { listVerb, pageSize, withUnitNames } from "../../grammar/list-verb";
import { addTaskFilters, type TaskFlags, taskFilter } from "./task-filter";
import { taskShape } from "./task-shape";

const usualLimit = 100;

/** Lists tasks. */
export function listTasks(): Command {
  return taskList({
    description: "List tasks, newest first.",
    addOptions: (command) =>
      addTaskFilters(command).option("--watch", "Keep the list up to date, with progress bars, until q or Ctrl-C."),
    examples: [
      "holdfast task",
      "holdfast task --status failed --since 24h",
      "holdfast task --outcome lost,missed --category backup --unit Berlin -o csv",
      "holdfast task --status in_progress --watch",
    ],
    isWatch: (flags) => flags.watch === true,
  });
}

/** Live list of tasks. */
export function watchTasksVerb(): Command {
  return taskList({
    name: "watch",
    description:
      "Watch tasks as they change, with progress bars, until q or Ctrl-C. Without a terminal: a line per change.",
    addOptions: addTaskFilters,
    examples: ["holdfast task watch --status in_progress,queued", "holdfast task watch --category backup -o ndjson"],
    isWatch: () => true,
  });
}

type WatchFlags = TaskFlags & { watch?: true };

interface TaskList {
  name?: string;
  description: string;
  addOptions: (command: Command) => Command;
  examples: readonly string[];
  isWatch: (flags: WatchFlags) => boolean;
}

function taskList({ isWatch, ...verb }: TaskList): Command {
  return listVerb<Task, WatchFlags, Task>({
    ...verb,
    usualLimit,
    nothing: "No task matches.",
    list: async (client, flags) =>
      client.tasks.list({ limit: pageSize(flags, usualLimit), filter: await taskFilter(client, flags) }),
    rows: withUnitNames,
    shape: ({ units }) => taskShape(units, Date.now()),
    async instead(connection, flags, format) {
      if (!isWatch(flags)) return false;
      const { watchTasks } = await import("./watch-tasks");
      await watchTasks(connection, flags, format);
      return true;
    },
  });
}
