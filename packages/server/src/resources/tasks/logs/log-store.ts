import type { Queries } from "../../../database/database";
import { cutPiece, droppedMiddle, type StoredPiece } from "./log-text";

/** Short pieces are joined to those before them, so that a log of many lines is not a row for each. In bytes. */
const joined = 16_384;
/** Long ones are cut, so that what is dropped and read is not much more than it has to be. In bytes. */
const maxLength = 65_536;

/** A part that is added to the log of a task. */
export interface AddedPiece extends StoredPiece {
  taskId: string;
  createdAt: number;
}

/** Adds to logs, in order, and drops what is beyond the limit of each. */
export async function addToLogs(db: Queries, added: readonly AddedPiece[], limit: number): Promise<void> {
  for (const [taskId, pieces] of Map.groupBy(added, (piece) => piece.taskId)) {
    const [first] = pieces;
    const size = pieces.at(-1)?.ends_at ?? 0;
    if (!first) continue;
    await db
      .insertInto("task_logs")
      .values({ task_id: taskId, created_at: first.createdAt, size })
      .onConflict((conflict) => conflict.column("task_id").doUpdateSet({ size }))
      .execute();
    await addPieces(db, taskId, pieces);
    const dropped = droppedMiddle(size, limit);
    if (dropped) await dropPieces(db, taskId, dropped);
  }
}

async function addPieces(db: Queries, taskId: string, pieces: readonly StoredPiece[]): Promise<void> {
  const last = await db
    .selectFrom("task_log_pieces")
    .select(["starts_at", "ends_at", "text"])
    .where("task_id", "=", taskId)
    .orderBy("starts_at", "desc")
    .limit(1)
    .executeTakeFirst();
  const rows: StoredPiece[] = last ? [last] : [];
  for (const piece of pieces.flatMap(cutLong)) {
    const before = rows.at(-1);
    const canJoin = before?.ends_at === piece.starts_at && piece.ends_at - before.starts_at <= joined;
    if (before && canJoin) rows.splice(-1, 1, { ...before, ends_at: piece.ends_at, text: before.text + piece.text });
    else rows.push(piece);
  }
  for (const row of rows.filter((one) => one !== last)) {
    await db
      .insertInto("task_log_pieces")
      .values({ task_id: taskId, ...row })
      .onConflict((conflict) =>
        conflict.columns(["task_id", "starts_at"]).doUpdateSet({ ends_at: row.ends_at, text: row.text }),
      )
      .execute();
  }
}

function cutLong(piece: StoredPiece): StoredPiece[] {
  const parts: StoredPiece[] = [];
  for (let rest = piece; rest.ends_at > rest.starts_at; ) {
    const part = cutPiece(rest, rest.starts_at, rest.starts_at + maxLength);
    parts.push(part);
    rest = cutPiece(rest, part.ends_at, rest.ends_at);
  }
  return parts;
}

async function dropPieces(db: Queries, taskId: string, { from, to }: { from: number; to: number }): Promise<void> {
  await db
    .deleteFrom("task_log_pieces")
    .where("task_id", "=", taskId)
    .where("starts_at", ">=", from)
    .where("ends_at", "<=", to)
    .execute();
}

/** Removes the logs of tasks. */
export async function removeLogs(db: Queries, taskIds: readonly string[]): Promise<void> {
  if (taskIds.length === 0) return;
  await db.deleteFrom("task_log_pieces").where("task_id", "in", taskIds).execute();
  await db.deleteFrom("task_logs").where("task_id", "in", taskIds).execute();
}

/** The pieces of a log that end beyond a position, in order, a few at a time. */
export async function piecesFrom(db: Queries, taskId: string, offset: number, max: number): Promise<StoredPiece[]> {
  return db
    .selectFrom("task_log_pieces")
    .select(["starts_at", "ends_at", "text"])
    .where("task_id", "=", taskId)
    .where("ends_at", ">", offset)
    .orderBy("starts_at")
    .limit(max)
    .execute();
}

/** The last pieces of a log that end beyond a position, in order, a few at a time. */
export async function lastPiecesFrom(db: Queries, taskId: string, offset: number, max: number): Promise<StoredPiece[]> {
  const pieces = await db
    .selectFrom("task_log_pieces")
    .select(["starts_at", "ends_at", "text"])
    .where("task_id", "=", taskId)
    .where("ends_at", ">", offset)
    .orderBy("starts_at", "desc")
    .limit(max)
    .execute();
  return pieces.reverse();
}
