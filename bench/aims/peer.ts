import { newTask } from "../load/reports";
import type { Ask } from "../load/samples";
import { containing, filterOn, filters, pageSize, pairs, parts, totalOf } from "../load/task-lists";
import { throughput } from "../load/throughput";
import { peerHeaders } from "../peer/start-peer";
import { getOf, type Headers, listOf, postOf } from "../sides/ours";
import type { Bench } from "./bench";
import { compare } from "./compare";

const connections = 8;

type Visit = (ask: Ask, headers: Headers) => Promise<unknown>;

/** Compares requests a second with those of the peer, in turns. Both hold the same tasks. */
export async function measurePeer(bench: Bench, peerUrl: string): Promise<void> {
  const { ours, reporter, seconds, keep } = bench;
  for (const { what, visit, atLeast = 1, connections: count = connections } of rowsOf(bench)) {
    const how = { connections: count, seconds: seconds / 120 };
    keep(
      await compare(
        "peer",
        what,
        { atLeast, unit: " ×" },
        {
          mine: () => throughput(ours.url, how, (ask) => visit(ask, reporter)),
          theirs: () => throughput(peerUrl, how, (ask) => visit(ask, peerHeaders)),
        },
      ),
    );
  }
}

function rowsOf({ known, random }: Bench): { what: string; visit: Visit; atLeast?: number; connections?: number }[] {
  const page = (headers: Headers, start: number, filter?: object) =>
    listOf("/tasks", headers, { limit: pageSize, start, ...(filter ? { filter } : {}) });
  let pages = 1;
  /** Asks for the first page of a list, which has the total, and for another one at random. */
  const pagesOf = (filterOf: () => object) => async (ask: Ask, headers: Headers) => {
    const filter = filterOf();
    const count = Math.ceil(totalOf(await ask(page(headers, 1, filter))) / pageSize);
    if (count > 1) await ask(page(headers, 1 + Math.floor(random.share() * count), filter));
  };
  let written = 0;
  const create: Visit = (ask, headers) => ask(postOf("/tasks", headers, newTask(known.any, written++)));
  return [
    {
      what: "page 1",
      visit: async (ask, headers) => {
        pages = Math.floor(totalOf(await ask(page(headers, 1))) / pageSize);
      },
    },
    {
      what: "a random page",
      atLeast: 5,
      visit: (ask, headers) => ask(page(headers, 1 + Math.floor(random.share() * pages))),
    },
    ...Object.keys(filters).map((name) => ({
      what: `filter on ${name}`,
      visit: pagesOf(() => filterOn([name], known, random)),
    })),
    { what: "filter on any two", connections: 1, visit: pagesOf(() => filterOn(random.pick(pairs), known, random)) },
    ...Object.keys(parts).map((size) => ({
      what: `name contains, ${size}`,
      connections: 1,
      visit: pagesOf(() => containing(size, known, random)),
    })),
    { what: "one task", visit: (ask, headers) => ask(getOf(`/tasks/${random.pick(known.any).id}`, headers)) },
    { what: "a new task, 1 connection", connections: 1, visit: create },
    { what: `a new task, ${connections} connections`, visit: create },
  ];
}
