import { keyFilters } from "@holdfast/api/resources/keys";
import type { ListQuery } from "../../lists/list-query";
import type { ChangeImplementation } from "../../operations/change";
import { implementRead } from "../../operations/item-reading";
import { type Call, type Implementation, implementList, type Renderers } from "../../operations/reading";
import { retireKey, rotateKey } from "./change-keys";
import { type KeyRow, keySource } from "./list-keys";
import { presentKeyV1 } from "./present";

const renderers: Renderers<KeyRow> = { 1: (row) => JSON.stringify(presentKeyV1(row)) };

/** Which keys there are depends on the moment. */
const listOf = ({ parts }: Call) => implementList(keySource(parts.clock()), keyFilters, renderers);
const readingOf = ({ parts }: Call) =>
  implementRead("key_id", ({ db }, scope, id) => keySource(parts.clock()).find(db, scope, id), "key", renderers);

export const keyReadings: Record<string, Implementation> = {
  "list-keys": {
    parse: (call) => listOf(call).parse(call),
    read: (call, query, signal) => listOf(call).read(call, query, signal),
  } satisfies Implementation<ListQuery<never>>,
  "read-key": {
    parse: (call) => readingOf(call).parse(call),
    read: (call, query, signal) => readingOf(call).read(call, query, signal),
  },
};

export const keyChanges: Record<string, ChangeImplementation> = { "rotate-key": rotateKey, "retire-key": retireKey };
