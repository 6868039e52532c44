import type { Bench } from "../bench";
import type { Sent } from "../load/connection";
import { type Side, throughput } from "../sides/side";
import type { Aim } from "./row";
import { anyMoment, anyPage, newestTasks, pagesOf, partsOfNames } from "./wishes";

export const connections = 8;
/** A list is compiled to its last after about ten thousand. */
const warmUpSeconds = 15;

/** Lists as many clients ask for them: ours, bare and the peers, over eight connections. */
export async function measureLists(bench: Bench): Promise<void> {
  const { ours, measure } = bench;
  const group = "lists";
  await warmUp(bench);
  const row = (what: string, request: (side: Side, n: number) => Sent, aim?: Aim, notes: string[] = []) =>
    measure({
      group,
      what,
      unit: "/s",
      sides: allSides(bench, request),
      compare: { with: "bare", unit: "%" },
      notes,
      ...(aim ? { aim } : {}),
    });

  // Another server has to be asked on PostgreSQL, whether anything has changed and for the page.
  const [same, another] = ours.databaseUrl === undefined ? [60, 25] : [40, 8];
  await row("the same page again", (side) => side.list({}), { atLeast: same });
  await row("another page each time", (side, n) => side.list(anyPage(side, n)), { atLeast: another });
  await row("the middle page", (side, n) => side.list({ start: Math.ceil(pagesOf(side) / 2), spelling: n }));
  await row("the last page", (side, n) => side.list({ start: pagesOf(side), spelling: n }));
  await row("failed tasks", (side, n) => side.list({ filter: { status: "failed" }, spelling: n }));

  const total = ["another filter each time, whose total has to be found"];
  await row(
    "created before another moment each time",
    (side, n) => side.list({ filter: { created_timestamp: { $lt: anyMoment(n) } } }),
    { atLeast: 5 },
    total,
  );
  await row(
    "failed and created before another moment each time",
    (side, n) => side.list({ filter: { status: "failed", created_timestamp: { $lt: anyMoment(n) } } }),
    { atLeast: 5 },
    total,
  );
  const parts = await partsOfNames(ours);
  await row(
    "name contains another text each time",
    (side, n) => side.list({ filter: { "primary_entity.value": { $contains: parts[n % parts.length] } } }),
    { atLeast: 5 },
    total,
  );
  // The newest: json-server has only those.
  const ids = (await newestTasks(ours)).map(({ id }) => id);
  // Bare serves a page, which is another thing.
  const { bare: _, ...sides } = allSides(bench, (side, n) => side.one(ids[n % ids.length] ?? ""));
  await measure({ group, what: "one task by its id, another each time", unit: "/s", sides });
}

/** Asks all sides for pages and filters until they are as quick as a service that has run for a while. */
async function warmUp(bench: Bench): Promise<void> {
  const seconds = bench.options.quick ? 1 : warmUpSeconds;
  const before = (n: number) => ({ created_timestamp: { $lt: anyMoment(n) } });
  const request = (side: Side, n: number) => side.list(n % 2 === 0 ? anyPage(side, n) : { filter: before(n) });
  const isPeer = (name: string) => bench.peers.some((peer) => peer.name === name);
  for (const [name, ask] of Object.entries(allSides(bench, request, seconds))) {
    // A peer that fails says so in each row.
    await ask().catch(isPeer(name) ? () => {} : undefined);
  }
}

/** How each side is measured in a round: bare, ours and the peers, one after the other. */
export function allSides(
  { bare, ours, peers, options }: Bench,
  request: (side: Side, n: number) => Sent,
  seconds = options.seconds,
) {
  const how = { connections, seconds };
  return Object.fromEntries(
    [bare, ours, ...peers].map((side) => [side.name, () => throughput(side, (n) => request(side, n), how)]),
  );
}
