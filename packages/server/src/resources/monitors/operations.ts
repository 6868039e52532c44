import { monitorFilters, monitorSorts } from "@holdfast/api/resources/monitors";
import type { ListQuery } from "../../lists/list-query";
import type { ChangeImplementation } from "../../operations/change";
import { implementRead } from "../../operations/item-reading";
import { type Call, type Implementation, implementList, type Renderers } from "../../operations/reading";
import { createMonitor, deleteMonitor, rotateMonitorUrl, updateMonitor } from "./change-monitors";
import { createMonitors } from "./create-monitors";
import { findMonitor, monitorSource, type ShownMonitor } from "./list-monitors";
import { writeMonitorV1 } from "./present";
import { previewSchedule } from "./schedule/preview-schedule";
import { listSuggestions } from "./suggestions/list-suggestions";

/** Ping URLs are sealed with the secret of the installation, which a call brings along. */
const renderersFor = ({ parts }: Call): Renderers<ShownMonitor> => ({ 1: (row) => writeMonitorV1(parts, row) });
const listOf = (call: Call) =>
  implementList(monitorSource, monitorFilters, renderersFor(call), { sorts: monitorSorts });
const readingOf = (call: Call) =>
  implementRead("monitor_id", ({ db }, scope, id) => findMonitor(db, scope, id), "monitor", renderersFor(call));

export const monitorReadings: Record<string, Implementation> = {
  "preview-schedule": previewSchedule,
  "list-monitor-suggestions": listSuggestions,
  "list-monitors": {
    parse: (call) => listOf(call).parse(call),
    read: (call, query, signal) => listOf(call).read(call, query, signal),
  } satisfies Implementation<ListQuery<keyof typeof monitorFilters>>,
  "read-monitor": {
    parse: (call) => readingOf(call).parse(call),
    read: (call, query, signal) => readingOf(call).read(call, query, signal),
  },
};

export const monitorChanges: Record<string, ChangeImplementation> = {
  "create-monitor": createMonitor,
  "create-monitors": createMonitors,
  "update-monitor": updateMonitor,
  "rotate-monitor-url": rotateMonitorUrl,
  "delete-monitor": deleteMonitor,
};
