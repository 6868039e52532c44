import { sql } from "kysely";
import type { ChangeOptions, Queries } from "../database";
import { takeLock } from "../locks";
import { type Connect, takeConnection } from "./connection";
import { queriesIn } from "./dialect";
import { isCollision, isLocked, isReadOnly, isUniqueViolation, translateRefusal } from "./errors";

export interface PostgresChangeParts {
  connect: Connect;
  /** Called if the server is not the primary any more. */
  onReadOnly(error: unknown): void;
  /** Called with how long a change has waited for others, in seconds. */
  onWaited(seconds: number): void;
}

/** Makes a change. It calls `proceed` when it has its locks. */
export type ChangeNow = <Result>(
  write: (db: Queries) => Promise<Result>,
  options: ChangeOptions,
  proceed: () => void,
) => Promise<Result>;

type Kind = NonNullable<ChangeOptions["kind"]>;

/** The first statement of a change. It does no harm if the transaction has not begun, and what follows waits for it. */
const beginAs: Record<Kind, (db: Queries) => Promise<unknown>> = {
  change: (db) => takeLock(db, "changes"),
  /** Shares the lock of all changes with other reports, and chooses rows of the counts that none of them writes. */
  report: (db) => sql`select begin_report()`.execute(db),
  maintenance: (db) => sql`select`.execute(db),
};

const maxAttempts = 6;
const maxRowWaitMs = 5_000;

/** Creates what makes changes: each is one transaction, and is retried after a conflict. */
export function createChange({ connect, onReadOnly, onWaited }: PostgresChangeParts): ChangeNow {
  async function attempt<Result>(
    write: (db: Queries) => Promise<Result>,
    begin: (db: Queries) => Promise<unknown>,
    { isLong = false }: ChangeOptions,
  ): Promise<Result> {
    const connection = await takeConnection(connect);
    try {
      const db = queriesIn(connection);
      // Begun and locked in one round trip.
      await Promise.all([connection.begin(), ...(isLong ? [connection.liftTimeout()] : []), begin(db)]);
      const result = await write(db);
      await connection.commit();
      return result;
    } catch (error) {
      await connection.rollback();
      throw error;
    } finally {
      connection.release();
    }
  }

  return async (write, options, proceed) => {
    const deadline = performance.now() + maxRowWaitMs;
    let waitingSince: number | undefined;
    let kind: Kind = options.kind ?? "change";
    const endWait = () => {
      if (waitingSince !== undefined) onWaited((performance.now() - waitingSince) / 1000);
      waitingSince = undefined;
    };
    for (let attempts = 1; ; ) {
      try {
        const begin = (db: Queries) => {
          if (kind !== "maintenance") waitingSince ??= performance.now();
          return beginAs[kind](db);
        };
        const writeNow = (db: Queries) => {
          endWait();
          if (kind !== "maintenance") proceed();
          return write(db);
        };
        return await attempt(writeNow, begin, options);
      } catch (error) {
        if (kind === "report" && (isCollision(error) || isUniqueViolation(error))) {
          kind = "change";
          continue;
        }
        if (isReadOnly(error)) onReadOnly(error);
        const isNotOurTurn = isLocked(error) && performance.now() < deadline;
        if (!isNotOurTurn) endWait();
        if (!isNotOurTurn && (!isCollision(error) || attempts === maxAttempts)) throw translateRefusal(error);
        if (!isNotOurTurn) attempts += 1;
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 5 * 2 ** attempts));
      }
    }
  };
}
