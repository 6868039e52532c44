import { listEnvelope } from "@holdfast/api/conventions/paging";
import { type TaskV1, taskV1 } from "@holdfast/api/resources/tasks";
import { fetchJson, getOf, type Headers, listOf, type Ours } from "../sides/ours";
import type { Answer, Sent } from "./connection";
import type { Random } from "./random";
import type { Ask } from "./samples";

export const pageSize = 100;
const day = 86_400_000;
const hour = 3_600_000;
const pagesRead = 20;

/** Tasks that filters are made of, so that each filter finds something. */
export interface Known {
  /** From all pages. */
  any: readonly TaskV1[];
  failed: readonly TaskV1[];
}

/** Reads tasks from pages at random. */
export async function readKnown({ url, owner }: Ours, random: Random): Promise<Known> {
  async function read(filter: object): Promise<TaskV1[]> {
    const page = (start: number) => fetchJson(url, listOf("/tasks", owner, { start, limit: pageSize, filter }));
    const { total_pages_count: pages }: { total_pages_count: number } = await page(1);
    const tasks: TaskV1[] = [];
    for (let count = 0; count < pagesRead; count++) {
      const body = await page(1 + Math.floor(random.share() * pages));
      tasks.push(...listEnvelope(taskV1).parse(body)._embedded.items);
    }
    return tasks;
  }
  const hasItem = ({ primary_entity }: TaskV1) => primary_entity !== null;
  return { any: (await read({})).filter(hasItem), failed: (await read({ status: "failed" })).filter(hasItem) };
}

/** The filters of the table, each made of a task that it finds. */
export const filters: Record<string, (task: TaskV1, random: Random) => object> = {
  status: ({ status }) => ({ status }),
  outcome: ({ outcome }) => ({ outcome: outcome ?? "success" }),
  category: ({ category }) => ({ category }),
  type: ({ type }) => ({ type }),
  unit: ({ organizational_unit_id }) => ({ organizational_unit_id }),
  item: ({ primary_entity }) => ({ "primary_entity.id": primary_entity?.id ?? "" }),
  "error code": ({ error }) => ({ "error.code": error?.code ?? "" }),
  "created range": ({ created_timestamp }, random) => {
    const at = Date.parse(created_timestamp);
    const after = hour * (24 * 60) ** random.share();
    return { created_timestamp: { $gte: iso(at - random.share() * 30 * day), $lt: iso(at + after) } };
  },
};

const iso = (at: number) => new Date(at).toISOString();

/** Every pair of the filters. */
export const pairs: readonly (readonly [string, string])[] = Object.keys(filters).flatMap((one, index, names) =>
  names.slice(index + 1).map((other) => [one, other] as const),
);

/** A filter on these fields that finds a task chosen at random: a failed one in half of all cases. */
export function filterOn(names: readonly string[], known: Known, random: Random): object {
  const isFailed = names.includes("error code") || random.share() < 0.5;
  const task = random.pick(isFailed ? known.failed : known.any);
  return Object.assign({}, ...names.map((name) => filters[name]?.(task, random)));
}

/** Parts of names of items: `rare` is the whole name of one, `medium` its site, `nearly all` a letter. */
export const parts: Record<string, (task: TaskV1) => string> = {
  rare: ({ primary_entity }) => primary_entity?.value.toUpperCase() ?? "",
  medium: ({ primary_entity }) => primary_entity?.value.slice(0, 4) ?? "",
  "nearly all": () => "e",
};

export function containing(size: string, known: Known, random: Random): object {
  return { "primary_entity.value": { $contains: parts[size]?.(random.pick(known.any)) ?? "" } };
}

/** Reads the total of a page; the last bytes of its body have it. */
export function totalOf(answer: Answer): number {
  return Number(/"total_count":(\d+)/.exec(answer.text().slice(-400))?.[1] ?? 0);
}

/** Reads a link of a page. */
function linkOf(answer: Answer, name: "next" | "prev"): string | undefined {
  return new RegExp(`"${name}":\\{"href":"([^"]+)"`).exec(answer.text().slice(-4_000))?.[1];
}

/** Asks for the first, the middle and the last page of a list by number, and for their neighbours by cursor. */
export async function visitPages(ask: (page: string) => Ask, headers: Headers, filter?: object): Promise<void> {
  const page = (start: number): Sent =>
    listOf("/tasks", headers, { limit: pageSize, start, ...(filter ? { filter } : {}) });
  const first = await ask("first page by number")(page(1));
  const pages = Math.ceil(totalOf(first) / pageSize);
  const follow = async (answer: Answer, link: "next" | "prev", name: string) => {
    const href = linkOf(answer, link);
    if (href !== undefined) await ask(`${name} page by cursor`)(getOf(href, headers));
  };
  await follow(first, "next", "second");
  if (pages < 3) return;
  const middle = await ask("middle page by number")(page(Math.ceil(pages / 2)));
  await follow(middle, "next", "middle");
  const last = await ask("last page by number")(page(pages));
  await follow(last, "prev", "last but one");
}
