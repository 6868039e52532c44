import type { Queries } from "./database";

/** Something can only be done while nothing else is changed: the change is begun again, when it is its turn. */
export class TurnNeeded extends Error {
  override readonly name = "TurnNeeded";
}

/** The transactions that are made at the same time as others of their kind. */
const inLanes = new WeakSet<Queries>();

/** Notes that others like it are made at the same time as a transaction. */
export function noteLane(db: Queries): void {
  inLanes.add(db);
}

/** Whether others like it are made at the same time as this transaction, so that what it looks up has to be locked. */
export function isInLane(db: Queries): boolean {
  return inLanes.has(db);
}

/** To be called before something for which rows cannot be locked, such as adding a row that depends on there being none. */
export function requireTurn(db: Queries): void {
  if (isInLane(db)) throw new TurnNeeded("This has to wait for its turn.");
}
