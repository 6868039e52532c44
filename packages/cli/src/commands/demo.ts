import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import { parseTimestamp } from "@holdfast/api/conventions/timestamp";
import type { Queries } from "@holdfast/server/database/database";
import { commandName } from "@holdfast/server/settings/executable";
import { Command, InvalidArgumentError } from "commander";
import { parseWhole } from "../grammar/argument-parsers";
import { addSettingOptions } from "../grammar/settings-options";
import { createProgressBar } from "../terminal/progress-bar";

const hour = 3_600_000;
const earliest = Date.UTC(2000);

interface DemoFlags {
  users: number;
  tasks: number;
  seed: number;
  until?: number;
  live?: true;
}

export function demoCommand(): Command {
  const command = new Command("demo")
    .description(
      "Fill an empty database with a made-up company: units, users with roles, 90 days of tasks, monitors and webhooks.",
    )
    .option("--users <number>", "How many users, 1 to 100000.", parseWhole(1, 100_000), 60)
    .option("--tasks <number>", "How many tasks, 0 to 20000000.", parseWhole(0, 20_000_000), 20_000)
    .option("--seed <number>", "Another number makes another company.", parseWhole(0, Number.MAX_SAFE_INTEGER), 1)
    .option("--until <timestamp>", "The moment up to which the tasks reach. (default: the current hour)", parseMoment)
    .option(
      "--live",
      "Then keep a few tasks running, through the API of the service, and ping a monitor, until Ctrl-C.",
    )
    .addHelpText(
      "after",
      `
The same numbers and the same --until make the same data. Nothing ends the tasks that are in progress, and nothing pings the
monitors: no runner is behind them. From 50 tasks on, every state of tasks, monitors and protected entities is there.
Webhooks send nothing: their addresses end in .localhost, which the service refuses. A database that holds tasks or
further units is left as it is. None of the people is an owner.

Examples:
  $ holdfast demo
  $ holdfast demo --live
  $ holdfast demo --tasks 1000000 --data-dir ./big
  $ holdfast demo --seed 7 --until 2026-11-01T00:00:00Z --data-dir ./same-every-time`,
    )
    .action(async ({ live, ...flags }: DemoFlags) => {
      const { hasDemoData, runLive } = await import("../demo/run-live");
      if (!live || !(await hasDemoData(command))) await fill(command, flags);
      if (live) await runLive(command, flags.seed);
    });
  return addSettingOptions(command);
}

async function fill(command: Command, { users, tasks, seed, until }: DemoFlags): Promise<void> {
  const [{ fillWithDemoData }, { openOrMakeForCommand }, { recordCommand }] = await Promise.all([
    import("../demo/fill-with-demo-data"),
    import("../local/open-for-command"),
    import("../local/record-command"),
  ]);
  return openOrMakeForCommand(command, async (opened) => {
    const { database, sealer, now } = opened;
    const bar = createProgressBar({ label: "Making up data", total: users + tasks, stream: process.stderr });
    const after = { users, tasks, seed };
    const action = { operation: "make-demo-data", object: null, unitId: rootUnitId, after };
    const options = {
      users,
      tasks,
      seed,
      sealer,
      until: until ?? Math.floor(now / hour) * hour,
      record: (db: Queries) => recordCommand(db, opened, action),
    };
    try {
      await fillWithDemoData(database, options, bar.advance, (built, all) => bar.show("Building indexes", built, all));
    } finally {
      bar.done();
    }
    process.stderr.write(
      `Made up ${users} users and ${tasks} tasks. Next, make a token to read them with:\n` +
        `  ${commandName} token create --local --kind service --name demo --role viewer\n`,
    );
  });
}

function parseMoment(text: string): number {
  const moment = parseTimestamp(text);
  if (!moment || moment.milliseconds < earliest) {
    throw new InvalidArgumentError("Write a timestamp from the year 2000 on, such as 2026-11-01T00:00:00Z.");
  }
  return moment.milliseconds;
}
