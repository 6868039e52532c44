import { join } from "node:path";
import { connect, isRejected, type Sent, withConnections } from "../load/connection";
import { median, percentile } from "../load/percentiles";
import { createReports, reportLoad } from "../load/reports";
import { pageSize } from "../load/task-lists";
import { throughput } from "../load/throughput";
import { rowOf } from "../result";
import { fetchJson, getOf, type Headers, listOf, type Ours } from "../sides/ours";
import { residentMemory, serveBare } from "../sides/processes";
import type { Bench } from "./bench";
import { compare } from "./compare";

const rounds = 3;
const connections = 8;
const probeEvery = 5;

export function measureStart({ ours, keep }: Bench): void {
  keep(rowOf("also", "start to first response", median(ours.startTimes), " ms", { atMost: 1000 }));
}

export async function measureMemory({ ours, keep }: Bench): Promise<void> {
  const memory = await residentMemory(ours.served.pid);
  keep(rowOf("also", "resident memory after all of it", memory, " MiB", { atMost: 256 }));
}

/** Compares with the same runtime that serves the same bytes without any work. */
export async function measureBare({ ours, folder, random, seconds, keep }: Bench): Promise<void> {
  const { url, owner } = ours;
  const first = listOf("/tasks", owner, { limit: pageSize, start: 1 });
  const page = await fetchJson(url, first);
  const file = join(folder, "page.json");
  await Bun.write(file, JSON.stringify(page));
  const bare = await serveBare(file);
  const another = () => {
    const start = 1 + Math.floor(random.share() * Number(page.total_pages_count));
    return listOf("/tasks", owner, { limit: pageSize, start });
  };
  const how = { connections, seconds: seconds / 50 };
  try {
    for (const [what, request, atLeast] of [
      ["the same page again, of bare", () => first, 25],
      ["another page, of bare", another, 5],
    ] as const) {
      keep(
        await compare(
          "also",
          what,
          { atLeast, unit: " %" },
          {
            mine: () => throughput(url, how, (ask) => ask(request())),
            theirs: () => throughput(bare.url, how, (ask) => ask(getOf("/", owner))),
          },
        ),
      );
    }
  } finally {
    await bare.stop();
  }
}

/** Compares page 1 and any page of all tasks with page 1 of 1,000 tasks. No request is sent twice, so that none is answered from a cache. */
export async function measureSizes({ ours, random, keep }: Bench, small: Ours, tasks: number): Promise<void> {
  const sides = { small: [] as number[], first: [] as number[], any: [] as number[] };
  const lines = { small: await connect(small.url), large: await connect(ours.url) };
  const timed = async (line: "small" | "large", headers: Headers, limit: number, start = 1) =>
    (await lines[line].send(listOf("/tasks", headers, { limit, start }))).ms;
  // The first 300 only compile code.
  for (let n = 0; n < 500; n++) {
    const limit = n < 300 ? 400 - n : n - 250;
    const one = await timed("small", small.owner, limit);
    const other = await timed("large", ours.owner, limit);
    const third = await timed("large", ours.owner, limit, 2 + Math.floor(random.share() * (tasks / limit - 2)));
    if (n < 300) continue;
    sides.small.push(one);
    sides.first.push(other);
    sides.any.push(third);
  }
  for (const line of Object.values(lines)) line.end();
  const base = median(sides.small);
  for (const [what, times, atMost] of [
    ["page 1, of page 1 of 1,000 tasks", sides.first, 1.5],
    ["any page, of page 1 of 1,000 tasks", sides.any, 2],
  ] as const) {
    const detail = `${median(times).toFixed(2)} ms of ${base.toFixed(2)} ms, medians without other load`;
    keep(rowOf("also", what, median(times) / base, " ×", { atMost }, detail));
  }
}

/** Measures the longest wait of another caller while an expensive list runs alone. */
export async function measureBlocks({ ours, known, random, keep }: Bench): Promise<void> {
  const { url, owner } = ours;
  const probeToken = await ours.tokenFor("viewer");
  const probe = getOf(`/tasks/${random.pick(known.any).id}`, probeToken);
  const gaps: { name: string; gap: number; took: number }[] = [];
  await withConnections(url, 2, async ([line, other]) => {
    if (!line || !other) return;
    const calm = await worstGap(() => other.send(probe), Bun.sleep(1_000));
    for (const [name, list] of Object.entries(expensiveLists(owner))) {
      for (let repeat = 0; repeat < rounds; repeat++) {
        const startedAt = performance.now();
        const gap = await worstGap(() => other.send(probe), line.send(list(random.share())));
        gaps.push({ name, gap, took: performance.now() - startedAt });
      }
    }
    const [worst] = gaps.toSorted((a, b) => b.gap - a.gap);
    const detail = `${worst?.name}, which took ${worst?.took.toFixed(0)} ms; ${calm.toFixed(1)} ms without a list`;
    keep(
      rowOf(
        "also",
        "longest block of another caller by one list",
        worst?.gap ?? Number.NaN,
        " ms",
        { atMost: 100 },
        detail,
      ),
    );
  });
}

async function worstGap(probe: () => Promise<unknown>, list: Promise<unknown>): Promise<number> {
  let isOver = false;
  const over = list.then(() => {
    isOver = true;
  });
  let worst = 0;
  for (let due = performance.now(); !isOver; due = Math.max(due + probeEvery, performance.now())) {
    await Bun.sleep(Math.max(0, due - performance.now()));
    await probe();
    worst = Math.max(worst, performance.now() - due);
  }
  await over;
  return worst;
}

/** Lists that read much. The share makes each of them another one every time. */
function expensiveLists(headers: Headers): Record<string, (share: number) => Sent> {
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  const tasks = (filter: object, start = 1, limit = pageSize) => listOf("/tasks", headers, { filter, start, limit });
  const letter = (share: number) => "aeiourstln"[Math.floor(10 * share)] ?? "e";
  const older = (share: number) => ago(20 + 60 * share);
  const counts = (share: number, group_by: string, days: number) =>
    listOf("/task-counts", headers, {
      interval: "day",
      time_zone: "Asia/Kolkata",
      group_by,
      limit: 1000,
      filter: { created_timestamp: { $gte: ago(days + share) } },
    });
  return {
    "name contains a letter": (share) => tasks({ "primary_entity.value": { $contains: letter(share) } }),
    "name contains a letter, far page": (share) =>
      tasks({ "primary_entity.value": { $contains: letter(share) } }, 1000),
    "name contains nothing known": (share) => tasks({ "primary_entity.value": { $contains: `zq${share}` } }),
    "id of item contains a digit": (share) =>
      tasks({ "primary_entity.id": { $contains: String(Math.floor(10 * share)) } }),
    "name contains, and not completed": (share) =>
      tasks({ "primary_entity.value": { $contains: letter(share) }, status: { $neq: "completed" } }),
    "name contains, and started before": (share) =>
      tasks({ "primary_entity.value": { $contains: letter(share) }, start_timestamp: { $lt: older(share) } }),
    "started before": (share) => tasks({ start_timestamp: { $lt: older(share) } }),
    "ended after, and a category": (share) => tasks({ end_timestamp: { $gte: older(share) }, category: "backup" }),
    "no such error": (share) => tasks({ "error.code": { $neq: `none_${Math.floor(1e6 * share)}` } }),
    "1,000 tasks of a far page": (share) => tasks({}, 400 + Math.floor(100 * share), 1000),
    "a year by type and unit": (share) => counts(share, "type,organizational_unit_id", 365),
    "a month by error and unit": (share) => counts(share, "error.code,organizational_unit_id", 29),
    "1,000 items by state": (share) =>
      listOf("/entities", headers, { sort: "state", limit: 1000 - Math.floor(100 * share) }),
  };
}

/** Sends 1,000 reports a second: 80 % heartbeats, 15 % progress, 5 % starts and ends. */
export async function measureManyReports({ ours, reporter, known, seconds, keep }: Bench): Promise<void> {
  const reports = createReports(reporter, known.any, { heartbeats: 80, progress: 15 });
  // Progress is answered up to 250 ms later, and its connection waits.
  const answered = await reportLoad({ url: ours.url, reports, rate: 1000, connections: 128, seconds: seconds / 5 });
  const rejected = answered.filter(isRejected).length;
  const p99 = percentile(
    answered.map(({ ms }) => ms),
    0.99,
  );
  const detail = `${answered.length.toLocaleString("en")} reports`;
  keep(rowOf("also", "p99 at 1,000 reports a second", p99, " ms", { atMost: 1000, rejected }, detail));
}
