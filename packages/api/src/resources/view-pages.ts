import { entityStates } from "./entity-words";
import { monitorStates } from "./monitor-words";
import { taskCategories, taskOutcomes, taskStatuses } from "./task-words";

/** The names that the query of a page has, each with its value as plain text. */
export type QueryTexts<Name extends string = string> = { readonly [One in Name]?: string | undefined };

/** Moment and unit that a query is relative to. */
export interface QueryContext {
  /** End of relative periods, in milliseconds. */
  now: number;
  /** The organizational unit that is acted in. */
  unitId?: string | undefined;
}

/** A page of the console that lists something: what the query of its address can say, and what list it asks for. */
interface ViewPage<Name extends string, Filter extends object, Order extends string> {
  /** All names, in the order in which a query is written. */
  names: readonly Name[];
  /** Names whose values are lists of these words, with commas between them. */
  lists?: { readonly [One in Name]?: readonly string[] };
  /** Names of moments. */
  times?: readonly Name[];
  /** Names whose values are one of these words. */
  choices?: { readonly [One in Name]?: readonly string[] };
  /** The filter that a query asks for, without what cannot be read. */
  filterOf(query: QueryTexts<Name>, context: QueryContext): Filter;
  /** The order that it asks for, if the list has several. */
  sortOf?(query: QueryTexts<Name>): Order;
}

function viewPage<const Name extends string, Filter extends object, Order extends string>(
  page: ViewPage<Name, Filter, Order>,
) {
  return {
    ...page,
    filterOf: (query: QueryTexts<Name>, context: QueryContext) => withoutEmpty(page.filterOf(query, context)),
    sortOf: (query: QueryTexts<Name>) => page.sortOf?.(query),
  };
}

function withoutEmpty<Filter extends object>(filter: Filter): Partial<Filter> {
  const kept: Partial<Filter> = {};
  return Object.assign(kept, Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)));
}

const periods = { "24h": 86_400_000, "7d": 7 * 86_400_000, "30d": 30 * 86_400_000 } as const;

const tasks = viewPage({
  names: [
    "q",
    "status",
    "outcome",
    "category",
    "type",
    "item",
    "item_id",
    "id",
    "error",
    "unit_only",
    "monitor",
    "since",
    "from",
    "to",
    "started_from",
    "started_to",
    "ended_from",
    "ended_to",
  ],
  lists: { status: taskStatuses, outcome: taskOutcomes, category: taskCategories },
  times: ["from", "to", "started_from", "started_to", "ended_from", "ended_to"],
  choices: { since: Object.keys(periods), unit_only: ["yes"] },
  filterOf: (query, { now, unitId }) => ({
    status: among(query.status, taskStatuses),
    outcome: among(query.outcome, taskOutcomes),
    category: among(query.category, taskCategories),
    type: among(query.type),
    id: among(query.id),
    "error.code": among(query.error),
    "primary_entity.value": query.item ? { $eq: query.item } : containing(query.q),
    "primary_entity.id": query.item_id ? { $eq: query.item_id } : undefined,
    monitor_id: among(query.monitor),
    organizational_unit_id: query.unit_only && unitId ? { $eq: unitId } : undefined,
    created_timestamp: between(sinceOf(query, now), query.to),
    start_timestamp: between(query.started_from, query.started_to),
    end_timestamp: between(query.ended_from, query.ended_to),
  }),
});

const shownEntityStates: readonly string[] = [...entityStates, "muted", "retired"];
const entityOrders = ["state", "value", "last_good_backup"] as const;

const entities = viewPage({
  names: ["q", "state", "type", "sort"],
  lists: { state: shownEntityStates },
  choices: { sort: entityOrders },
  /** Muted and retired items need no attention: they are left out, unless they are asked for or an item is searched by its name. */
  filterOf({ q, state, type }) {
    const wanted = wordsIn(state);
    const attention = { is_muted: wanted.includes("muted"), is_retired: wanted.includes("retired") };
    const findsAll = q !== undefined && state === undefined;
    const isAsked = attention.is_muted || attention.is_retired;
    const kept = (flag: boolean) => (findsAll || (isAsked && !flag) ? undefined : flag);
    return {
      "primary_entity.value": containing(q),
      state: among(state, entityStates),
      "primary_entity.type": among(type),
      is_muted: kept(attention.is_muted),
      is_retired: kept(attention.is_retired),
    };
  },
  sortOf: ({ sort }) => entityOrders.find((one) => one === sort) ?? "state",
});

const monitors = viewPage({
  names: ["q", "state"],
  lists: { state: monitorStates },
  filterOf: ({ q, state }) => ({ name: containing(q), state: among(state, monitorStates) }),
  sortOf: () => "state",
});

const users = viewPage({
  names: ["q", "role", "held_in"],
  filterOf: ({ q, role, held_in }) => ({
    name: containing(q),
    role_id: role || undefined,
    organizational_unit_id: held_in || undefined,
  }),
});

const apiTokens = viewPage({
  names: ["q", "kind", "role", "owner", "show"],
  choices: { kind: ["service", "personal"], show: ["good"] },
  filterOf: ({ q, kind, role, owner, show }) => ({
    name: containing(q),
    kind: kind || undefined,
    role_id: role || undefined,
    user_id: owner || undefined,
    is_revoked: show === "good" ? false : undefined,
  }),
});

const auditEvents = viewPage({
  names: ["actor", "operation", "object", "result", "since", "from", "to"],
  times: ["from", "to"],
  choices: { result: ["done", "refused"], since: Object.keys(periods) },
  filterOf: (query, { now }) => ({
    operation: query.operation || undefined,
    result: query.result || undefined,
    actor_id: query.actor || undefined,
    object_id: query.object || undefined,
    created_timestamp: between(sinceOf(query, now), query.to),
  }),
});

/** The pages that views can be saved of, by the resources that they list. */
export const viewPages = {
  tasks,
  entities,
  monitors,
  users,
  "api-tokens": apiTokens,
  "audit-events": auditEvents,
} as const;

export type ViewPageName = keyof typeof viewPages;

export const viewPageNames = ["tasks", "entities", "monitors", "users", "api-tokens", "audit-events"] as const;

/** Parts of a page that do not depend on the type of its names. */
type AnyPage = Pick<ViewPage<string, object, string>, "names" | "lists" | "times" | "choices">;

/** The names of a query whose values cannot be read: their filters are left out. */
export function brokenNames({ lists = {}, times = [], choices = {} }: AnyPage, query: QueryTexts): string[] {
  const isBroken = (name: string, isRight: (text: string) => boolean) =>
    query[name] !== undefined && !isRight(query[name]);
  return [
    ...Object.entries(lists).flatMap(([name, known = []]) =>
      isBroken(name, (text) => wordsIn(text).every((word) => known.includes(word))) ? [name] : [],
    ),
    ...times.filter((name) => isBroken(name, (text) => momentOf(text) !== undefined)),
    ...Object.entries(choices).flatMap(([name, known = []]) =>
      isBroken(name, (text) => known.includes(text)) ? [name] : [],
    ),
  ];
}

/** Says which values a name can have. */
export function rightValue({ lists = {}, choices = {} }: AnyPage, name: string): string {
  const list = lists[name];
  if (list) return `some of ${list.join(", ")}, with commas`;
  return choices[name]?.join(", ") ?? "a time such as 2026-11-01T00:00:00Z";
}

/** A query as an address has it: with commas and colons as they are, so that a person can read it. */
export function writeQuery(query: object): string {
  return Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== "")
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeReadably(String(value))}`)
    .join("&");
}

function encodeReadably(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll("%2C", ",").replaceAll("%3A", ":").replaceAll("%2F", "/");
}

/** The words in a text with commas between them. */
export function wordsIn(text: string | undefined): string[] {
  return (text ?? "")
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
}

function among(text: string | undefined, known?: readonly string[]) {
  const wanted = wordsIn(text).filter((word) => known?.includes(word) ?? true);
  return wanted.length === 0 ? undefined : { $in: wanted };
}

function containing(text: string | undefined) {
  return text ? { $contains: text } : undefined;
}

function between(from: string | undefined, to: string | undefined) {
  const [$gte, $lt] = [momentOf(from), momentOf(to)];
  if ($gte === undefined && $lt === undefined) return undefined;
  return { ...($gte === undefined ? {} : { $gte }), ...($lt === undefined ? {} : { $lt }) };
}

/** Beginning of a period: a relative one ends now. */
function sinceOf({ since, from }: QueryTexts<"since" | "from">, now: number): string | undefined {
  const period = Object.entries(periods).find(([name]) => name === since);
  return period ? new Date(now - period[1]).toISOString() : from;
}

/** A time in whole, or as the field for times writes it, in the zone of the reader; undefined if it is none. */
function momentOf(text: string | undefined): string | undefined {
  if (text === undefined || !/^\d{4}-\d{2}-\d{2}/.test(text)) return undefined;
  const moment = new Date(text.length === 10 ? `${text}T00:00` : text);
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString();
}
