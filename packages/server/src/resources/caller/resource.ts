import { caller } from "@holdfast/api/resources/caller";
import { implementSingle } from "../../operations/item-reading";
import type { Call, Implementation } from "../../operations/reading";
import type { ResourceDescription } from "../resource-description";
import { readCaller } from "./read-caller";

const readingOf = ({ parts }: Call) =>
  implementSingle(({ db }, scope) => readCaller(db, scope, parts), { 1: (found) => JSON.stringify(found) });

const reading: Implementation = {
  parse: (call) => readingOf(call).parse(call),
  read: (call, query, signal) => readingOf(call).read(call, query, signal),
};

/** The caller, with the rights that it has. */
export const callerResource = {
  declaration: caller,
  readings: () => ({ "read-caller": reading }),
  changes: {},
  domain: "any",
  tables: {},
} satisfies ResourceDescription<typeof caller>;
