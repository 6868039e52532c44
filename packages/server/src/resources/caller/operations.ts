import { type Implementation, implementSingle } from "../../operations/reading";
import { readCaller } from "./read-caller";

export const callerReadings: Record<string, Implementation> = {
  "read-caller": implementSingle(({ db }, scope) => readCaller(db, scope), { 1: (caller) => JSON.stringify(caller) }),
};
