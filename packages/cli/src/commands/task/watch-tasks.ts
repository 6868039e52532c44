import type { Client, HoldfastError, Task, WatchEvent } from "@holdfast/client";
import type { Connection } from "../../connection/connection";
import type { ListFlags } from "../../grammar/list-verb";
import { type Names, unitNames } from "../../lookups/names";
import type { OutputFormat } from "../../output/output-format";
import { printItems, stdoutStyle } from "../../output/print-items";
import { type Column, formatTable } from "../../output/table";
import { explain } from "../../output/write";
import { bar } from "../../terminal/bar";
import { untilEnded } from "../../terminal/ending";
import { openLiveScreen } from "../../terminal/live-screen";
import { visible } from "../../terminal/visible";
import { shortened } from "../../terminal/width";
import { lengthOf, shortIds, stateOf, taskShape, toneOf } from "./task-shape";

const redrawEvery = 1_000;
const barWidth = 16;

/** Shows tasks as they change, until q or Ctrl-C: as a screen on a terminal, else one line for every change. */
export async function watchTasks(
  { client }: Connection,
  asked: { filter: object; limit: ListFlags["limit"] },
  format: OutputFormat,
): Promise<void> {
  const { watch }: { watch(options: object): Events } = client.tasks;
  const limit = typeof asked.limit === "number" ? Math.min(asked.limit, 1000) : 100;
  const isScreen = process.stdout.isTTY === true && format === "table";
  const ending = untilEnded({ withKeys: isScreen });
  const line: Line = { lostAt: undefined };
  const events = watch({
    filter: asked.filter,
    limit,
    signal: ending.signal,
    onOpen: () => (line.lostAt = undefined),
    onInterruption: (error: HoldfastError) => {
      line.lostAt ??= Date.now();
      if (!isScreen) explain(`${visible(error.message)} Trying again.`);
    },
  });
  try {
    if (isScreen) await drawEvents(client, events, { limit, line });
    else await printEvents(client, events, format);
  } catch (error) {
    // The end that was asked for is no failure.
    if (!ending.signal.aborted) throw error;
  } finally {
    ending.release();
  }
}

type Events = AsyncIterable<WatchEvent<Task>>;

/** The connection to the service, and since when it is lost. */
interface Line {
  lostAt: number | undefined;
}

async function printEvents(client: Client, events: Events, format: OutputFormat): Promise<void> {
  const units = unitNames(client);
  const shape = taskShape(units);
  const plain = format === "json" ? "ndjson" : format;
  async function* changed() {
    for await (const event of events) {
      if (event.event === "snapshot") yield* event.page.items;
      else if (event.event === "match" || event.event === "task") yield event.item;
    }
  }
  if (plain !== "table") return printItems(plain, changed(), shape);
  for await (const task of changed()) {
    await units.load([task.organizational_unit_id]);
    const [, line = ""] = formatTable(shape.columns, [task], stdoutStyle());
    process.stdout.write(`${line}\n`);
  }
}

async function drawEvents(
  client: Client,
  events: Events,
  { limit, line }: { limit: number; line: Line },
): Promise<void> {
  const tasks = new Map<string, Task>();
  const units = unitNames(client);
  const screen = openLiveScreen(process.stdout);
  // Undefined until the first answer: until then it is not known whether there are any.
  let total: number | undefined;
  const draw = () => {
    const shown = [...tasks.values()].sort(newestFirst).slice(0, limit);
    screen.draw([headOf(shown, total, line), "", ...tableOf(shown, units)]);
  };
  const timer = setInterval(draw, redrawEvery);
  process.stdout.on("resize", draw);
  try {
    draw();
    for await (const event of events) {
      if (event.event === "snapshot") {
        tasks.clear();
        total = event.page.total_count;
        for (const task of event.page.items) tasks.set(task.id, task);
      } else if (event.event === "gone") {
        if (tasks.delete(event.id)) total = (total ?? 1) - 1;
      } else if (event.event !== "reset") {
        if (event.event === "match" && !tasks.has(event.item.id)) total = (total ?? 0) + 1;
        tasks.set(event.item.id, event.item);
        forgetOldest(tasks, limit * 2);
      }
      await units.load([...tasks.values()].map((task) => task.organizational_unit_id));
      draw();
    }
  } finally {
    clearInterval(timer);
    process.stdout.off("resize", draw);
    screen.close();
  }
}

/** Keeps what is remembered small, however long it is watched. */
function forgetOldest(tasks: Map<string, Task>, max: number): void {
  if (tasks.size <= max) return;
  const oldest = [...tasks.values()].sort(newestFirst).slice(max);
  for (const { id } of oldest) tasks.delete(id);
}

function newestFirst(one: Task, other: Task): number {
  if (one.created_timestamp !== other.created_timestamp)
    return one.created_timestamp < other.created_timestamp ? 1 : -1;
  return one.id < other.id ? 1 : -1;
}

/** Heading of the table: the number of tasks, and the time for which it may be out of date. */
function headOf(tasks: readonly Task[], total: number | undefined, { lostAt }: Line): string {
  const { paint, width = 80 } = stdoutStyle();
  const running = tasks.filter(({ outcome }) => outcome === null).length;
  const counted = total === undefined ? "reading…" : `${total} tasks, ${running} of those shown not ended`;
  if (lostAt === undefined) return shortened(`${counted}   ${clock(Date.now())}   q ends`, width);
  return paint(shortened(`no connection since ${clock(lostAt)}, trying again   ${counted}   q ends`, width), "bad");
}

function clock(at: number): string {
  return `${new Date(at).toISOString().slice(11, 19)} UTC`;
}

function tableOf(tasks: readonly Task[], units: Names): string[] {
  const now = Date.now();
  const columns: Column<Task>[] = [
    { name: "type", title: "TYPE", value: (task) => task.type, canShrink: true },
    {
      name: "entity",
      title: "ITEM",
      value: (task) => task.primary_entity?.value ?? task.name ?? "-",
      canShrink: 12,
    },
    { name: "progress", title: "PROGRESS", value: progressOf, tone: toneOf },
    { name: "state", title: "STATE", value: stateOf, tone: toneOf },
    { name: "took", isExtra: true, title: "TOOK", value: (task) => lengthOf(task, now) },
    {
      name: "unit",
      isExtra: true,
      title: "UNIT",
      value: (task) => units.of(task.organizational_unit_id),
      canShrink: true,
    },
    { name: "id", title: "ID", value: shortIds(tasks) },
    {
      name: "message",
      isExtra: "dear",
      title: "DOING",
      value: (task) => task.progress_message ?? task.error?.message ?? "",
      canShrink: true,
    },
  ];
  return formatTable(columns, tasks, stdoutStyle());
}

function progressOf({ progress_percentage, outcome, status }: Task): string {
  if (outcome !== null || status === "queued") return "";
  return bar(progress_percentage / 100, barWidth);
}
