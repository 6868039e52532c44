import { viewFilters, views } from "@holdfast/api/resources/views";
import { implementRead } from "../../operations/item-read";
import { implementList, type Renderers } from "../../operations/read";
import type { ResourceDescription } from "../resource-description";
import { createView, deleteView, updateView } from "./change-views";
import { type ViewRow, viewSource } from "./list-views";
import { refuseTakenNames } from "./move-views";
import { presentViewV1 } from "./present";

const renderers: Renderers<ViewRow> = { 1: (row) => JSON.stringify(presentViewV1(row)) };

/** Queries of lists of the console that were saved under a name. */
export const viewResource = {
  declaration: views,
  reads: () => ({
    "list-views": implementList(viewSource, viewFilters, renderers),
    "read-view": implementRead("view_id", ({ db }, scope, id) => viewSource.find(db, scope, id), "view", renderers),
  }),
  changes: { "create-view": createView, "update-view": updateView, "delete-view": deleteView },
  domain: "any",
  tables: {
    saved_views: {
      move: { key: ["id"], numberedBy: "seq" },
      domain: null,
      inUnit: { noun: "saved views", refuseMove: refuseTakenNames },
    },
  },
} satisfies ResourceDescription<typeof views>;
