import { pingKeyFilters } from "@holdfast/api/resources/ping-keys";
import type { ChangeImplementation } from "../../../operations/change";
import { implementRead } from "../../../operations/item-reading";
import { type Implementation, implementList, type Renderers } from "../../../operations/reading";
import { createPingKey, deletePingKey } from "./change-ping-keys";
import { type PingKeyRow, pingKeySource } from "./list-ping-keys";
import { presentPingKeyV1 } from "./present";

const renderers: Renderers<PingKeyRow> = { 1: (row) => JSON.stringify(presentPingKeyV1(row)) };

export const pingKeyReadings: Record<string, Implementation> = {
  "list-ping-keys": implementList(pingKeySource, pingKeyFilters, renderers),
  "read-ping-key": implementRead(
    "ping_key_id",
    ({ db }, scope, id) => pingKeySource.find(db, scope, id),
    "ping key",
    renderers,
  ),
};

export const pingKeyChanges: Record<string, ChangeImplementation> = {
  "create-ping-key": createPingKey,
  "delete-ping-key": deletePingKey,
};
