import { implementSingle } from "../../operations/item-reading";
import type { Call, Implementation } from "../../operations/reading";
import { readCaller } from "./read-caller";

const readingOf = ({ parts }: Call) =>
  implementSingle(({ db }, scope) => readCaller(db, scope, parts), { 1: (caller) => JSON.stringify(caller) });

export const callerReadings: Record<string, Implementation> = {
  "read-caller": {
    parse: (call) => readingOf(call).parse(call),
    read: (call, query, signal) => readingOf(call).read(call, query, signal),
  },
};
