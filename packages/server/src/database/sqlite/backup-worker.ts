import { parentPort, workerData } from "node:worker_threads";
import { type CopyOrder, type CopyOutcome, copyDatabase } from "./copy-database";
import type { Loaded } from "./copy-thread";

// A thread of its own: SQLite copies and checks in two long calls, during which nothing else could run.
const loaded: Loaded = "loaded";
parentPort?.postMessage(loaded);
const order: CopyOrder = workerData;
const outcome: CopyOutcome = copyDatabase(order);
parentPort?.postMessage(outcome);
