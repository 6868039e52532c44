import { randomUUID } from "node:crypto";
import { defaultRoles } from "@holdfast/api/conventions/permissions";
import { type Connection, isRejected, withConnections } from "../load/connection";
import { countsOf, openConsole, startOfDays, zones } from "../load/consoles";
import { createRandom } from "../load/random";
import { createReports, reportLoad } from "../load/reports";
import { createSamples, type Samples } from "../load/samples";
import { containing, filterOn, filters, pairs, parts, visitPages } from "../load/task-lists";
import { fetchJson, getOf, listOf, type Ours, postOf } from "../sides/ours";
import type { Bench } from "./bench";

const rate = 200;
const consoles = 10;
const logs = 10;
const logSize = 65_536;
const week = 7 * 86_400_000;

/** The rows of the table, in its order, and the p95 that each may have in milliseconds. */
const rows = {
  overview: ["the console's overview, all its requests together, in any time zone", 150],
  pages: ["a page of tasks: first, middle, last, by number or cursor", 40],
  one: ["the same with one filter", 60],
  two: ["the same with any two of them; with `$contains` on the item's name", 150],
  month: ["counts by day over 30 days", 60],
  year: ["counts by day over a year", 150],
  task: ["one task; its log (64 KiB)", 20],
  items: ["items that need attention first; one item with its history", 60],
  change: ["a change that commits: create a monitor, mute, revoke a token", 60],
  report: ["a report that starts or ends a task", 60],
} as const;

/** Measures the table: ten consoles and a script while 200 reports a second come in. */
export async function measureUnderReports(bench: Bench): Promise<void> {
  const { ours, reporter, known, seconds, keep, tell } = bench;
  const { url } = ours;
  const samples = createSamples();
  const warmUp = Math.min(15, seconds / 5);
  const visits = await scriptOf(bench, samples);
  const tokens = await Promise.all(Array.from({ length: consoles }, () => ours.tokenFor("owner")));
  tell(`${rate} reports a second, ${consoles} consoles and a script for ${seconds + warmUp} s.`);

  const until = performance.now() + 1000 * (seconds + warmUp);
  const warm = Bun.sleep(1000 * warmUp).then(samples.begin);
  const opened = tokens.map((headers, number) =>
    openConsole({
      url,
      headers,
      zone: zones[number % zones.length] ?? "UTC",
      random: createRandom(number),
      until,
      onRefreshed: (zone, ms, wasRejected) => samples.note(rows.overview[0], zone, ms, wasRejected),
    }),
  );
  const reports = reportLoad({
    url,
    reports: createReports(reporter, known.any),
    rate,
    connections: 32,
    seconds: seconds + warmUp,
    onAnswered: (one) => samples.note(rows.report[0], one.kind, one.ms, isRejected(one)),
  });
  const script = withConnections(url, 1, async ([line]) => {
    if (!line) return;
    while (performance.now() < until) {
      for (const visit of visits.toSorted(() => bench.random.share() - 0.5)) {
        if (performance.now() >= until) break;
        await visit(line);
      }
    }
  });
  await Promise.all([warm, script, reports, ...opened]);
  for (const [what, atMost] of Object.values(rows)) keep(samples.row("p95", what, atMost));
}

type Visit = (line: Connection) => Promise<void>;

/** All that the script does in a round, in any order. */
async function scriptOf(bench: Bench, samples: Samples): Promise<Visit[]> {
  const { ours, known, random } = bench;
  const { owner } = ours;
  const items = await itemsOf(ours);
  const logged = await writeLogs(bench);
  const asking = samples.asking;

  const filtered = Object.keys(filters).map(
    (name): Visit =>
      async (line) => {
        await visitPages(() => asking(line, rows.one[0], name), owner, filterOn([name], known, random));
      },
  );
  const paired = pairs.map(
    (pair): Visit =>
      async (line) => {
        await visitPages(() => asking(line, rows.two[0], pair.join(" and ")), owner, filterOn(pair, known, random));
      },
  );
  const named = Object.keys(parts).map(
    (size): Visit =>
      async (line) => {
        const name = `$contains, ${size}`;
        await visitPages(() => asking(line, rows.two[0], name), owner, containing(size, known, random));
      },
  );
  const counted = zones.flatMap((zone) => [
    async (line: Connection) => {
      await asking(line, rows.month[0], zone)(countsOf(owner, "day", zone, startOfDays(zone, Date.now(), 30)));
    },
    async (line: Connection) => {
      await asking(line, rows.year[0], zone)(countsOf(owner, "day", zone, startOfDays(zone, Date.now(), 365)));
    },
  ]);
  const others: Visit[] = [
    async (line) => {
      await visitPages((page) => asking(line, rows.pages[0], page), owner);
    },
    async (line) => {
      await asking(line, rows.task[0], "one task")(getOf(`/tasks/${random.pick(known.any).id}`, owner));
      await asking(line, rows.task[0], "its log")(getOf(`/tasks/${random.pick(logged)}/log`, owner));
    },
    async (line) => {
      await asking(
        line,
        rows.items[0],
        "items that need attention first",
      )(listOf("/entities", owner, { sort: "state", limit: 50 }));
      const { id, entityId, unitId } = random.pick(items);
      const item = await line.send(getOf(`/entities/${id}`, owner));
      const filter = { "primary_entity.id": { $eq: entityId }, organizational_unit_id: { $eq: unitId } };
      const history = await line.send(listOf("/tasks", owner, { filter, limit: 30 }));
      samples.note(rows.items[0], "one item with its history", item.ms + history.ms, [item, history].some(isRejected));
    },
    async (line) => {
      const change = (variant: string) => asking(line, rows.change[0], variant);
      const monitor = { name: `bench ${randomUUID()}`, schedule: { cron: "30 2 * * *", time_zone: "UTC" } };
      const made: { id: string } = JSON.parse(
        (await change("create a monitor")(postOf("/monitors", owner, monitor))).text(),
      );
      await line.send({ ...getOf(`/monitors/${made.id}`, owner), method: "DELETE" });
      const mute = { muted_until: new Date(Date.now() + week).toISOString() };
      const path = `/entities/${random.pick(items).id}`;
      await change("mute")(postOf(path, owner, mute, "PATCH"));
      await line.send(postOf(path, owner, { muted_until: null }, "PATCH"));
      const token = { name: "bench", kind: "service", role_id: defaultRoles.viewer.id };
      const minted: { id: string } = JSON.parse((await line.send(postOf("/api-tokens", owner, token))).text());
      await change("revoke a token")({ ...getOf(`/api-tokens/${minted.id}`, owner), method: "DELETE" });
    },
  ];
  // There are many more filters than anything else, which would have few samples.
  return [...filtered, ...paired, ...named, ...Array.from({ length: 4 }, () => [...counted, ...others]).flat()];
}

interface Item {
  id: string;
  entityId: string;
  unitId: string;
}

async function itemsOf({ url, owner }: Ours): Promise<Item[]> {
  interface Listed {
    _embedded: { items: { id: string; organizational_unit_id: string; primary_entity: { id: string } }[] };
  }
  const { _embedded }: Listed = await fetchJson(url, listOf("/entities", owner, { limit: 1000 }));
  return _embedded.items.map(({ id, organizational_unit_id, primary_entity }) => ({
    id,
    entityId: primary_entity.id,
    unitId: organizational_unit_id,
  }));
}

/** Writes tasks with a log of 64 KiB each. */
async function writeLogs({ ours: { url }, reporter }: Bench): Promise<string[]> {
  const text = "2026-11-18T12:00:00.000Z processed /srv/files/some/folder/a-file.txt\n"
    .repeat(logSize)
    .slice(0, logSize);
  const ids = Array.from({ length: logs }, () => randomUUID());
  for (const id of ids) {
    const task = { id, category: "backup", type: "bench_log", status: "completed" };
    await fetchJson(url, postOf("/tasks", reporter, task));
    await fetchJson(url, postOf(`/tasks/${id}/log`, reporter, { offset: 0, text }));
  }
  return ids;
}
