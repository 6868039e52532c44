import { rawCommits } from "../../packages/server/test/raw-commits";
import type { Bench } from "../bench";
import { reportLoad } from "../load/report-load";
import { throughput } from "../sides/side";
import { allSides, connections } from "./lists";

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
  await whileReporting(bench, 100, { atLeast: 50 });
  await whileReporting(bench, 500);
}

/** Lists while reports come in, of the same without. */
async function whileReporting({ ours, options, measure, figure }: Bench, rate: number, aim?: { atLeast: number }) {
  const { seconds } = options;
  const list = async () => {
    const { value } = await throughput(ours, () => ours.list({}), { connections, seconds });
    return { value };
  };
  const reporting = { url: ours.url, headers: ours.headers, connections: 8, seconds: 2 * seconds, rate };
  let slowest = 0;
  let refused = 0;
  await measure({
    group,
    what: `the same page while ${rate} reports a second come in`,
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
    ...(aim ? { aim } : {}),
  });
  await figure(group, `${rate} reports a second while listing: slowest of a hundred`, slowest, " ms", { atMost: 1000 });
  await figure(group, `${rate} reports a second while listing: refused`, refused, "", { atMost: 0 });
}
