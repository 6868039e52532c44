import { caller } from "@holdfast/api/resources/caller";
import { implementSingle } from "../../operations/item-read";
import type { Call, Implementation } from "../../operations/read";
import type { ResourceDescription } from "../resource-description";
import { readCaller } from "./read-caller";

const readOf = ({ parts }: Call) =>
  implementSingle(({ db }, scope) => readCaller(db, scope, parts), { 1: (found) => JSON.stringify(found) });

const reading: Implementation = {
  parse: (call) => readOf(call).parse(call),
  read: (call, query, signal) => readOf(call).read(call, query, signal),
};

/** The caller, with the rights that it has. */
export const callerResource = {
  declaration: caller,
  reads: () => ({ "read-caller": reading }),
  changes: {},
  domain: "any",
  tables: {},
} satisfies ResourceDescription<typeof caller>;
