import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Sent } from "../load/connection";
import { anyMoment, anyPage, pagesOf, partsOfNames } from "../rows/wishes";
import type { Ours } from "../sides/ours";
import { residentMemory } from "../sides/processes";
import { answerTime } from "../sides/side";
import type { Grow } from "./grow";
import { createLines } from "./lines";

/** How times grow with the number of tasks. All sizes are served at the same time, and measured in turn. */
export const growTasks: Grow = async ({ options, start, tell }) => {
  const wanted = options.quick ? [1_000, 10_000, 100_000] : [1_000, 100_000, 1_000_000, 10_000_000];
  const sizes = wanted.filter((size) => size <= options.most);
  const { note, lines } = createLines(sizes);
  const notes: string[] = [];
  const served: { size: number; ours: Ours; parts: string[] }[] = [];
  try {
    for (const size of sizes) {
      const ours = await start(size);
      served.push({ size, ours, parts: await partsOfNames(ours) });
      for (const time of ours.startTimes) note(size, "start to first answer", " ms", time);
      if (ours.databaseUrl === undefined) note(size, "on disk", " MiB", sizeOf(ours.dataDir));
    }
    for (let round = 0; round < options.rounds; round++) {
      for (const { size, ours, parts } of served) {
        for (const [what, request] of Object.entries(requests(ours, parts))) {
          try {
            note(size, what, " ms", (await answerTime(ours, request, options.seconds)).value);
          } catch (error) {
            notes.push(`${what}, ${size.toLocaleString("en")} tasks: ${String(error).slice(0, 120)}`);
          }
        }
      }
      tell(`Growth with tasks: round ${round + 1} of ${options.rounds} is measured.`);
    }
    for (const { size, ours } of served) note(size, "resident memory", " MiB", await residentMemory(ours.served.pid));
  } finally {
    await Promise.all(served.map(({ ours }) => ours.stop()));
  }
  return { name: "Tasks", axis: "tasks", sizes, lines: lines(), notes: [...new Set(notes)] };
};

function requests(ours: Ours, parts: readonly string[]): Record<string, (n: number) => Sent> {
  const pages = pagesOf(ours);
  return {
    "page 1": (n) => ours.list({ spelling: n }),
    "another page each time": (n) => ours.list(anyPage(ours, n)),
    "the last page": (n) => ours.list({ start: pages, spelling: n }),
    "failed tasks": (n) => ours.list({ filter: { status: "failed" }, spelling: n }),
    "created before another moment each time": (n) =>
      ours.list({ filter: { created_timestamp: { $lt: anyMoment(n) } } }),
    "name contains another text each time": (n) =>
      ours.list({ filter: { "primary_entity.value": { $contains: parts[n % parts.length] } } }),
  };
}

/** MiB of all files in a folder. */
function sizeOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => statSync(join(folder, name)));
  return files.filter((file) => file.isFile()).reduce((sum, { size }) => sum + size, 0) / 1024 ** 2;
}
