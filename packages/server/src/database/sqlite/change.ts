import type { Queries } from "../database";
import { DatabaseUnavailable } from "../errors";

const maxWaitForWritersMs = 5_000;

/** Makes a change in one transaction, once no other process writes. */
export async function changeWhenFree<Result>(
  writer: Queries,
  write: (db: Queries) => Promise<Result>,
  onWaited: (seconds: number) => void,
): Promise<Result> {
  const askedAt = performance.now();
  const deadline = askedAt + maxWaitForWritersMs;
  const endWait = () => onWaited((performance.now() - askedAt) / 1000);
  for (let pause = 2; ; pause = Math.min(pause * 2, 100)) {
    let hasBegun = false;
    try {
      return await writer.transaction().execute((db) => {
        hasBegun = true;
        endWait();
        return write(db);
      });
    } catch (error) {
      if (hasBegun) throw error;
      if (!(error instanceof DatabaseUnavailable) || performance.now() > deadline) {
        endWait();
        throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}
