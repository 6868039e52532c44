import { parseUuid } from "@holdfast/api/conventions/uuid";
import { taskOutcomes } from "@holdfast/api/resources/task-words";
import { viewPages } from "@holdfast/api/resources/view-pages";
import { type Client, type FilterOf, HoldfastError } from "@holdfast/client";
import type { Command } from "commander";
import { parseWords, taking, wordsOf } from "../../grammar/argument-parsers";
import type { NamedFields } from "../../grammar/declared-options";
import type { FieldOf } from "../../grammar/resource-list";
import { readView } from "../../lookups/views";

type TaskFields = NamedFields<FieldOf<"tasks", "list">>;

const readOutcomes = parseWords([...taskOutcomes, "incomplete"]);
/** Outcomes, also by the word that people see for a warning. */
const parseOutcomes = taking(wordsOf(readOutcomes), (text: string) =>
  readOutcomes(text).map((word) => (word === "incomplete" ? "warning" : word)),
);

/** Options that filter tasks, and counts of them. */
export const countFilters = {
  status: "Only where they stand so: {words}.",
  outcome: { text: "Only how they ended: {words}; incomplete is the same as warning.", parse: parseOutcomes },
  category: "Only of these kinds: {words}.",
  type: "Only what they do, such as restic_backup.",
  created_timestamp: {},
} satisfies TaskFields;

/** Options that filter tasks. A list of values takes commas. */
export const taskFilters = {
  ...countFilters,
  "primary_entity.value": {
    flags: "--search <text>",
    text: "Only those with this in the name of what they protect.",
    value: (text: unknown) => ({ $contains: text }),
  },
  monitor_id: {
    flags: "--monitor <list>",
    text: "Only runs of these monitors, by name, slug or id.",
    parse: parseWords(),
  },
  "error.code": "Only with these errors, such as repository_locked.",
} satisfies TaskFields;

/** Values of options that are more than one field. */
export interface EntityFlag {
  entity?: string;
  view?: string;
}

export function addEntityFilter(command: Command): Command {
  return command
    .option("--entity <name>", "Only of what has exactly this name, such as web-1, or this id.")
    .option("--view <name>", "Only what this saved view of tasks shows, by name or id; see: holdfast view list");
}

/** Reads --view: the filter of a saved view. Its periods end now. Other options take the place of the same filter in it. */
export async function viewFilter({ view }: EntityFlag, client: Client): Promise<FilterOf<"tasks", "list-tasks">> {
  if (view === undefined) return {};
  const { query, unitId } = await readView(client, "tasks", view);
  return viewPages.tasks.filterOf(query, { now: Date.now(), unitId });
}

/** Reads --entity: a name, the id that tasks name, or the id that entity list shows. */
export async function entityFilter(
  { entity: given }: EntityFlag,
  client: Client,
): Promise<FilterOf<"tasks", "list-tasks">> {
  if (given === undefined) return {};
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
