import type { Task } from "@holdfast/client";
import type { Command } from "commander";
import { resourceNoun } from "../../grammar/resource-noun";
import { abortTask } from "./abort-task";
import { countTasks } from "./count-tasks";
import { importCommand, pruneCommand } from "./keep-tasks";
import { taskList, type WatchFlags, watchTasksVerb } from "./list-tasks";
import { logTask, showTask } from "./show-task";
import { waitForTasks } from "./wait-for-tasks";

/** Tasks. */
export function taskCommand(): Command {
  return resourceNoun<"tasks", Task, WatchFlags>({
    ...taskList,
    description: "Tasks: what ran, when, on what and how it ended.",
    verbs: [
      showTask(),
      logTask(),
      watchTasksVerb(),
      countTasks(),
      waitForTasks(),
      abortTask(),
      importCommand(),
      pruneCommand(),
    ],
  });
}
