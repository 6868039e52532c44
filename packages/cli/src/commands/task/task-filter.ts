import { parseUuid } from "@holdfast/api/conventions/uuid";
import { taskCategories, taskOutcomes, taskStatuses } from "@holdfast/api/resources/task-words";
import { type Client, type FilterOf, HoldfastError } from "@holdfast/client";
import type { Command } from "commander";
import { parsePast, parseWords, taking, wordsOf } from "../../grammar/argument-parsers";
import type { ListFlags } from "../../grammar/list-verb";
import { findMonitorId } from "../../lookups/monitors";

export type TaskFilter = FilterOf<"tasks", "list-tasks">;

/** Options that select tasks. */
export interface TaskFlags extends ListFlags {
  status?: string[];
  outcome?: string[];
  category?: string[];
  type?: string[];
  entity?: string;
  monitor?: string[];
  errorCode?: string[];
  search?: string;
  since?: string;
  until?: string;
}

/** Lets a command say which tasks are meant. A list of values takes commas. */
export function addTaskFilters(command: Command): Command {
  return addCountFilters(command)
    .option("--search <text>", "Only those with this in the name of what they protect.")
    .option("--entity <name>", "Only of what has exactly this name, such as web-1, or this id.")
    .option("--monitor <list>", "Only runs of these monitors, by name, slug or id.", parseWords())
    .option("--error-code <list>", "Only with these errors, such as repository_locked.", parseWords());
}

const readOutcomes = parseWords([...taskOutcomes, "incomplete"]);
/** Outcomes, also by the word that people see for a warning. */
const parseOutcomes = taking(wordsOf(readOutcomes), (text: string) =>
  readOutcomes(text).map((word) => (word === "incomplete" ? "warning" : word)),
);

/** The filters that counts have, too. */
export function addCountFilters(command: Command): Command {
  return command
    .option("--status <list>", `Only where they stand so: ${taskStatuses.join(", ")}.`, parseWords(taskStatuses))
    .option(
      "--outcome <list>",
      `Only how they ended: ${taskOutcomes.join(", ")}; incomplete is the same as warning.`,
      parseOutcomes,
    )
    .option("--category <list>", `Only of these kinds: ${taskCategories.join(", ")}.`, parseWords(taskCategories))
    .option("--type <list>", "Only what they do, such as restic_backup.", parseWords())
    .option("--since <time>", "Only from this moment on: a timestamp, a day, or how long ago (24h).", parsePast)
    .option("--until <time>", "Only before this moment.", parsePast);
}

/** The filter that the options ask for. */
export async function taskFilter(client: Client, flags: TaskFlags): Promise<TaskFilter> {
  const { entity, monitor, errorCode, search } = flags;
  const monitors: string[] = [];
  for (const one of monitor ?? []) monitors.push(await findMonitorId(client, one));
  return {
    ...countFilter(flags),
    ...(search === undefined ? {} : { "primary_entity.value": { $contains: search } }),
    ...(entity === undefined ? {} : await entityFilter(client, entity)),
    ...(monitor === undefined ? {} : { monitor_id: { $in: monitors } }),
    ...(errorCode === undefined ? {} : { "error.code": { $in: errorCode } }),
  };
}

/** Protected items are named by its name, by the id that its tasks name, or by the id that entity list shows. */
async function entityFilter(client: Client, given: string): Promise<TaskFilter> {
  const id = parseUuid(given);
  if (id === undefined) return { "primary_entity.value": { $eq: given } };
  try {
    const { primary_entity } = await client.entities.read(id);
    return { "primary_entity.id": { $eq: primary_entity.id } };
  } catch (error) {
    if (!(error instanceof HoldfastError) || ![403, 404].includes(error.status)) throw error;
    return { "primary_entity.id": { $eq: id } };
  }
}

export function countFilter({ status, outcome, category, type, since, until }: TaskFlags) {
  const range = { ...(since === undefined ? {} : { $gte: since }), ...(until === undefined ? {} : { $lt: until }) };
  return {
    ...(status === undefined ? {} : { status: { $in: status } }),
    ...(outcome === undefined ? {} : { outcome: { $in: outcome } }),
    ...(category === undefined ? {} : { category: { $in: category } }),
    ...(type === undefined ? {} : { type: { $in: type } }),
    ...(since === undefined && until === undefined ? {} : { created_timestamp: range }),
  };
}
