import { type EntityState, entityStates } from "@holdfast/api/resources/entity-words";
import type { Client, ItemOf } from "@holdfast/client";

type Entity = ItemOf<"entities", "read-entity">;
type Monitor = ItemOf<"monitors", "read-monitor">;

/** How much is shown of what needs attention; all of it is counted. */
const shownAtMost = 10;
/** So many that are muted or retired are looked at to leave their monitors out. */
const excusedAtMost = 1000;

/** How everything stands. */
export interface Status {
  is_protected: boolean;
  /** The answer in a sentence. */
  verdict: string;
  /** Whom was asked, and when. */
  url: string;
  timestamp: string;
  /** What is protected, by state, without what is muted or retired. */
  entities: Record<EntityState, number>;
  muted_count: number;
  retired_count: number;
  /** The first of what needs attention. */
  attention: Entity[];
  monitors_in_trouble: Monitor[];
  monitors_in_trouble_count: number;
  /** How the tasks of the last 24 hours ended. */
  last_day: Record<string, number>;
  running_count: number;
}

export interface StatusOptions {
  /** Whether to count what no monitor watches, and monitors that are late. */
  isStrict: boolean;
  where: string;
}

/** Finds out how everything stands, with as few requests as it takes. */
export async function readStatus(client: Client, { isStrict, where }: StatusOptions): Promise<Status> {
  const now = Date.now();
  const bad: EntityState[] = [
    "never",
    "failing",
    "missed",
    "incomplete",
    ...(isStrict ? (["unwatched"] as const) : []),
  ];
  const states = ["missed", "failed", ...(isStrict ? ["late"] : [])];
  const attended = { is_retired: false, is_muted: false };
  // Discovery is read once, before everything else is asked at the same time.
  await client.discover();
  const [counts, attention, muted, retired, monitors, lastDay, running] = await Promise.all([
    client.entities.counts({ filter: attended }).first(entityStates.length),
    client.entities.list({ filter: { ...attended, state: { $in: bad } }, limit: shownAtMost }).page(),
    client.entities.list({ filter: { is_muted: true, is_retired: false } }).first(excusedAtMost),
    client.entities.list({ filter: { is_retired: true } }).first(excusedAtMost),
    client.monitors.list({ filter: { state: { $in: states } }, sort: "state" }).first(excusedAtMost),
    client.tasks
      .counts({ interval: "all", filter: { created_timestamp: { $gte: new Date(now - 86_400_000) } } })
      .first(20),
    client.tasks.list({ filter: { status: { $in: ["in_progress", "aborting"] } }, limit: 1 }).page(),
  ]);
  const excused = new Set([...muted, ...retired].flatMap(({ monitor_ids }) => monitor_ids));
  const inTrouble = monitors.filter(({ id }) => !excused.has(id));
  const entities = countsOf(counts);
  const needing = bad.reduce((sum, state) => sum + entities[state], 0);
  return {
    ...judge({ entities, needing, inTrouble: inTrouble.length, bad }),
    url: where,
    timestamp: new Date(now).toISOString(),
    entities,
    muted_count: muted.length,
    retired_count: retired.length,
    attention: attention.items,
    monitors_in_trouble: inTrouble.slice(0, shownAtMost),
    monitors_in_trouble_count: inTrouble.length,
    last_day: Object.fromEntries(lastDay.map(({ outcome, count }) => [outcome ?? "not_ended", count])),
    running_count: running.total_count,
  };
}

function countsOf(counts: readonly { state: EntityState; count: number }[]): Record<EntityState, number> {
  const of = (state: EntityState) => counts.find((one) => one.state === state)?.count ?? 0;
  return {
    never: of("never"),
    failing: of("failing"),
    missed: of("missed"),
    incomplete: of("incomplete"),
    unwatched: of("unwatched"),
    good: of("good"),
  };
}

const words: Record<EntityState, string> = {
  never: "never backed up",
  failing: "failing",
  missed: "missed",
  incomplete: "incomplete",
  unwatched: "not watched",
  good: "good",
};

interface Judged {
  entities: Record<EntityState, number>;
  needing: number;
  inTrouble: number;
  bad: readonly EntityState[];
}

function judge({ entities, needing, inTrouble, bad }: Judged): Pick<Status, "is_protected" | "verdict"> {
  const all = Object.values(entities).reduce((sum, count) => sum + count, 0);
  if (all === 0) return { is_protected: false, verdict: "Nothing is protected here yet: no backup was ever reported." };
  if (needing > 0) {
    const which = bad.filter((state) => entities[state] > 0).map((state) => `${entities[state]} ${words[state]}`);
    const verb = needing === 1 ? "needs" : "need";
    return {
      is_protected: false,
      verdict: `${needing} of ${counted(all, "item")} ${verb} attention: ${which.join(", ")}.`,
    };
  }
  if (inTrouble > 0) {
    const verb = inTrouble === 1 ? "is" : "are";
    return { is_protected: false, verdict: `${counted(inTrouble, "monitor")} ${verb} in trouble.` };
  }
  const unwatched =
    entities.unwatched === 0 ? "" : ` No monitor watches ${counted(entities.unwatched, "of them", "of them")}.`;
  return {
    is_protected: true,
    verdict: `Everything is protected: ${counted(all, "item has", "items have")} a good backup.${unwatched}`,
  };
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
