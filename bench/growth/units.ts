import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { anyMoment, anyPage } from "../rows/wishes";
import { fetchText, type Ours, requestsOf } from "../sides/ours";
import { runHoldfast } from "../sides/processes";
import { answerTime, type Side } from "../sides/side";
import type { Grow } from "./grow";
import { createLines } from "./lines";

const day = 86_400_000;
const statuses = ["completed", "completed", "completed", "failed", "aborted"];

/** How times grow with the units below the one whose tasks are listed. Each tree has as many tasks as the others. */
export const growUnits: Grow = async ({ options, start, tell }) => {
  const sizes = options.quick ? [1, 100] : [1, 100, 1_000];
  const tasks = options.quick ? 5_000 : 50_000;
  const { note, lines } = createLines(sizes);
  const ours = await start(0);
  try {
    const trees = await growTrees(ours, sizes, tasks);
    tell(`Units: ${sizes.join(", ")} below, each tree with ${tasks.toLocaleString("en")} tasks.`);
    for (let round = 0; round < options.rounds; round++) {
      for (const { below, side } of trees) {
        const requests = {
          "page 1": (n: number) => side.list({ spelling: n }),
          "another page each time": (n: number) => side.list(anyPage(side, n)),
          "failed tasks": (n: number) => side.list({ filter: { status: "failed" }, spelling: n }),
          "created before another moment each time": (n: number) =>
            side.list({ filter: { created_timestamp: { $lt: anyMoment(n) } } }),
        };
        for (const [what, request] of Object.entries(requests)) {
          note(below, what, " ms", (await answerTime(side, request, options.seconds)).value);
        }
      }
    }
  } finally {
    await ours.stop();
  }
  const each = `Each tree has ${tasks.toLocaleString("en")} tasks, spread over its units.`;
  return { name: "Units below", axis: "units below", sizes, lines: lines(), notes: [each] };
};

interface Tree {
  below: number;
  side: Side;
}

/** Makes a tree of units for each size, all with tasks, and a token for each. */
async function growTrees(ours: Ours, sizes: readonly number[], tasks: number): Promise<Tree[]> {
  const owner = await ours.headersOf("owner");
  const json = { ...owner, "Content-Type": "application/json" };
  async function makeUnit(name: string, parent?: string): Promise<string> {
    const body = JSON.stringify({ name, ...(parent === undefined ? {} : { parent_id: parent }) });
    const made = await fetchText(ours, { method: "POST", path: "/organizational-units", headers: json, body });
    const { id }: { id: string } = JSON.parse(made);
    return id;
  }
  const trees: Tree[] = [];
  const file = join(ours.dataDir, "tasks-of-units.ndjson");
  const writer = Bun.file(file).writer();
  for (const below of sizes) {
    const top = await makeUnit(`${below} below`);
    const units: string[] = [];
    for (let number = 0; number < below; number++) units.push(await makeUnit(`unit ${number}`, top));
    for (let number = 0; number < tasks; number++) {
      writer.write(`${JSON.stringify(taskOf(units[number % below] ?? top, number, number / tasks))}\n`);
    }
    const side = { ...ours, tasks, ...requestsOf(await ours.headersOf("viewer", top)) };
    trees.push({ below, side });
  }
  await writer.end();
  const database = ours.databaseUrl === undefined ? [] : ["--database_url", ours.databaseUrl];
  await runHoldfast(["task", "import", file, "--data_dir", ours.dataDir, ...database]);
  return trees;
}

/** A task of the last 89 days: the share says when. */
function taskOf(unitId: string, number: number, share: number): object {
  const status = statuses[number % statuses.length];
  return {
    id: randomUUID(),
    category: "backup",
    type: "restic_backup",
    status,
    organizational_unit_id: unitId,
    start_timestamp: new Date(Date.now() - Math.floor(share * 89 * day) - 1000).toISOString(),
    error: status === "failed" ? { code: "repository_locked", message: "locked", remedy: "Unlock it." } : null,
  };
}
