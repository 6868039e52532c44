import type { Command } from "commander";
import { parseDuration } from "../../grammar/argument-parsers";
import { changeVerb } from "../../grammar/change-verb";
import { lastRunsColumn } from "../../grammar/common-columns";
import { resourceNoun } from "../../grammar/resource-noun";
import { UsageError } from "../../grammar/usage-error";
import { findMonitorId, monitorArgument } from "../../lookups/monitors";
import { hidden } from "../../output/columns";
import { parseEntity } from "../entity/parse-entity";
import { type Monitor, monitorFacts, scheduleOf } from "./monitor-facts";
import { monitorTones } from "./monitor-tones";
import { suggestMonitors } from "./suggest-monitors";

const name = "Its name.";

const fields = {
  slug: "Its name in the URLs of pings. (default: made of the name)",
  category: "What kind of task its runs are. (default: backup)",
  type: "What exactly its runs do, such as restic_backup. (default: ping_run)",
  primary_entity: {
    flags: "--entity <[type:]name>",
    text: "What its runs protect, such as host:web-1. (default: the monitor itself)",
    parse: parseEntity,
  },
  operation: "Follow this operation of --entity: its runs need not name the monitor.",
  "schedule.cron": { flags: "--cron <expression>", text: 'When runs are expected, such as "30 2 * * *".' },
  "schedule.time_zone": {
    flags: "--time-zone <zone>",
    text: "The time zone of --cron, such as Europe/Berlin. (default: UTC)",
  },
  "schedule.period_seconds": {
    flags: "--period <time>",
    text: "Instead of --cron: how long after a run the next is expected, such as 1d.",
  },
  grace_seconds: "How late a run may begin. (default: 1h)",
  run_limit_seconds: "How long a run that pings report may take. (default: 1d)",
};

/** A pause until then never ends by itself. */
const farAway = "9999-12-31T00:00:00.000Z";

/** Monitors. */
export function monitorCommand(): Command {
  return resourceNoun<"monitors", Monitor>({
    name: "monitor",
    description: "Work that is expected to run, and how its last runs went.",
    resource: "monitors",
    calls: ({ monitors }) => monitors,
    argument: monitorArgument,
    find: findMonitorId,
    columns: [
      "name",
      { name: "state", tone: ({ state }) => monitorTones[state] },
      { name: "schedule", isExtra: true, title: "EXPECTED", value: scheduleOf },
      { name: "next_expected_timestamp", isExtra: true, title: "NEXT (UTC)" },
      lastRunsColumn(),
      "organizational_unit_id",
      "id",
      ...hidden("slug", "type"),
    ],
    facts: monitorFacts,
    list: {
      description: "List monitors and how they stand, what needs attention first.",
      filters: {
        name: "Only those with this in their names.",
        state: "Only in these states: {words}.",
        category: "Only whose runs are of these kinds, such as backup.",
        type: "Only whose runs do this, such as restic_backup.",
      },
      sort: { text: "state, what needs attention first, or name. (default: state)", default: "state" },
      examples: [
        "holdfast monitor",
        "holdfast monitor list --state missed,failed,late",
        "holdfast monitor list --sort name -o json",
      ],
    },
    show: {
      description: "Show a monitor, and its ping URL to those who may change it.",
      examples: ["holdfast monitor show files-of-web-1"],
    },
    create: {
      description: "Create a monitor and print its ping URL. Anyone who has it can report its runs.",
      fields: { name, ...fields },
      unit: "The organizational unit that it and its tasks belong to. (default: that of the token)",
      examples: [
        'holdfast monitor create --name "Files of web-1" --type restic_backup --entity host:web-1 --cron "30 2 * * *"',
        'holdfast monitor create --name "Mail archive" --period 1d --grace 2h --unit Berlin -o json',
      ],
      prints: ["the ping URL", ({ ping_url }) => ping_url],
      check: checkSchedule,
    },
    update: {
      description: "Change a monitor.",
      fields: {
        name,
        ...fields,
        schedule: { flags: "--no-schedule", text: "Expect nothing from now on.", value: () => null },
      },
      examples: ['holdfast monitor update files-of-web-1 --cron "0 3 * * *" --time-zone Europe/Berlin'],
      check: checkSchedule,
    },
    updates: {
      enable: {
        description: "End the pause of a monitor: runs are expected again from now on.",
        body: { paused_until: null },
        examples: ["holdfast monitor enable files-of-web-1"],
      },
      disable: {
        description: "Pause a monitor: nothing is expected of it. Its runs are noted all the same.",
        fields: {
          paused_until: {
            flags: "--until <time>",
            text: "Until when: a timestamp, a day, or how long (7d). (default: until enable)",
          },
        },
        body: { paused_until: farAway },
        examples: ["holdfast monitor disable files-of-web-1 --until 7d"],
      },
    },
    lists: [suggestMonitors()],
    verbs: [rotateMonitor()],
    delete: { description: "Delete a monitor. Its tasks stay.", examples: ["holdfast monitor delete files-of-web-1"] },
  });
}

function checkSchedule({ cron, timeZone, period }: Readonly<Record<string, unknown>>): void {
  if (cron !== undefined && period !== undefined) throw new UsageError("Give --cron or --period, not both.");
  if (timeZone !== undefined && cron === undefined) throw new UsageError("--time-zone is for --cron: give both.");
}

function rotateMonitor(): Command {
  return changeVerb<Monitor, { overlap?: number }>({
    name: "rotate",
    description: "Give a monitor a new ping URL and print it. The old one ends at once, or after an overlap.",
    argument: monitorArgument,
    addOptions: (command) =>
      command.option(
        "--overlap <time>",
        "For how long the old URL stays good, at most 7d. (default: not at all)",
        parseDuration,
      ),
    examples: ["holdfast monitor rotate files-of-web-1 --overlap 1d"],
    prints: "the ping URL",
    async change({ client }, given, { overlap }) {
      const body = overlap === undefined ? {} : { overlap_seconds: Math.floor(overlap / 1000) };
      const item = await client.monitors.rotateUrl(await findMonitorId(client, given), body);
      return { item, result: item.ping_url };
    },
  });
}
