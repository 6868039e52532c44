import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Database } from "../../src/database/database";
import { openByUrl } from "../folder-database";
import type { Answered, Plane } from "../harness";
import { type ServerProcess, startProcess } from "../process";
import { createDice } from "../random";
import { control, size } from "../runs";
import { type BusyWriters, startBusyWriters } from "../walk/busy-writers";
import { findFaults } from "../walk/walk-while";
import { type Connection, connectToEach } from "./connection";

const walks = size({ default: 4, long: 100 });
let server: ServerProcess;
let beside: Plane;
let databases: Database[];
let processes: Connection[];

beforeAll(async () => {
  server = await startProcess({ flags: { processes: "4", log_level: "warn" } });
  beside = await server.openBeside();
  databases = [await openByUrl(beside.databaseUrl), await openByUrl(beside.databaseUrl)];
  processes = await connectToEach(server.port, 4);
});

afterAll(async () => {
  for (const database of databases) await database.close();
  await server.stop();
  await beside.close();
});

/** Asks for a first page and then for further ones, each of another process, while others write. */
async function walk(
  writers: BusyWriters,
  token: string,
  address: string,
  nextOf: (page: Answered, pages: number) => string | undefined,
) {
  const pages: Answered[] = [];
  const first = { begun: performance.now(), done: 0 };
  for (let href: string | undefined = address; href !== undefined; ) {
    const page: Answered | undefined = await processes[pages.length % processes.length]?.ask(href, { token });
    if (page?.status !== 200) throw new Error(`${href} answered ${page?.status}: ${page?.text}`);
    if (pages.length === 0) first.done = performance.now();
    pages.push(page);
    href = nextOf(page, pages.length);
  }
  const { steady, late, min, max } = writers.owedBy(first);
  const crowd = { steady: () => steady, arrived: late, touched: new Set<string>(), act: async () => {} };
  const { totals, ...faults } = findFaults(pages, crowd, steady);
  const isPlausible = totals.every((total) => total >= min && total <= max);
  return { ...faults, totals: totals.length, isPlausible };
}

const faultless = { duplicates: [], missed: [], late: [], misplaced: [], totals: 1, isPlausible: true };

test(
  `R9: ${walks} walks across four processes that begin in the middle of writes are exact`,
  async () => {
    const unit = await beside.addUnit("Busy");
    const { token } = await beside.serviceToken("viewer", unit);
    const dice = createDice(walks);
    const writers = await startBusyWriters(databases, unit, { first: 800, dice });
    const startedAt = performance.now();
    const found = [];
    for (let round = 0; round < walks; round++) {
      const address = `/tasks?limit=${20 + dice(40)}`;
      found.push(await walk(writers, token, address, ({ body }) => body._links.next?.href));
    }
    const seconds = (performance.now() - startedAt) / 1_000;
    const rate = writers.written() / seconds;
    await writers.stop();
    expect(found).toEqual(found.map(() => faultless));
    // Others may need the machine, too, while a default run goes on.
    expect(rate).toBeGreaterThan(size({ default: 50, long: 500 }));
  },
  walks * 20_000,
);

control(
  "R9: the control: counting pages by hand across processes repeats and misses tasks under the same writers",
  async () => {
    const unit = await beside.addUnit("Busy by number");
    const { token } = await beside.serviceToken("viewer", unit);
    const writers = await startBusyWriters(databases, unit, { first: 400, dice: createDice(1) });
    const found = [];
    for (let round = 0; round < 2; round++) {
      const byNumber = ({ body }: Answered, pages: number) =>
        body.current_count === 0 ? undefined : `/tasks?limit=40&start=${pages + 1}`;
      found.push(await walk(writers, token, "/tasks?limit=40", byNumber));
    }
    await writers.stop();
    expect(found.flatMap(({ duplicates, missed }) => [...duplicates, ...missed])).not.toEqual([]);
    expect(Math.max(...found.map(({ totals }) => totals))).toBeGreaterThan(1);
  },
  120_000,
);
