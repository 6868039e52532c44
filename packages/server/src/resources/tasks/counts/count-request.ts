import { type Fault, quote, refuseField } from "@holdfast/api/conventions/api-error";
import type { Filter } from "@holdfast/api/conventions/filter";
import {
  type CountGroup,
  type CountInterval,
  countGroups,
  countIntervals,
  countReach,
  maxCountGroups,
  type TaskCountFilterField,
} from "@holdfast/api/resources/task-counts";
import { createdWithin } from "../list/conditions";
import type { TimeRange } from "../list/time-range";
import { dayLength } from "../record";
import { daysBefore } from "./intervals";
import { findTimeZone, type TimeZone, wallClock } from "./time-zone";

export type CountFilter = Filter<TaskCountFilterField>;

/** Request for counts. */
export interface CountRequest {
  interval: CountInterval;
  zone: TimeZone;
  groupBy: readonly CountGroup[];
}

/** Reads the parameters of the counts. Adds a fault for each that is wrong. */
export function parseCountRequest(parameters: ReadonlyMap<string, string>, faults: Fault[]): CountRequest {
  return {
    interval: parseInterval(parameters.get("interval") || "day", faults),
    zone: parseTimeZone(parameters.get("time_zone") || "UTC", faults),
    groupBy: parseGroups(parameters.get("group_by") || "outcome", faults),
  };
}

function parseInterval(text: string, faults: Fault[]): CountInterval {
  const interval = countIntervals.find((one) => one === text);
  if (interval) return interval;
  faults.push(invalid("interval", `The parameter interval is ${quote(text)}. Give ${countIntervals.join(", ")}.`));
  return "day";
}

function parseTimeZone(text: string, faults: Fault[]): TimeZone {
  const zone = findTimeZone(text);
  if (zone) return zone;
  const message = `There is no time zone ${quote(text)}. Give a name of the IANA database, such as Europe/Berlin.`;
  faults.push(invalid("time_zone", message));
  return { offsetAt: () => 0 };
}

function parseGroups(text: string, faults: Fault[]): CountGroup[] {
  const names = text.split(",", maxCountGroups + 1);
  const groups = countGroups.filter((group) => names.includes(group));
  if (groups.length !== names.length || groups.length > maxCountGroups) {
    const message = `The parameter group_by is ${quote(text)}. Give at most ${maxCountGroups} of ${countGroups.join(", ")}, each once, with a comma between them.`;
    faults.push(invalid("group_by", message));
  }
  return groups.sort((one, other) => names.indexOf(one) - names.indexOf(other));
}

function invalid(field: string, message: string): Fault {
  return { name: "parameterInvalid", message, field };
}

/** Maximum number of days that can be counted; undefined if there is no limit. */
function reachOf({ interval, groupBy }: CountRequest): number | undefined {
  if (interval === "hour" || groupBy.includes("error.code")) return countReach.hour;
  return interval === "day" ? countReach.day : undefined;
}

/** The time that a filter leaves, and whether it says so itself at either end. */
export interface FilteredTime extends TimeRange {
  hasStart: boolean;
  hasEnd: boolean;
}

export function filteredTime(filter: CountFilter): FilteredTime {
  const has = (...operators: string[]) =>
    filter.some(({ field, operator }) => field === "created_timestamp" && operators.includes(operator));
  return { ...createdWithin(filter), hasStart: has("$gt", "$gte"), hasEnd: has("$lt", "$lte") };
}

/** Refuses to count more days than can be: from where the filter begins to where it ends, or to the given moment. */
export function refuseLongTime(asked: CountRequest, time: FilteredTime, otherwiseUntil: number): void {
  const reach = reachOf(asked);
  if (reach === undefined || !time.hasStart) return;
  const until = time.hasEnd ? time.until : otherwiseUntil;
  // By the clocks of the zone or by the sun, so that neither an hour too many nor one too few refuses so many days.
  const length = Math.min(until - time.from, wallClock(asked.zone, until) - wallClock(asked.zone, time.from));
  // One that includes its end is a millisecond longer.
  if (length <= reach * dayLength + 1) return;
  const isByCode = asked.groupBy.includes("error.code");
  const what = isByCode ? "group_by=error.code" : `interval=${asked.interval}`;
  const longer = isByCode || asked.interval === "hour" ? "" : ", or count by week or month";
  throw refuseField(
    "parameterInvalid",
    "filter",
    `With ${what} at most ${reach} days are counted. Give created_timestamp a later start or an earlier end${longer}.`,
  );
}

/** The time that is counted, given when the newest task was created. An open end is not cut. */
export function countedTime(asked: CountRequest, time: FilteredTime, newest: number): TimeRange {
  const reach = reachOf(asked);
  const last = Math.min(time.until - 1, newest);
  const from =
    reach === undefined || time.hasStart ? time.from : Math.max(time.from, daysBefore(asked.zone, last, reach - 1));
  return { from, until: time.until };
}
