import { ApiError, type Fault, refuseAll } from "@holdfast/api/conventions/api-error";
import { getLink } from "@holdfast/api/conventions/hal";
import { parseParameters } from "@holdfast/api/conventions/parse-parameters";
import {
  previewedRuns,
  previewTimeZone,
  type SchedulePreview,
  schedulePreviewParameters,
} from "@holdfast/api/resources/schedule-preview";
import type { Implementation } from "../../../operations/read";
import { type TimeZone, wallClock } from "../../tasks/counts/time-zone";
import { nextExpected } from "./expected-run";
import { type CronSchedule, parseCronSchedule } from "./schedule";

interface PreviewQuery {
  cron: string;
  timeZone: string;
  schedule: CronSchedule;
}

/** Shows when a schedule runs. The answer depends on the time, so it is not remembered. */
export const previewSchedule: Implementation<PreviewQuery> = {
  parse: ({ query }) => parsePreview(query),
  read: async ({ parts, path }, query) => ({
    body: JSON.stringify(preview(query, path, parts.clock())),
    isVolatile: true,
  }),
};

function parsePreview(query: string): PreviewQuery {
  const faults: Fault[] = [];
  const parameters = parseParameters(query, Object.keys(schedulePreviewParameters), faults);
  const cron = parameters.get("cron") ?? "";
  const timeZone = parameters.get("time_zone") || previewTimeZone;
  const schedule = parseCronSchedule(cron, timeZone);
  if ("reason" in schedule) {
    throw new ApiError([{ name: "parameterInvalid", message: schedule.reason, field: schedule.field }, ...faults]);
  }
  refuseAll(faults);
  return { cron, timeZone, schedule };
}

function preview({ cron, timeZone, schedule }: PreviewQuery, path: string, now: number): SchedulePreview {
  const runs: SchedulePreview["runs"] = [];
  let before = now;
  while (runs.length < previewedRuns) {
    const run = nextExpected(schedule, before);
    if (!run) break;
    runs.push(describeRun(schedule.zone, run.at, before));
    before = run.at;
  }
  const query = new URLSearchParams({ cron, time_zone: timeZone });
  return { cron, time_zone: timeZone, runs, _links: { self: getLink(`${path}?${query}`) } };
}

function describeRun(zone: TimeZone, at: number, before: number): SchedulePreview["runs"][number] {
  const [offset, offsetBefore] = [zone.offsetAt(at), zone.offsetAt(before)];
  const change = offset > offsetBefore ? "forward" : "back";
  return {
    timestamp: new Date(at).toISOString(),
    local: `${new Date(wallClock(zone, at)).toISOString().slice(0, 19)}${formatOffset(offset)}`,
    clock_change: offset === offsetBefore ? null : change,
  };
}

/** An offset from UTC as timestamps have it: `+05:30`. */
function formatOffset(offset: number): string {
  const minutes = Math.round(Math.abs(offset) / 60_000);
  const digits = [Math.floor(minutes / 60), minutes % 60].map((number) => String(number).padStart(2, "0"));
  return `${offset < 0 ? "-" : "+"}${digits.join(":")}`;
}
