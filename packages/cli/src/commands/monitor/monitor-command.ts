import type { Command } from "commander";
import { parseDuration } from "../../grammar/argument-parsers";
import { changeVerb } from "../../grammar/change-verb";
import { deleteVerb } from "../../grammar/delete-verb";
import { noun } from "../../grammar/noun";
import { showVerb } from "../../grammar/show-verb";
import { findMonitorId, monitorArgument } from "../../lookups/monitors";
import { createMonitor, disableMonitor, enableMonitor, updateMonitor } from "./change-monitor";
import { listMonitors, type Monitor } from "./list-monitors";
import { monitorFacts } from "./monitor-facts";
import { suggestMonitors } from "./suggest-monitors";

/** Monitors. */
export function monitorCommand(): Command {
  return noun("monitor", "Work that is expected to run, and how its last runs went.", [
    listMonitors(),
    showVerb({
      description: "Show a monitor, and its ping URL to those who may change it.",
      argument: monitorArgument,
      examples: ["holdfast monitor show files-of-web-1"],
      read: async (client, given) => client.monitors.read(await findMonitorId(client, given)),
      id: ({ id }) => id,
      facts: monitorFacts,
    }),
    suggestMonitors(),
    createMonitor(),
    updateMonitor(),
    enableMonitor(),
    disableMonitor(),
    rotateMonitor(),
    deleteVerb({
      description: "Delete a monitor. Its tasks stay.",
      argument: monitorArgument,
      examples: ["holdfast monitor delete files-of-web-1"],
      find: ({ client }, given) => findMonitorId(client, given),
      nameOf: async ({ client }, id) => `the monitor ${(await client.monitors.read(id)).name}`,
      remove: ({ client }, id) => client.monitors.delete(id),
    }),
  ]);
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
