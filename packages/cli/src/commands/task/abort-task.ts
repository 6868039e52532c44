import type { Task } from "@holdfast/client";
import type { Command } from "commander";
import { changeVerb } from "../../grammar/change-verb";
import { findTaskId } from "../../lookups/tasks";
import { explain } from "../../output/write";
import { visible } from "../../terminal/visible";

export function abortTask(): Command {
  return changeVerb<Task, { reason?: string }>({
    name: "abort",
    description: "Ask for a task to be aborted. Its runner stops the work; task wait says when it has.",
    argument: ["id", "The task, or the beginning of its id; see: holdfast task list --status in_progress,queued"],
    addOptions: (command) => command.option("--reason <text>", "Why, for those who look at it later."),
    examples: ['holdfast task abort 0199a5c2-7e1b-7c3d-9f00-2b6a4d1e8f70 --reason "the disk is needed"'],
    prints: "nothing",
    async change({ client }, given, { reason }) {
      const id = await findTaskId(client, given);
      const item = await client.tasks.abort(id, reason);
      const news = item.status === "aborted" ? "is aborted" : "is to be aborted: its runner has been asked";
      explain(`The task ${visible(item.id)} ${news}.`);
      return { item };
    },
  });
}
