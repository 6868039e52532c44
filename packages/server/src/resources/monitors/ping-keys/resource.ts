import { pingKeyFilters, pingKeys } from "@holdfast/api/resources/ping-keys";
import { implementRead } from "../../../operations/item-read";
import { implementList, type Renderers } from "../../../operations/read";
import type { ResourceDescription } from "../../resource-description";
import { createPingKey, deletePingKey } from "./change-ping-keys";
import { type PingKeyRow, pingKeySource } from "./list-ping-keys";
import { presentPingKeyV1 } from "./present";

const renderers: Renderers<PingKeyRow> = { 1: (row) => JSON.stringify(presentPingKeyV1(row)) };

/** Keys that ping the monitors of a unit. */
export const pingKeyResource = {
  declaration: pingKeys,
  reads: () => ({
    "list-ping-keys": implementList(pingKeySource, pingKeyFilters, renderers),
    "read-ping-key": implementRead(
      "ping_key_id",
      ({ db }, scope, id) => pingKeySource.find(db, scope, id),
      "ping key",
      renderers,
    ),
  }),
  changes: { "create-ping-key": createPingKey, "delete-ping-key": deletePingKey },
  domain: "any",
  tables: {
    ping_keys: { move: { key: ["id"], numberedBy: "seq" }, domain: null, inUnit: { noun: "ping keys" } },
  },
} satisfies ResourceDescription<typeof pingKeys>;
