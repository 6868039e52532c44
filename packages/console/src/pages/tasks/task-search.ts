import { taskCategories, taskOutcomes, taskStatuses } from "@holdfast/api/resources/task-words";
import type { TaskFilter } from "../../data/task-filter";

/** Parameters of the address of the list of tasks, each as plain text. */
export interface TaskSearch {
  q?: string | undefined;
  status?: string | undefined;
  outcome?: string | undefined;
  category?: string | undefined;
  type?: string | undefined;
  item?: string | undefined;
  item_id?: string | undefined;
  id?: string | undefined;
  error?: string | undefined;
  unit_only?: string | undefined;
  monitor?: string | undefined;
  since?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  started_from?: string | undefined;
  started_to?: string | undefined;
  ended_from?: string | undefined;
  ended_to?: string | undefined;
  page?: string | undefined;
  size?: string | undefined;
}

/** Names in the address that narrow the list. */
export const filterNames = [
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
] as const;

export const periods = { "24h": 86_400_000, "7d": 7 * 86_400_000, "30d": 30 * 86_400_000 } as const;
export type Period = keyof typeof periods;

const pageSizes = [25, 50, 100] as const;
const defaultPageSize = 50;

/** The words in a text with commas between them. */
export function words(text: string | undefined): string[] {
  return (text ?? "")
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
}

function isPeriod(text: string | undefined): text is Period {
  return text !== undefined && text in periods;
}

export function sizeOf({ size }: TaskSearch): number {
  return pageSizes.find((one) => String(one) === size) ?? defaultPageSize;
}

/** A time in an address, in whole or as the field for times writes it, in the viewer's zone; undefined where it is none. */
function momentOf(text: string | undefined): string | undefined {
  if (text === undefined || !/^\d{4}-\d{2}-\d{2}/.test(text)) return undefined;
  const moment = new Date(text.length === 10 ? `${text}T00:00` : text);
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString();
}

const known: Readonly<Record<string, readonly string[]>> = {
  status: taskStatuses,
  outcome: taskOutcomes,
  category: taskCategories,
};

/** The names whose values cannot be read: they are left out, and that is said. */
export function brokenNames(search: TaskSearch): string[] {
  const broken: string[] = [];
  for (const name of ["status", "outcome", "category"] as const) {
    if (words(search[name]).some((word) => !known[name]?.includes(word))) broken.push(name);
  }
  for (const name of ["from", "to", "started_from", "started_to", "ended_from", "ended_to"] as const) {
    if (search[name] !== undefined && momentOf(search[name]) === undefined) broken.push(name);
  }
  if (search.since !== undefined && !isPeriod(search.since)) broken.push("since");
  return broken;
}

/** The filter that an address asks for. `now` is when relative periods end. */
export function filterOf(search: TaskSearch, now: number, unitId: string | undefined): TaskFilter {
  const among = (name: "status" | "outcome" | "category" | "type" | "id" | "error") => {
    const wanted = words(search[name]).filter((word) => known[name]?.includes(word) ?? true);
    return wanted.length === 0 ? undefined : { $in: wanted };
  };
  const since = isPeriod(search.since) ? new Date(now - periods[search.since]).toISOString() : momentOf(search.from);
  return withoutEmpty({
    status: among("status"),
    outcome: among("outcome"),
    category: among("category"),
    type: among("type"),
    id: among("id"),
    "error.code": among("error"),
    "primary_entity.value": search.item ? { $eq: search.item } : search.q ? { $contains: search.q } : undefined,
    "primary_entity.id": search.item_id ? { $eq: search.item_id } : undefined,
    monitor_id: search.monitor ? { $in: words(search.monitor) } : undefined,
    organizational_unit_id: search.unit_only && unitId ? { $eq: unitId } : undefined,
    created_timestamp: range(since, momentOf(search.to)),
    start_timestamp: range(momentOf(search.started_from), momentOf(search.started_to)),
    end_timestamp: range(momentOf(search.ended_from), momentOf(search.ended_to)),
  });
}

function range(from: string | undefined, to: string | undefined) {
  if (from === undefined && to === undefined) return undefined;
  return { ...(from === undefined ? {} : { $gte: from }), ...(to === undefined ? {} : { $lt: to }) };
}

function withoutEmpty(filter: TaskFilter): TaskFilter {
  const kept: TaskFilter = {};
  return Object.assign(kept, Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)));
}

/** Now, cut to the minute: equal questions have equal answers. */
export function thisMinute(): number {
  return Math.floor(Date.now() / 60_000) * 60_000;
}

/** True if a text is the id of something. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text.trim());
}

/** True if the address narrows the list. */
export function isNarrowed(search: TaskSearch): boolean {
  return filterNames.some((name) => search[name] !== undefined);
}

/** The views that people look at most. */
export const quickViews = [
  { name: "All", search: {} },
  { name: "Running", search: { status: "queued,in_progress,aborting" } },
  { name: "Errors", search: { outcome: "error,lost" } },
  { name: "Incomplete", search: { outcome: "warning" } },
  { name: "Missed", search: { outcome: "missed,expired" } },
] as const satisfies readonly { name: string; search: TaskSearch }[];
