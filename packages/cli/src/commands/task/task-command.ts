import type { Command } from "commander";
import { noun } from "../../grammar/noun";
import { abortTask } from "./abort-task";
import { countTasks } from "./count-tasks";
import { importCommand, pruneCommand } from "./keep-tasks";
import { listTasks, watchTasksVerb } from "./list-tasks";
import { logTask, showTask } from "./show-task";
import { waitForTasks } from "./wait-for-tasks";

/** Tasks. */
export function taskCommand(): Command {
  return noun("task", "Tasks: what ran, when, on what and how it ended.", [
    listTasks(),
    showTask(),
    logTask(),
    watchTasksVerb(),
    countTasks(),
    waitForTasks(),
    abortTask(),
    importCommand(),
    pruneCommand(),
  ]);
}
