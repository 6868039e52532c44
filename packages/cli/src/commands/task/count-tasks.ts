import type { Client, Listing, TaskCount } from "@holdfast/client";
import { type Command, InvalidArgumentError } from "commander";
import { parseChoice, parseWords } from "../../grammar/argument-parsers";
import { filterOptions } from "../../grammar/declared-options";
import { filledFields } from "../../grammar/field-option";
import { type ListFlags, listVerb, pageSize } from "../../grammar/list-verb";
import { declarationOf } from "../../grammar/resource-list";
import { minute } from "../../output/moments";
import { wordOf } from "../../output/outcome-marks";
import type { OutputFormat } from "../../output/output-format";
import { printItems } from "../../output/print-items";
import type { Column } from "../../output/table";
import { type Group, groups } from "./count-groups";
import { drawCounts } from "./draw-counts";
import { countFilters } from "./task-filter";

const intervals = ["hour", "day", "week", "month", "all"] as const;

interface CountFlags extends ListFlags {
  by?: (typeof intervals)[number];
  group?: Group[];
  timeZone?: string;
}

/** Maximum number of rows of a chart. */
const chartRows = 31;

/** Counts tasks by time. */
export function countTasks(): Command {
  return listVerb<TaskCount, CountFlags, TaskCount>({
    name: "counts",
    description: "Count tasks by time: as a chart on a terminal.",
    defaultLimit: "all",
    addOptions(command) {
      const { filters = {} } = declarationOf("tasks").list ?? {};
      for (const option of filterOptions(filters, countFilters)) command.addOption(option);
      return command
        .option("--by <time>", `${intervals.join(", ")}. (default: day)`, parseChoice(intervals))
        .option(
          "--group <list>",
          `Fields to group by, at most two of ${groups.join(", ")}. (default: outcome)`,
          parseGroups,
        )
        .option("--time-zone <zone>", "Where days, weeks and months begin, such as Europe/Berlin. (default: UTC)");
    },
    examples: [
      "holdfast task counts --by day --group outcome",
      "holdfast task counts --by month --group category,outcome --since 2026-01-01 -o csv",
    ],
    list: countsOf,
    rows: (counts) => counts,
    shape: () => ({ id: ({ start_timestamp }) => start_timestamp, columns: columnsOf(["outcome"]) }),
    async instead({ client }, flags, format, command) {
      const counts = [];
      for await (const count of await countsOf(client, flags, command)) counts.push(count);
      await print(counts, flags, format);
      return true;
    },
  });
}

async function countsOf(client: Client, flags: CountFlags, command: Command): Promise<Listing<TaskCount>> {
  const { counts }: { counts(options: object): Listing<TaskCount> } = client.tasks;
  return counts({
    interval: flags.by ?? "day",
    groupBy: flags.group ?? ["outcome"],
    timeZone: flags.timeZone,
    filter: await filledFields(command, client),
    limit: pageSize(flags, "all"),
  });
}

async function print(
  counts: TaskCount[],
  { group = ["outcome"], by = "day", limit = "all" }: CountFlags,
  format: OutputFormat,
) {
  const starts = [...new Set(counts.map(({ start_timestamp }) => start_timestamp))];
  const isChart = format === "table" && process.stdout.isTTY === true && group.length === 1;
  const max = limit === "all" ? (isChart ? chartRows : starts.length) : limit;
  const kept = new Set(starts.slice(0, max));
  const shown = counts.filter(({ start_timestamp }) => kept.has(start_timestamp));
  const [only] = group;
  if (isChart && only) return drawCounts(shown, only, by);
  await printItems(format, shown, { id: ({ start_timestamp }) => start_timestamp, columns: columnsOf(group) });
}

function columnsOf(group: readonly Group[]): Column<TaskCount>[] {
  return [
    {
      name: "start_timestamp",
      title: "FROM",
      value: (count) => count.start_timestamp,
      text: (count) => minute(count.start_timestamp),
    },
    { name: "end_timestamp", title: "UNTIL", value: (count) => count.end_timestamp, isHidden: true },
    ...group.map((name) => ({
      name,
      title: name.toUpperCase().replace("_ID", "").replaceAll("_", " "),
      value: (count: TaskCount) => count[name] ?? "",
      text: (count: TaskCount) => (name === "outcome" ? wordOf(count[name] ?? "not_ended") : (count[name] ?? "-")),
    })),
    { name: "count", title: "TASKS", value: (count) => String(count.count) },
  ];
}

function parseGroups(text: string): Group[] {
  const words = parseWords(groups)(text);
  const chosen = groups.filter((group) => words.includes(group));
  if (chosen.length > 2) throw new InvalidArgumentError("Write at most two.");
  return chosen;
}
