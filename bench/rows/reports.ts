import { rawCommits } from "../../packages/server/test/raw-commits";
import type { Bench } from "../bench";
import { reportLoad } from "../load/report-load";
import { fetchText } from "../sides/ours";
import { type ListWish, throughput } from "../sides/side";
import { allSides, connections } from "./lists";
import { daysAgo, newestTasks, pagesOf } from "./wishes";

const group = "reports and writes";

/** What is written: beside the peers, at a rate, as fast as it is answered, and while lists are read. */
export async function measureReports(bench: Bench): Promise<void> {
  const { folder, ours, options, measure, figure } = bench;
  const { seconds } = options;
  const raw = async () => ({ value: await rawCommits(folder, ours.databaseUrl, seconds) });
  const reporting = { url: ours.url, headers: ours.headers, connections: 64 };

  const { bare: _, ...written } = allSides(bench, (side, n) => side.create(n));
  await measure({
    group,
    what: "a new task for each request",
    unit: "/s",
    sides: { "raw commits": raw, ...written },
    compare: { with: "raw commits", unit: "%" },
  });

  const steady = await reportLoad({ ...reporting, seconds: 5 * seconds, rate: 1000 });
  await figure(group, "reports, when 1,000 a second are due", steady.perSecond, "/s", { atLeast: 990 });
  await figure(group, "1,000 reports a second: slowest of a hundred", steady.p99, " ms", { atMost: 1000 });
  await figure(group, "1,000 reports a second: refused", steady.refused, "", { atMost: 0 });

  let most = 0;
  await measure({
    group,
    what: "reports, as fast as they are answered",
    unit: "/s",
    sides: {
      "raw commits": raw,
      async ours() {
        const { perSecond } = await reportLoad({ ...reporting, seconds });
        most = Math.max(most, perSecond);
        return { value: perSecond };
      },
    },
    compare: { with: "raw commits", unit: "%" },
  });
  await figure(group, "reports, as fast as they are answered: best round", most, "/s", { atLeast: 1000 });
  await whileReporting(bench, 100, { "the same page": {} });
  const [task] = (await newestTasks(ours)).filter(({ primary_entity }) => primary_entity !== null);
  await whileReporting(bench, 500, {
    "the same page": {},
    "the last page": { start: pagesOf(ours) },
    "failed tasks": { filter: { status: "failed" } },
    "created in the last week": { filter: { created_timestamp: { $gte: daysAgo(7) } } },
    "an item": { filter: { "primary_entity.value": task?.primary_entity?.value ?? "" } },
    "an error code": { filter: { "error.code": "repository_locked" } },
    "name contains, nearly all": { filter: { "primary_entity.value": { $contains: "e" } } },
  });
}

/** Lists that are asked for again and again while reports come in, of the same without. */
async function whileReporting(
  { ours, options, measure, figure }: Bench,
  rate: number,
  lists: Record<string, ListWish>,
): Promise<void> {
  const { seconds } = options;
  // Progress is held for a while before it is written, and its connection waits: few could not report so often.
  const reporting = { url: ours.url, headers: ours.headers, connections: 32, seconds: 2 * seconds, rate };
  let slowest = 0;
  let refused = 0;
  for (const [name, wish] of Object.entries(lists)) {
    const list = async () => {
      const { value } = await throughput(ours, () => ours.list(wish), { connections, seconds });
      return { value };
    };
    // What a filter matches has to be counted once.
    await fetchText(ours, ours.list(wish));
    await measure({
      group,
      what: `${name} while ${rate} reports a second come in`,
      unit: "/s",
      sides: {
        "no reports": list,
        async ours() {
          const begun = Promise.withResolvers<void>();
          const background = reportLoad({ ...reporting, onBegun: async () => begun.resolve() });
          await begun.promise;
          const listed = await list();
          const reported = await background;
          slowest = Math.max(slowest, reported.p99);
          refused += reported.refused;
          return listed;
        },
      },
      compare: { with: "no reports", unit: "%" },
      aim: { atLeast: 50 },
    });
  }
  await figure(group, `${rate} reports a second while listing: slowest of a hundred`, slowest, " ms", { atMost: 1000 });
  await figure(group, `${rate} reports a second while listing: refused`, refused, "", { atMost: 0 });
}
