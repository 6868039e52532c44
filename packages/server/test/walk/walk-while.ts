import type { TaskV1 } from "@holdfast/api/resources/tasks";
import type { Answered, Ask, Plane } from "../harness";
import { compareTasks } from "../isolation/model";
import type { Crowd } from "./crowd";

/** Function that runs between two pages. */
type Meanwhile = () => Promise<void>;

/** Follows `next` to the end and gives the pages. */
export async function walkNext(plane: Plane, address: string, ask: Ask, meanwhile: Meanwhile): Promise<Answered[]> {
  const pages: Answered[] = [];
  for (let href: string | undefined = address; href !== undefined; href = pages.at(-1)?.body._links.next?.href) {
    pages.push(await askPage(plane, href, ask));
    await meanwhile();
  }
  return pages;
}

/** Follows `prev` from a page to the beginning, and gives the pages in the order of the list. */
export async function walkPrev(plane: Plane, last: Answered, ask: Ask, meanwhile: Meanwhile): Promise<Answered[]> {
  const pages = [last];
  for (let href = last.body._links.prev?.href; href !== undefined; href = pages[0]?.body._links.prev?.href) {
    pages.unshift(await askPage(plane, href, ask));
    await meanwhile();
  }
  return pages;
}

/** Counts `start` upwards by hand until a page is empty, as one would without cursors. */
export async function walkByNumber(plane: Plane, address: string, ask: Ask, meanwhile: Meanwhile): Promise<Answered[]> {
  const pages = [await askPage(plane, address, ask)];
  while (pages.at(-1)?.body.current_count > 0) {
    await meanwhile();
    pages.push(await askPage(plane, `${address}&start=${pages.length + 1}`, ask));
  }
  return pages;
}

async function askPage(plane: Plane, href: string, ask: Ask): Promise<Answered> {
  const page = await plane.ask(href, ask);
  if (page.status !== 200) throw new Error(`${href} answered ${page.status}: ${page.text}`);
  return page;
}

/** Everything that can be wrong with a walk. */
export interface Faults {
  duplicates: string[];
  missed: string[];
  /** Seen, although it came after the walk had begun. */
  late: string[];
  /** Not strictly after the item before it. */
  misplaced: string[];
  /** The different total counts that the pages spoke of. */
  totals: number[];
}

/** Compares what a walk saw with what it owed. */
export function findFaults(pages: readonly Answered[], crowd: Crowd, owed: readonly string[]): Faults {
  const items = pages.flatMap(({ body }): TaskV1[] => body._embedded.items);
  const ids = items.map(({ id }) => id);
  const seen = new Set(ids);
  return {
    duplicates: ids.filter((id, index) => ids.indexOf(id) !== index),
    missed: owed.filter((id) => !seen.has(id)),
    late: ids.filter((id) => crowd.arrived.has(id)),
    misplaced: items
      .filter((item, index) => {
        const before = items[index - 1];
        return before !== undefined && compareTasks(before, item) >= 0;
      })
      .map(({ id }) => id),
    totals: [...new Set(pages.map(({ body }): number => body.total_count))],
  };
}
