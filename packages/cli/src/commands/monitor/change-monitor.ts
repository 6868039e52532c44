import { taskCategories } from "@holdfast/api/resources/task-words";
import type { BodyOf } from "@holdfast/client";
import type { Command } from "commander";
import { parseChoice, parseDuration, parseFuture, parseName } from "../../grammar/argument-parsers";
import { changeVerb } from "../../grammar/change-verb";
import { addUnitOption } from "../../grammar/connection-options";
import { WrongUse } from "../../grammar/wrong-use";
import { findMonitorId, monitorArgument } from "../../lookups/monitors";
import { findUnitId } from "../../lookups/units";
import { parseEntity } from "../entity/parse-entity";
import type { Monitor } from "./list-monitors";

type MonitorBody = Omit<BodyOf<"monitors", "update-monitor">, "name">;

interface MonitorFlags {
  name?: string;
  slug?: string;
  category?: (typeof taskCategories)[number];
  type?: string;
  entity?: { type: string; value: string };
  operation?: string;
  cron?: string;
  timeZone?: string;
  period?: number;
  grace?: number;
  runLimit?: number;
  unit?: string;
}

/** A period that is this long ago never comes: what is not watched has none. */
const farAway = "9999-12-31T00:00:00.000Z";

function addMonitorOptions(command: Command): Command {
  return command
    .option("--slug <slug>", "Its name in the URLs of pings. (default: made of the name)")
    .option("--category <category>", "What kind of task its runs are. (default: backup)", parseChoice(taskCategories))
    .option("--type <type>", "What exactly its runs do, such as restic_backup. (default: ping_run)")
    .option(
      "--entity <[type:]name>",
      "What its runs protect, such as host:web-1. (default: the monitor itself)",
      parseEntity,
    )
    .option("--operation <operation>", "Follow this operation of --entity: its runs need not name the monitor.")
    .option("--cron <expression>", 'When runs are expected, such as "30 2 * * *".')
    .option("--time-zone <zone>", "The time zone of --cron, such as Europe/Berlin. (default: UTC)")
    .option(
      "--period <time>",
      "Instead of --cron: how long after a run the next is expected, such as 1d.",
      parseDuration,
    )
    .option("--grace <time>", "How late a run may begin. (default: 1h)", parseDuration)
    .option("--run-limit <time>", "How long a run that pings report may take. (default: 1d)", parseDuration);
}

function checkSchedule({ cron, timeZone, period }: MonitorFlags): void {
  if (cron !== undefined && period !== undefined) throw new WrongUse("Give --cron or --period, not both.");
  if (timeZone !== undefined && cron === undefined) throw new WrongUse("--time-zone is for --cron: give both.");
}

/** What the flags say, as a body. */
function bodyOf({
  slug,
  category,
  type,
  entity,
  operation,
  cron,
  timeZone,
  period,
  grace,
  runLimit,
}: MonitorFlags): MonitorBody {
  return {
    ...(slug === undefined ? {} : { slug }),
    ...(category === undefined ? {} : { category }),
    ...(type === undefined ? {} : { type }),
    ...(entity === undefined ? {} : { primary_entity: entity }),
    ...(operation === undefined ? {} : { operation }),
    ...(cron === undefined ? {} : { schedule: { cron, ...(timeZone === undefined ? {} : { time_zone: timeZone }) } }),
    ...(period === undefined ? {} : { schedule: { period_seconds: seconds(period) } }),
    ...(grace === undefined ? {} : { grace_seconds: seconds(grace) }),
    ...(runLimit === undefined ? {} : { run_limit_seconds: seconds(runLimit) }),
  };
}

function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}

export function createMonitor(): Command {
  return changeVerb<Monitor, MonitorFlags>({
    name: "create",
    description: "Create a monitor and print its ping URL. Anyone who has it can report its runs.",
    addOptions: (command) =>
      addUnitOption(
        addMonitorOptions(command.requiredOption("--name <name>", "Its name.", parseName)),
        "The organizational unit that it and its tasks belong to. (default: that of the token)",
      ),
    examples: [
      'holdfast monitor create --name "Files of web-1" --type restic_backup --entity host:web-1 --cron "30 2 * * *"',
      'holdfast monitor create --name "Mail archive" --period 1d --grace 2h --unit Berlin -o json',
    ],
    prints: "the ping URL",
    check: checkSchedule,
    async change({ client }, _, flags) {
      const unit = flags.unit === undefined ? {} : { organizational_unit_id: await findUnitId(client, flags.unit) };
      const item = await client.monitors.create({ name: flags.name ?? "", ...unit, ...bodyOf(flags) });
      return { item, result: item.ping_url };
    },
  });
}

export function updateMonitor(): Command {
  return changeVerb<Monitor, MonitorFlags & { noSchedule?: true; schedule?: boolean }>({
    name: "update",
    description: "Change a monitor.",
    argument: monitorArgument,
    addOptions: (command) =>
      addMonitorOptions(command.option("--name <name>", "Its name.", parseName)).option(
        "--no-schedule",
        "Expect nothing from now on.",
      ),
    examples: ['holdfast monitor update files-of-web-1 --cron "0 3 * * *" --time-zone Europe/Berlin'],
    prints: "nothing",
    check: checkSchedule,
    async change({ client }, given, flags) {
      const body = {
        ...(flags.name === undefined ? {} : { name: flags.name }),
        ...bodyOf(flags),
        ...(flags.schedule === false ? { schedule: null } : {}),
      };
      if (Object.keys(body).length === 0)
        throw new WrongUse("Name what is to change. See: holdfast monitor update --help");
      return { item: await client.monitors.update(await findMonitorId(client, given), body) };
    },
  });
}

export function enableMonitor(): Command {
  return changeVerb<Monitor, object>({
    name: "enable",
    description: "End the pause of a monitor: runs are expected again from now on.",
    argument: monitorArgument,
    examples: ["holdfast monitor enable files-of-web-1"],
    prints: "nothing",
    change: async ({ client }, given) => ({
      item: await client.monitors.update(await findMonitorId(client, given), { paused_until: null }),
    }),
  });
}

export function disableMonitor(): Command {
  return changeVerb<Monitor, { until?: string }>({
    name: "disable",
    description: "Pause a monitor: nothing is expected of it. Its runs are noted all the same.",
    argument: monitorArgument,
    addOptions: (command) =>
      command.option(
        "--until <time>",
        "Until when: a timestamp, a day, or how long (7d). (default: until enable)",
        parseFuture,
      ),
    examples: ["holdfast monitor disable files-of-web-1 --until 7d"],
    prints: "nothing",
    change: async ({ client }, given, { until = farAway }) => ({
      item: await client.monitors.update(await findMonitorId(client, given), { paused_until: until }),
    }),
  });
}
