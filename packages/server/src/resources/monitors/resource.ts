import { monitorFilters, monitorSorts, monitors } from "@holdfast/api/resources/monitors";
import type { ListQuery } from "../../lists/list-query";
import { implementRead } from "../../operations/item-read";
import { type Call, type Implementation, implementList, type Renderers } from "../../operations/read";
import type { ResourceDescription } from "../resource-description";
import { createMonitor, deleteMonitor, rotateMonitorUrl, updateMonitor } from "./change-monitors";
import { createMonitors } from "./create-monitors";
import { findMonitor, monitorSource, type ShownMonitor } from "./list-monitors";
import { refuseTakenSlugs } from "./move-monitors";
import { writeMonitorV1 } from "./present";
import { previewSchedule } from "./schedule/preview-schedule";
import { listSuggestions } from "./suggestions/list-suggestions";

/** Ping URLs are sealed with the secret of the installation, which a call brings along. */
const renderersFor = ({ parts }: Call): Renderers<ShownMonitor> => ({ 1: (row) => writeMonitorV1(parts, row) });
const listOf = (call: Call) =>
  implementList(monitorSource, monitorFilters, renderersFor(call), { sorts: monitorSorts });
const readOf = (call: Call) =>
  implementRead("monitor_id", ({ db }, scope, id) => findMonitor(db, scope, id), "monitor", renderersFor(call));

const list = {
  parse: (call) => listOf(call).parse(call),
  read: (call, query, signal) => listOf(call).read(call, query, signal),
} satisfies Implementation<ListQuery<keyof typeof monitorFilters>>;

const reading: Implementation = {
  parse: (call) => readOf(call).parse(call),
  read: (call, query, signal) => readOf(call).read(call, query, signal),
};

/** Work that is expected to run. */
export const monitorResource = {
  declaration: monitors,
  reads: () => ({
    "preview-schedule": previewSchedule,
    "list-monitor-suggestions": listSuggestions,
    "list-monitors": list,
    "read-monitor": reading,
  }),
  changes: {
    "create-monitor": createMonitor,
    "create-monitors": createMonitors,
    "update-monitor": updateMonitor,
    "rotate-monitor-url": rotateMonitorUrl,
    "delete-monitor": deleteMonitor,
  },
  domain: "any",
  tables: {
    monitors: {
      move: { key: ["id"], numberedBy: "seq" },
      domain: null,
      grows: true,
      inUnit: { noun: "monitors", refuseMove: refuseTakenSlugs },
    },
    ping_runs: { move: { key: ["task_id"] }, domain: null },
    listening: { move: { key: ["id"] }, domain: null },
    unwatched_times: { move: { key: ["until_at", "from_at"] }, domain: null },
  },
} satisfies ResourceDescription<typeof monitors>;
