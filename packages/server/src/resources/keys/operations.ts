import { keyFilters } from "@holdfast/api/resources/keys";
import type { ChangeImplementation } from "../../operations/change";
import { type Implementation, implementList, implementRead, type Renderers } from "../../operations/reading";
import { retireKey, rotateKey } from "./change-keys";
import { type KeyRow, keySource } from "./list-keys";
import { presentKeyV1 } from "./present";

const renderers: Renderers<KeyRow> = { 1: (row) => JSON.stringify(presentKeyV1(row)) };

export const keyReadings: Record<string, Implementation> = {
  "list-keys": (call) => implementList(keySource(call.parts.clock()), keyFilters, renderers)(call),
  "read-key": (call) =>
    implementRead(({ db }, scope, id) => keySource(call.parts.clock()).find(db, scope, id), "key", renderers)(call),
};

export const keyChanges: Record<string, ChangeImplementation> = { "rotate-key": rotateKey, "retire-key": retireKey };
