import { taskCategories } from "@holdfast/api/resources/task-words";
import type { ItemOf } from "@holdfast/client";
import type { Command } from "commander";
import { parseChoice, parseWords } from "../../grammar/argument-parsers";
import { lastRunsColumn, unitColumn } from "../../grammar/common-columns";
import { type ListFlags, listVerb, pageSize, withUnitNames } from "../../grammar/list-verb";
import { duration, minute } from "../../output/moments";
import { monitorTones } from "./monitor-tones";

export type Monitor = ItemOf<"monitors", "read-monitor">;

/** What needs attention first, as the API sorts them. */
const states = ["missed", "failed", "late", "waiting", "ok", "paused"] as const;

interface MonitorFlags extends ListFlags {
  state?: string[];
  category?: string[];
  type?: string[];
  sort?: "name" | "state";
}

/** Lists monitors. */
export function listMonitors(): Command {
  return listVerb<Monitor, MonitorFlags, Monitor>({
    description: "List monitors and how they stand, what needs attention first.",
    usualLimit: "all",
    searches: "their names",
    addOptions: (command) =>
      command
        .option("--state <list>", `Only in these states: ${states.join(", ")}.`, parseWords(states))
        .option("--category <list>", "Only whose runs are of these kinds, such as backup.", parseWords(taskCategories))
        .option("--type <list>", "Only whose runs do this, such as restic_backup.", parseWords())
        .option(
          "--sort <field>",
          "state, what needs attention first, or name. (default: state)",
          parseChoice(["state", "name"]),
        ),
    examples: [
      "holdfast monitor",
      "holdfast monitor list --state missed,failed,late",
      "holdfast monitor list --sort name -o json",
    ],
    list: (client, flags) =>
      client.monitors.list({
        limit: pageSize(flags, "all"),
        sort: flags.sort ?? "state",
        filter: {
          ...(flags.search === undefined ? {} : { name: { $contains: flags.search } }),
          ...(flags.state === undefined ? {} : { state: { $in: flags.state } }),
          ...(flags.category === undefined ? {} : { category: { $in: flags.category } }),
          ...(flags.type === undefined ? {} : { type: { $in: flags.type } }),
        },
      }),
    rows: withUnitNames,
    shape: ({ units }) => ({
      id: ({ id }) => id,
      columns: [
        { name: "name", title: "NAME", value: (monitor) => monitor.name, canShrink: true },
        { name: "state", title: "STATE", value: ({ state }) => state, tone: ({ state }) => monitorTones[state] },
        { name: "schedule", isExtra: true, title: "EXPECTED", value: scheduleOf },
        {
          name: "next_expected_timestamp",
          isExtra: true,
          title: "NEXT (UTC)",
          value: (monitor) => monitor.next_expected_timestamp ?? "",
          text: (monitor) => minute(monitor.next_expected_timestamp),
        },
        lastRunsColumn(),
        unitColumn(units),
        { name: "id", title: "ID", value: (monitor) => monitor.id },
        { name: "slug", title: "", value: (monitor) => monitor.slug, isHidden: true },
        { name: "type", title: "", value: (monitor) => monitor.type, isHidden: true },
      ],
    }),
  });
}

export function scheduleOf({ schedule }: Pick<Monitor, "schedule">): string {
  if (schedule === null) return "-";
  if ("cron" in schedule)
    return schedule.time_zone === "UTC" ? schedule.cron : `${schedule.cron} ${schedule.time_zone}`;
  return `every ${duration(schedule.period_seconds * 1000)}`;
}
