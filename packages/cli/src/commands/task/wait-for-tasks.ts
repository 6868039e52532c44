import type { Client, Task } from "@holdfast/client";
import { Refusal } from "@holdfast/server/settings/refusal";
import { Command } from "commander";
import { withConnection } from "../../connection/with-connection";
import { parseDuration } from "../../grammar/argument-parsers";
import { addConnectionOptions } from "../../grammar/connection-options";
import { addExamples } from "../../grammar/noun";
import { UsageError } from "../../grammar/usage-error";
import { unitNames } from "../../lookups/names";
import { findTaskId } from "../../lookups/tasks";
import { wordOf } from "../../output/outcome-marks";
import { formatOf, type OutputFlags, outputOptions } from "../../output/output-format";
import { printItems } from "../../output/print-items";
import { explain } from "../../output/write";
import { untilEnded } from "../../terminal/ending";
import { createProgressBar } from "../../terminal/progress-bar";
import { visible } from "../../terminal/visible";
import { taskShape } from "./task-shape";

/** So many values a filter takes at most. */
const maxTasks = 200;

interface WaitFlags extends OutputFlags {
  timeout?: number;
  acceptWarnings?: true;
}

/** Waits until tasks have ended. */
export function waitForTasks(): Command {
  const command = new Command("wait")
    .description("Wait until tasks have ended, and print them. The exit code is 0 only if all ended with success.")
    .argument("<id...>", `The tasks, or the beginnings of their ids, at most ${maxTasks}.`)
    .option("--timeout <time>", "How long to wait at most, such as 2h. (default: as long as it takes)", parseDuration)
    .option("--accept-warnings", "Take an incomplete backup for a success.");
  for (const option of outputOptions("table")) command.addOption(option);
  addExamples(command, ["holdfast task wait 0199a5c2-7e1b-7c3d-9f00-2b6a4d1e8f70 --timeout 2h && echo done"]);
  command.action((given: string[], flags: WaitFlags) => {
    const named = [...new Set(given)];
    if (named.length > maxTasks) throw new UsageError(`At most ${maxTasks} tasks can be waited for at once.`);
    return withConnection(command, async ({ client }) => {
      const ids = new Set<string>();
      for (const one of named) ids.add(await findTaskId(client, one));
      const tasks = await waitFor(client, [...ids], flags.timeout);
      const units = unitNames(client);
      await units.load(tasks.map((task) => task.organizational_unit_id));
      await printItems(formatOf(flags) ?? "table", tasks, taskShape(units));
      const good = flags.acceptWarnings ? ["success", "warning"] : ["success"];
      const bad = tasks.filter(({ outcome }) => !good.includes(outcome ?? ""));
      if (bad.length > 0) throw new Refusal(describe(bad, tasks.length));
    });
  });
  return addConnectionOptions(command);
}

function describe(bad: readonly Task[], all: number): string {
  const [first] = bad;
  const why = first?.error ? ` ${first.error.code}: ${first.error.remedy || first.error.message}` : "";
  const which = all === 1 ? "The task" : `${bad.length} of ${all} tasks`;
  return `${which} did not end with success (${bad.map(({ outcome }) => wordOf(outcome ?? "not_ended")).join(", ")}).${why}`;
}

/** Follows the tasks until the last one has ended. */
async function waitFor(client: Client, ids: readonly string[], timeout: number | undefined): Promise<Task[]> {
  const found = new Map<string, Task>();
  const ending = untilEnded({ withKeys: false });
  const late = timeout === undefined ? undefined : AbortSignal.timeout(timeout);
  const signal = late ? AbortSignal.any([ending.signal, late]) : ending.signal;
  const progress = createProgressBar({ label: "Waiting", total: ids.length * 100, stream: process.stderr });
  const onInterruption = (error: Error) => explain(`${visible(error.message)} Trying again.`);
  try {
    for await (const event of client.tasks.watch({
      filter: { id: { $in: ids } },
      limit: maxTasks,
      signal,
      onInterruption,
    })) {
      if (event.event === "snapshot") for (const task of event.page.items) found.set(task.id, task);
      else if (event.event === "match" || event.event === "task") found.set(event.item.id, event.item);
      const missing = ids.filter((id) => !found.has(id));
      if (missing.length > 0) {
        throw new Refusal(
          `There is no task ${missing.map(visible).join(", ")}, or you may not see it. See: holdfast task list`,
        );
      }
      const all = [...found.values()];
      if (all.every(({ outcome }) => outcome !== null)) return all;
      const label = all.length === 1 ? visible(all[0]?.progress_message ?? "Running") : "Running";
      progress.show(label.slice(0, 40), sumOf(all), ids.length * 100);
    }
  } catch (error) {
    if (late?.aborted) {
      const open = [...found.values()].filter(({ outcome }) => outcome === null).length;
      throw new Refusal(`${open} of ${ids.length} tasks have not ended in time. Wait longer with --timeout.`);
    }
    if (ending.signal.aborted) throw new Refusal("Interrupted. The tasks were left alone.");
    throw error;
  } finally {
    progress.done();
    ending.release();
  }
  throw new Refusal("The service has ended the stream. Try again.");
}

function sumOf(tasks: readonly Task[]): number {
  return tasks.reduce((sum, task) => sum + (task.outcome === null ? task.progress_percentage : 100), 0);
}
