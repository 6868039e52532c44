import { type EntityState, entityStates } from "@holdfast/api/resources/entity-words";
import { expiryNotice, maxExpiryNoticeMs } from "@holdfast/api/resources/token-expiry";
import type { Client, ItemOf } from "@holdfast/client";
import { judge, type Verdict } from "./judge-status";

type ExpiringToken = Pick<ItemOf<"api-tokens", "read-api-token">, "id" | "name" | "kind" | "expires_timestamp">;
type Entity = Omit<ItemOf<"entities", "read-entity">, "_links">;
/** Without the URL that reports its runs: who has it can report. */
type Monitor = Omit<ItemOf<"monitors", "read-monitor">, "_links" | "ping_url">;

/** Maximum number of items of a kind that are named on one screen; all of it is counted. */
export const maxShown = 10;
/** So many that are muted or retired are looked at to leave their monitors out. */
const maxExcused = 1000;
/** So many tokens that expire soon are counted. */
const maxTokens = 1000;

/** The states in which an item needs a person, as the console counts them. */
const needsAttention: readonly EntityState[] = ["never", "failing", "missed", "stale"];
/** Further states that --strict counts. */
const needsAttentionStrictly: readonly EntityState[] = [...needsAttention, "incomplete", "unwatched"];

/** The states of monitors in trouble, as the console counts them. */
export const troubled = ["missed", "failed", "late"] as const;

/** State of everything that is protected. */
export interface Status extends Verdict {
  /** Whom was asked, and when. */
  url: string;
  timestamp: string;
  /** Number of items in each state, without what is muted or retired. */
  entities: Record<EntityState, number>;
  muted_count: number;
  retired_count: number;
  /** The states that need attention. */
  attention_states: readonly EntityState[];
  attention_count: number;
  /** Items that need attention, as many as were requested. */
  attention: Entity[];
  /** The first of what has an incomplete last backup, where that needs no attention. */
  incomplete: Entity[];
  /** The first of the monitors that are missed, failed or late. */
  monitors_in_trouble: Monitor[];
  monitors_in_trouble_count: number;
  /** Number of tasks of the last 24 hours by outcome. */
  last_day: Record<string, number>;
  running_count: number;
  queued_count: number;
  /** API tokens that expire within 14 days, the first ones first; none for callers who may not list tokens. */
  expiring_tokens: ExpiringToken[];
  expiring_token_count: number;
}

export interface StatusOptions {
  /** True if incomplete and unwatched items count, and late monitors. */
  isStrict: boolean;
  where: string;
  /** Maximum number of items that need attention to read. */
  max: number;
}

/** Finds out how everything stands, with as few requests as it takes. */
export async function readStatus(client: Client, { isStrict, where, max }: StatusOptions): Promise<Status> {
  const now = Date.now();
  const states = isStrict ? needsAttentionStrictly : needsAttention;
  const attended = { is_retired: false, is_muted: false };
  const itemsIn = (wanted: readonly EntityState[]) =>
    client.entities.list({ filter: { ...attended, state: { $in: [...wanted] } }, sort: "state" });
  const countOf = async (status: string[]) =>
    (await client.tasks.list({ filter: { status: { $in: status } }, limit: 1 }).page()).total_count;
  // Discovery is read once, before everything else is asked at the same time.
  await client.discover();
  const [counts, attention, incomplete, muted, retired, monitors, lastDay, running, queued, tokens] = await Promise.all(
    [
      client.entities.counts({ filter: attended }).first(entityStates.length),
      itemsIn(states).first(max),
      isStrict ? [] : itemsIn(["incomplete"]).first(maxShown),
      client.entities.list({ filter: { is_muted: true, is_retired: false } }).first(maxExcused),
      client.entities.list({ filter: { is_retired: true } }).first(maxExcused),
      client.monitors.list({ filter: { state: { $in: [...troubled] } }, sort: "state", limit: maxExcused }).page(),
      client.tasks
        .counts({ interval: "all", filter: { created_timestamp: { $gte: new Date(now - 86_400_000) } } })
        .first(20),
      countOf(["in_progress", "aborting"]),
      countOf(["queued"]),
      findExpiringTokens(client, now),
    ],
  );
  const excused = new Set([...muted, ...retired].flatMap(({ monitor_ids }) => monitor_ids));
  const counting = monitors.items.filter(({ id, state }) => !excused.has(id) && (isStrict || state !== "late"));
  const entities = countsOf(counts);
  const needing = states.reduce((sum, state) => sum + entities[state], 0);
  return {
    ...judge({ entities, needing, inTrouble: counting.length, states }),
    url: where,
    timestamp: new Date(now).toISOString(),
    entities,
    muted_count: muted.length,
    retired_count: retired.length,
    attention_states: states,
    attention_count: needing,
    attention: attention.map(withoutLinks),
    incomplete: incomplete.map(withoutLinks),
    monitors_in_trouble: monitors.items.slice(0, maxShown).map(withoutPingUrl),
    monitors_in_trouble_count: monitors.total_count,
    last_day: Object.fromEntries(lastDay.map(({ outcome, count }) => [outcome ?? "not_ended", count])),
    running_count: running,
    queued_count: queued,
    expiring_tokens: tokens.slice(0, maxShown),
    expiring_token_count: tokens.length,
  };
}

/** Finds the tokens that expire soon and were not replaced yet, as far as the caller may see tokens. */
async function findExpiringTokens(client: Client, now: number): Promise<ExpiringToken[]> {
  const { "api-tokens": resource } = await client.discover();
  if (!resource?.v1?.["list-api-tokens"]) return [];
  const until = new Date(now + maxExpiryNoticeMs);
  const tokens = await client.apiTokens
    .list({
      filter: { expires_timestamp: { $gt: new Date(now), $lte: until }, is_revoked: false },
      sort: "expires_timestamp",
    })
    .first(maxTokens);
  return tokens
    .filter(isExpiring)
    .map(({ id, name, kind, expires_timestamp }) => ({ id, name, kind, expires_timestamp }));
}

function isExpiring(token: ItemOf<"api-tokens", "read-api-token">): boolean {
  const { created_timestamp, expires_timestamp, revoked_timestamp, is_foreign } = token;
  const life = { createdAt: Date.parse(created_timestamp), expiresAt: Date.parse(expires_timestamp) };
  return revoked_timestamp === null && !is_foreign && expiryNotice(life, Date.now()) !== undefined;
}

function withoutLinks({ _links: _, ...rest }: ItemOf<"entities", "read-entity">): Entity {
  return rest;
}

function withoutPingUrl({ _links: _, ping_url: __, ...rest }: ItemOf<"monitors", "read-monitor">): Monitor {
  return rest;
}

function countsOf(counts: readonly { state: EntityState; count: number }[]): Record<EntityState, number> {
  const of = (state: EntityState) => counts.find((one) => one.state === state)?.count ?? 0;
  return {
    never: of("never"),
    failing: of("failing"),
    missed: of("missed"),
    stale: of("stale"),
    incomplete: of("incomplete"),
    unwatched: of("unwatched"),
    good: of("good"),
  };
}
