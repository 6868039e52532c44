import { keyFilters, keys } from "@holdfast/api/resources/keys";
import type { ListQuery } from "../../lists/list-query";
import { implementRead } from "../../operations/item-read";
import { type Call, type Implementation, implementList, type Renderers } from "../../operations/read";
import type { ResourceDescription } from "../resource-description";
import { retireKey, rotateKey } from "./change-keys";
import { type KeyRow, keySource } from "./list-keys";
import { presentKeyV1 } from "./present";

const renderers: Renderers<KeyRow> = { 1: (row) => JSON.stringify(presentKeyV1(row)) };

/** Which keys there are depends on the moment. */
const listOf = ({ parts }: Call) => implementList(keySource(parts.clock()), keyFilters, renderers);
const readOf = ({ parts }: Call) =>
  implementRead("key_id", ({ db }, scope, id) => keySource(parts.clock()).find(db, scope, id), "key", renderers);

const list = {
  parse: (call) => listOf(call).parse(call),
  read: (call, query, signal) => listOf(call).read(call, query, signal),
} satisfies Implementation<ListQuery<never>>;

const reading: Implementation = {
  parse: (call) => readOf(call).parse(call),
  read: (call, query, signal) => readOf(call).read(call, query, signal),
};

/** Keys that sign API tokens. */
export const keyResource = {
  declaration: keys,
  reads: () => ({ "list-keys": list, "read-key": reading }),
  changes: { "rotate-key": rotateKey, "retire-key": retireKey },
  domain: "any",
  tables: {
    signing_keys: { move: { key: ["kid"], numberedBy: "seq" }, domain: { name: "access" } },
  },
} satisfies ResourceDescription<typeof keys>;
