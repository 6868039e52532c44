import { type Calls, readItem, sendChange } from "../calls";
import type { BodyOf, FilterOf, ItemOf, SortOf } from "../declared";
import { type ListOptions, listItems } from "../list-items";
import type { Listing } from "../listing";
import type { CallOptions } from "../transport";
import type { ChangeOptions, CreateOptions } from "./options";

const resource = "monitors";
type Resource = typeof resource;
type Monitor = ItemOf<Resource, "read-monitor">;

/**
 * Options for suggestions.
 * @example
 * import { type SuggestionOptions } from "@holdfast/client";
 *
 * const options: SuggestionOptions = { timeZone: "Europe/Berlin", filter: { confidence: "high" } };
 * console.log((await holdfast.monitors.suggestions(options).first(10)).length);
 */
export interface SuggestionOptions extends ListOptions<FilterOf<Resource, "list-monitor-suggestions">> {
  /** The zone of times of day and days of the week, such as `Europe/Berlin`: `UTC` if it is left out. */
  timeZone?: string | undefined;
}

/** Work that is expected to run. */
export interface Monitors {
  /**
   * Lists the monitors of the organizational unit and of those below it.
   * @example
   * for await (const monitor of holdfast.monitors.list({ sort: "state", filter: { state: { $neq: "ok" } } })) {
   *   console.log(monitor.name, monitor.state, monitor.next_expected_timestamp);
   * }
   */
  list(options?: ListOptions<FilterOf<Resource, "list-monitors">, SortOf<Resource, "list-monitors">>): Listing<Monitor>;
  /**
   * Reads one monitor.
   * @example
   * const { recent_outcomes } = await holdfast.monitors.read(monitorId);
   */
  read(id: string, options?: CallOptions): Promise<Monitor>;
  /**
   * Creates a monitor. The URL for its pings is in the answer; an answer that is repeated has none.
   * @example
   * const schedule = { cron: "30 2 * * *", time_zone: "Europe/Berlin" };
   * const { ping_url } = await holdfast.monitors.create({ name: "Photos", type: "restic_backup", schedule });
   */
  create(body: BodyOf<Resource, "create-monitor">, options?: CreateOptions): Promise<Monitor>;
  /**
   * Creates up to 500 monitors. Each is created or refused by itself, and has a result.
   * @example
   * const wanted = ["web-1", "web-2"].map((host) => ({ name: `Files of ${host}`, schedule: { period_seconds: 86_400 } }));
   * const { results } = await holdfast.monitors.createAll({ monitors: wanted });
   * console.log(results.map(({ status, monitor, errors }) => monitor?.slug ?? errors?.[0]?.error_message ?? status));
   */
  createAll(
    body: BodyOf<Resource, "create-monitors">,
    options?: CreateOptions,
  ): Promise<ItemOf<Resource, "create-monitors">>;
  /**
   * Changes, pauses or resumes a monitor.
   * @example
   * await holdfast.monitors.update(monitorId, { paused_until: new Date(Date.now() + 3_600_000).toISOString() });
   * await holdfast.monitors.update(monitorId, { paused_until: null });
   */
  update(id: string, body: BodyOf<Resource, "update-monitor">, options?: ChangeOptions): Promise<Monitor>;
  /**
   * Gives a monitor a new ping URL. The old one ends at once or after an overlap.
   * @example
   * const { ping_url } = await holdfast.monitors.rotateUrl(monitorId, { overlap_seconds: 86_400 });
   */
  rotateUrl(id: string, body?: BodyOf<Resource, "rotate-monitor-url">, options?: CreateOptions): Promise<Monitor>;
  /**
   * Deletes a monitor. Its tasks stay.
   * @example
   * await holdfast.monitors.delete(monitorId);
   */
  delete(id: string, options?: ChangeOptions): Promise<void>;
  /**
   * Suggests monitors for operations that have run at least five times and that nothing watches.
   * @example
   * const trusted = { confidence: { $in: ["high", "medium"] } };
   * for await (const { monitor, reason } of holdfast.monitors.suggestions({ timeZone: "Europe/Berlin", filter: trusted })) {
   *   console.log(monitor.name, reason);
   *   await holdfast.monitors.create(monitor);
   * }
   */
  suggestions(options?: SuggestionOptions): Listing<ItemOf<Resource, "list-monitor-suggestions">>;
  /**
   * Shows when a cron expression runs next in a time zone.
   * @example
   * const { runs } = await holdfast.monitors.previewSchedule("30 2 * * *", "Europe/Berlin");
   */
  previewSchedule(
    cron: string,
    timeZone?: string,
    options?: CallOptions,
  ): Promise<ItemOf<Resource, "preview-schedule">>;
}

export function createMonitors(calls: Calls): Monitors {
  return {
    list: (options = {}) => listItems(calls, resource, "list-monitors", options),
    read: (id, options = {}) => readItem(calls, resource, "read-monitor", { ...options, ids: [id] }),
    create: (body, options = {}) => sendChange(calls, resource, "create-monitor", options, body),
    createAll: (body, options = {}) => sendChange(calls, resource, "create-monitors", options, body),
    update: (id, body, options = {}) => sendChange(calls, resource, "update-monitor", { ...options, ids: [id] }, body),
    rotateUrl: (id, body = {}, options = {}) =>
      sendChange(calls, resource, "rotate-monitor-url", { ...options, ids: [id] }, body),
    delete: (id, options = {}) => sendChange(calls, resource, "delete-monitor", { ...options, ids: [id] }),
    suggestions: ({ timeZone, ...options } = {}) =>
      listItems(calls, resource, "list-monitor-suggestions", { ...options, query: { time_zone: timeZone } }),
    previewSchedule: (cron, timeZone, options = {}) =>
      readItem(calls, resource, "preview-schedule", { ...options, query: { cron, time_zone: timeZone } }),
  };
}
