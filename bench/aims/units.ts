import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { withConnections } from "../load/connection";
import { median } from "../load/percentiles";
import { createRandom } from "../load/random";
import { type Row, rowOf } from "../result";
import { fetchJson, type Headers, listOf, type Ours, postOf } from "../sides/ours";
import { runHoldfast } from "../sides/processes";

const day = 86_400_000;
const sizes = [1, 100, 1_000];
const tasks = 50_000;
const requests = 200;
const statuses = ["completed", "completed", "completed", "failed", "aborted"];

/** Measures lists of units with more and more units below them. Each tree has as many tasks as the others. */
export async function measureUnits(ours: Ours, keep: (row: Row) => void): Promise<void> {
  const random = createRandom(1);
  const trees = await growTrees(ours);
  const lists = {
    "another page": () => ({ start: 1 + Math.floor((random.share() * tasks) / 100) }),
    "failed tasks, another page": () => ({
      start: 1 + Math.floor((random.share() * tasks) / 500),
      filter: { status: "failed" },
    }),
    "created before another moment": () => ({
      filter: {
        created_timestamp: { $lt: new Date(Date.now() - Math.floor(random.share() * 88 * day)).toISOString() },
      },
    }),
  };
  await withConnections(ours.url, 1, async ([line]) => {
    for (const [name, query] of Object.entries(lists)) {
      for (const { below, headers } of trees) {
        const times: number[] = [];
        for (let n = 0; n < 2 * requests; n++) {
          const answer = await line?.send(listOf("/tasks", headers, { limit: 100, ...query() }));
          // Code is compiled in the first half.
          if (n >= requests) times.push(answer?.ms ?? Number.NaN);
        }
        keep(rowOf("units", `${name}, ${below.toLocaleString("en")} units below`, median(times), " ms"));
      }
    }
  });
}

/** Makes a tree of units for each size, with tasks in all of them, and a token for each. */
async function growTrees(ours: Ours): Promise<{ below: number; headers: Headers }[]> {
  async function makeUnit(name: string, parent?: string): Promise<string> {
    const body = { name, ...(parent === undefined ? {} : { parent_id: parent }) };
    const { id }: { id: string } = await fetchJson(ours.url, postOf("/organizational-units", ours.owner, body));
    return id;
  }
  const trees: { below: number; headers: Headers }[] = [];
  const file = join(ours.dataDir, "tasks-of-units.ndjson");
  const writer = Bun.file(file).writer();
  for (const below of sizes) {
    const top = await makeUnit(`${below} below`);
    const units: string[] = [];
    for (let number = 0; number < below; number++) units.push(await makeUnit(`unit ${number}`, top));
    for (let number = 0; number < tasks; number++) {
      writer.write(`${JSON.stringify(taskOf(units[number % below] ?? top, number))}\n`);
    }
    trees.push({ below, headers: await ours.tokenFor("viewer", top) });
  }
  await writer.end();
  const database = ours.databaseUrl === undefined ? [] : ["--database-url", ours.databaseUrl];
  await runHoldfast(["task", "import", file, "--data-dir", ours.dataDir, ...database]);
  return trees;
}

function taskOf(unitId: string, number: number): object {
  const status = statuses[number % statuses.length];
  return {
    id: randomUUID(),
    category: "backup",
    type: "restic_backup",
    status,
    organizational_unit_id: unitId,
    start_timestamp: new Date(Date.now() - Math.floor((number / tasks) * 89 * day) - 1000).toISOString(),
    error: status === "failed" ? { code: "repository_locked", message: "locked", remedy: "Unlock it." } : null,
  };
}
