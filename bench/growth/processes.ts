import { cpus } from "node:os";
import { reportLoad } from "../load/report-load";
import { spreadOf } from "../load/spread";
import { anyPage } from "../rows/wishes";
import { throughput } from "../sides/side";
import type { Grow } from "./grow";
import { createLines } from "./lines";

const connections = 16;
/** A progress report waits up to a quarter of a second for company, with its connection: few connections measure that wait alone. */
const runnersConnected = 400;

/** How many requests more processes answer. In each round the service is started with each number of them. */
export const growProcesses: Grow = async ({ options, serverUrl, start, tell, figure }) => {
  const sizes = options.quick ? [1, 2] : [1, 2, 4];
  const { note, lines } = createLines(sizes);
  const { seconds } = options;
  const ofTwo: number[] = [];
  for (let round = 0; round < options.rounds; round++) {
    for (const processes of sizes) {
      const ours = await start(options.quick ? 10_000 : 100_000, processes);
      try {
        const how = { connections, seconds };
        note(processes, "the same page again", "/s", (await throughput(ours, () => ours.list({}), how)).value);
        const another = await throughput(ours, (n) => ours.list(anyPage(ours, n)), how);
        note(processes, "another page each time", "/s", another.value);
        const reporting = { url: ours.url, headers: ours.headers, connections: runnersConnected, seconds };
        // Slower at first: each process has yet to compile what it runs often.
        await reportLoad({ ...reporting, seconds: 3 * seconds });
        const reported = await reportLoad(reporting);
        note(processes, "reports, as fast as they are answered", "/s", reported.perSecond);
        if (processes === 2) ofTwo.push(reported.perSecond);
      } finally {
        await ours.stop();
      }
    }
    tell(`Growth with processes: round ${round + 1} of ${options.rounds} is measured.`);
  }
  // SQLite has one writer, whatever the number of processes.
  if (serverUrl !== undefined) {
    const what = "reports of two processes, as fast as they are answered";
    await figure("reports and writes", what, spreadOf(ofTwo).median, "/s", { atLeast: 5000 });
  }
  const shared = `The machine has ${cpus().length} cores, and the load generator needs one of them: more processes than the rest cannot help.`;
  return { name: "Processes", axis: "processes", sizes, lines: lines(), notes: [shared] };
};
