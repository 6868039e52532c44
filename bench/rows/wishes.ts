import { listEnvelope } from "@holdfast/api/conventions/paging";
import { taskV1 } from "@holdfast/api/resources/tasks";
import { fetchText, type Ours } from "../sides/ours";
import type { ListWish, Side } from "../sides/side";

const day = 86_400_000;
/** More than our service remembers. */
const manyPages = 5_000;
const goldenRatio = 0.618_033_988_749_895;

/** A number from 0 to 1, another one each time, spread evenly. */
const evenly = (n: number) => (n * goldenRatio) % 1;

/** The pages of a hundred that a side has. */
export const pagesOf = ({ tasks }: Side) => Math.max(1, Math.floor(tasks / 100));

/** Any page, another one each time. Where there are few, the same page comes again before it is forgotten: it is spelt differently. */
export function anyPage(side: Side, n: number): ListWish {
  const pages = pagesOf(side);
  return { start: 1 + Math.floor(evenly(n) * pages), spelling: pages < manyPages ? n : 0 };
}

/** A moment between the first task and the last, another one each time. The demonstration has tasks of 90 days. */
export function anyMoment(n: number): string {
  return new Date(Date.now() - day - Math.floor(evenly(n) * 88 * day)).toISOString();
}

export const daysAgo = (days: number) => new Date(Date.now() - days * day).toISOString();

/** The newest tasks, without those that a run has written: an earlier one may have left thousands, which protect nothing. */
export async function newestTasks(ours: Ours) {
  const { headers } = ours;
  const filter = encodeURIComponent(JSON.stringify({ type: { $neq: "bench_report" } }));
  const text = await fetchText(ours, { method: "GET", path: `/tasks?limit=1000&filter=${filter}`, headers });
  return listEnvelope(taskV1).parse(JSON.parse(text))._embedded.items;
}

/** Parts of the names of what is protected, each of which is found in some. */
export async function partsOfNames(ours: Ours): Promise<string[]> {
  const names = (await newestTasks(ours)).flatMap(({ primary_entity }) => primary_entity?.value.toLowerCase() ?? []);
  const parts = new Set<string>();
  for (let length = 3; length <= 9; length++) {
    for (const name of names) {
      for (let from = 0; from + length <= name.length; from++) parts.add(name.slice(from, from + length));
    }
  }
  // Neighbours would be much alike.
  return [...parts].sort((one, other) => Number(Bun.hash.crc32(one)) - Number(Bun.hash.crc32(other)));
}
