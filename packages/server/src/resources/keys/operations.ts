import { keyFilters } from "@holdfast/api/resources/keys";
import type { ChangeImplementation } from "../change";
import { type Implementation, implementList, implementRead, type Writers } from "../implementation";
import { retireKey, rotateKey } from "./change-keys";
import { type KeyRow, keySource } from "./list-keys";
import { presentKeyV1 } from "./present";

const writers: Writers<KeyRow> = { 1: (row, { nameLinks }) => JSON.stringify(presentKeyV1(row, nameLinks)) };

export const keyReadings: Record<string, Implementation> = {
  "list-keys": (call) => implementList(keySource(call.service.clock()), keyFilters, writers)(call),
  "read-key": (call) =>
    implementRead(({ db }, scope, id) => keySource(call.service.clock()).find(db, scope, id), "key", writers)(call),
};

export const keyChanges: Record<string, ChangeImplementation> = { "rotate-key": rotateKey, "retire-key": retireKey };
