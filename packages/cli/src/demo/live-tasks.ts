import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "@holdfast/client";
import { reportTask, type TaskError } from "@holdfast/client/report";
import type { TaskRecord } from "@holdfast/server/resources/tasks/record";
import { faultOf } from "./faults";
import { firstLine, lastLines, stepLine } from "./log-lines";
import type { Random } from "./random";

/** Work that the made-up company does, taken from the tasks that it has. */
export type LiveWork = Pick<TaskRecord, "category" | "type" | "organizational_unit_id" | "primary_entity">;

export interface LiveOptions {
  work: readonly LiveWork[];
  random: Random;
  /** Number of tasks that run at once. */
  atOnce: number;
  /** Length of a second of the made-up work, in milliseconds. */
  secondMs: number;
  /** Ends all of it. */
  signal: AbortSignal;
  onLine: (line: string) => void;
}

/** A made-up failure of made-up work. */
class MadeUpFailure extends Error {
  readonly fault: TaskError;
  constructor(fault: TaskError) {
    super(fault.message);
    this.fault = fault;
  }
}

const fallback: TaskError = { code: "command_failed", message: "The engine ended with 1.", remedy: "Read the log." };
const faults = ["repository_locked", "host_unreachable", "connection_closed", "repository_full"] as const;

/** Keeps some tasks running, one after the other in each of several lanes, until the signal is aborted. */
export async function runLiveTasks(client: Client, options: LiveOptions): Promise<void> {
  const lanes = Array.from({ length: options.atOnce }, () => runLane(client, options));
  await Promise.all(lanes);
}

async function runLane(client: Client, options: LiveOptions): Promise<void> {
  const { random, work, secondMs, signal, onLine } = options;
  while (!signal.aborted) {
    const chosen = random.pick(work);
    const entity = chosen.primary_entity?.value ?? "the control plane";
    const name = `${chosen.type} of ${entity}`;
    onLine(`${name}: started`);
    try {
      await reportTask(client, taskOptions(chosen), (task) => pretend(task, chosen.type, entity, options));
      onLine(`${name}: done`);
    } catch (error) {
      onLine(`${name}: ${error instanceof Error ? error.message : error}`);
    }
    await sleep(random.whole(1, 6) * secondMs, undefined, { signal }).catch(() => {});
  }
}

function taskOptions({ category, type, organizational_unit_id, primary_entity }: LiveWork) {
  return {
    category,
    type,
    organizational_unit_id,
    ...(primary_entity ? { primary_entity } : {}),
    runner: { host: primary_entity?.value ?? "localhost", version: "holdfast demo" },
    describeError: (error: unknown) => (error instanceof MadeUpFailure ? error.fault : fallback),
    onProblem: () => {},
  };
}

/** Does nothing for a while, and says how it comes along. Ctrl-C only makes it shorter: it is no failure of the company's. */
async function pretend(
  task: Parameters<Parameters<typeof reportTask>[2]>[0],
  type: string,
  entity: string,
  { random, secondMs, signal }: LiveOptions,
): Promise<void> {
  const steps = random.whole(12, 50);
  const failsAt = random.isLucky(0.12) ? random.whole(2, steps) : undefined;
  const isIncomplete = random.isLucky(0.1);
  task.log(`${firstLine({ type, entity })}\n`);
  for (let step = 1; step <= steps && !signal.aborted; step++) {
    await sleep(secondMs, undefined, { signal: task.signal });
    if (step === failsAt) {
      const { code, message, remedy } = faultOf(random.pick(faults));
      const said = message.replaceAll("{entity}", entity);
      task.log(`${said}\n`);
      throw new MadeUpFailure({ code, message: said, remedy });
    }
    const line = stepLine(random, type);
    task.log(`${line}\n`);
    task.progress((100 * step) / (steps + 1), line);
  }
  for (const line of lastLines(random, { type, entity, isIncomplete })) task.log(`${line}\n`);
  if (isIncomplete) task.warn(faultOf("files_unreadable"));
}
