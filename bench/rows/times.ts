import { listEnvelope } from "@holdfast/api/conventions/paging";
import { taskV1 } from "@holdfast/api/resources/tasks";
import type { Bench } from "../bench";
import type { Sent } from "../load/connection";
import { fetchText, type Ours } from "../sides/ours";
import { ampersands, answerTime, type Side } from "../sides/side";
import { daysAgo, newestTasks, pagesOf } from "./wishes";

type Wish = (side: Side, n: number) => Sent;

const pageOne: Wish = (side, n) => side.list({ spelling: n });

/** How long a list takes beside page 1, over one connection. */
export async function measureTimes(bench: Bench): Promise<void> {
  const { ours } = bench;
  const compare = (what: string, wish: Wish, atMost: number) => againstPageOne(bench, "times", what, wish, atMost);

  await bench.measure({
    group: "times",
    what: "page 1 of all tasks",
    unit: " ms",
    sides: {
      "page 1 of 1,000": () => answerTime(bench.small, (n) => pageOne(bench.small, n), bench.options.seconds),
      ours: () => answerTime(ours, (n) => pageOne(ours, n), bench.options.seconds),
    },
    compare: { with: "page 1 of 1,000", unit: "×" },
    aim: { atMost: 1.5 },
  });
  const pages = pagesOf(ours);
  const middle = Math.ceil(pages / 2);
  await compare("the middle page by number", (side, n) => side.list({ start: middle, spelling: n }), 2);
  await compare("the last page by number", (side, n) => side.list({ start: pages, spelling: n }), 2);
  for (const [name, start] of [
    ["middle", middle],
    ["last", pages - 1],
  ] as const) {
    const href = await nextOf(ours, Math.max(1, start));
    await compare(`the ${name} page by cursor`, (_, n) => spelt(ours, href, n), 2);
  }

  const [task] = (await newestTasks(ours)).filter(({ primary_entity }) => primary_entity !== null);
  const entity = task?.primary_entity;
  const cheap = {
    "status = failed": { status: "failed" },
    "status in two": { status: { $in: ["failed", "aborted"] } },
    "status other than completed": { status: { $neq: "completed" } },
    "outcome = error": { outcome: "error" },
    "category = restore": { category: "restore" },
    "type = restic_backup": { type: "restic_backup" },
    "id = one": { id: task?.id ?? "" },
    "created in a week": { created_timestamp: { $gte: daysAgo(37), $lt: daysAgo(30) } },
  };
  const dear = {
    "started before": { start_timestamp: { $lt: daysAgo(80) } },
    "ended within an hour": { end_timestamp: { $gte: daysAgo(40), $lt: daysAgo(40 - 1 / 24) } },
    "entity id =": { "primary_entity.id": entity?.id ?? "" },
    "entity id contains": { "primary_entity.id": { $contains: "1" } },
    "entity name =": { "primary_entity.value": entity?.value ?? "" },
    "entity name contains, rare": {
      "primary_entity.value": { $contains: entity?.value.toUpperCase().slice(0, 9) ?? "" },
    },
    "entity name contains, nearly all": { "primary_entity.value": { $contains: "e" } },
  };
  for (const [filters, atMost] of [
    [cheap, 3],
    [dear, 20],
  ] as const) {
    for (const [name, filter] of Object.entries(filters)) {
      await compare(`filter ${name}`, (side, n) => side.list({ filter, spelling: n }), atMost);
    }
  }
}

/** Compares a request with page 1, both of our service. */
export async function againstPageOne(
  { ours, options, measure }: Bench,
  group: string,
  what: string,
  wish: Wish,
  atMost?: number,
): Promise<void> {
  // What a filter matches may have to be counted first, which is not what is measured.
  await fetchText(ours, wish(ours, 0));
  await measure({
    group,
    what,
    unit: " ms",
    sides: {
      "page 1": () => answerTime(ours, (n) => pageOne(ours, n), options.seconds),
      ours: () => answerTime(ours, (n) => wish(ours, n), options.seconds),
    },
    compare: { with: "page 1", unit: "×" },
    ...(atMost === undefined ? {} : { aim: { atMost } }),
  });
}

/** The address of the page after a page. */
async function nextOf(ours: Ours, start: number): Promise<string> {
  const { _links } = listEnvelope(taskV1).parse(JSON.parse(await fetchText(ours, ours.list({ start }))));
  return _links.next?.href ?? "/tasks?limit=100";
}

function spelt({ headers }: Ours, href: string, n: number): Sent {
  const [first, ...rest] = ampersands(n);
  const [path, query = ""] = href.split("?");
  const parts = query.split("&");
  const middle = parts.map((part, index) => `${index === 0 ? "" : "&"}${part}${rest[index] ?? ""}`);
  return { method: "GET", path: `${path}?${first}${middle.join("")}`, headers };
}
