import { type Fault, refuse, refuseAll } from "@holdfast/api/conventions/api-error";
import { getLink } from "@holdfast/api/conventions/hal";
import { parseParameters } from "@holdfast/api/conventions/parse-parameters";
import { canonicalId } from "@holdfast/api/conventions/uuid";
import { logReadSizes, type TaskLog, taskLogParameters } from "@holdfast/api/resources/task-logs";
import type { Database, Queries } from "../../../database/database";
import { allOf, canBeStored } from "../../../lists/comparisons";
import type { ListScope } from "../../../lists/list-source";
import { variableOf } from "../../../operations/path-variables";
import type { Call, TextImplementation } from "../../../operations/read";
import { unitConditions } from "../list/conditions";
import { lastPiecesFrom, piecesFrom } from "./log-store";
import { cutPiece, droppedMiddle, type StoredPiece } from "./log-text";

type LogQuery = { offset: number; limit: number } | { tail: number };

interface FoundLog {
  taskId: string;
  hasEnded: boolean;
  size: number;
}

/** In bytes of UTF-8. */
const maxCharacterBytes = 4;
/** Enough pieces of any size for one answer, or for one step of a download. */
const piecesPerRead = 128;

/** Reads logs, of which so many bytes are kept per task. */
export function readTaskLog(limit: number): TextImplementation<LogQuery> {
  return {
    parse: ({ query }) => parseLogQuery(query),
    async read(call, query) {
      const body = await call.parts.database.snapshot(async (db) => {
        const log = await findLog(db, call.scope, idOf(call));
        return "tail" in query
          ? readTail(db, log, query.tail, limit)
          : readPart(db, log, query.offset, query.limit, limit);
      });
      return { body: JSON.stringify(body) };
    },
    async readText(call) {
      const { database } = call.parts;
      const log = await database.snapshot((db) => findLog(db, call.scope, idOf(call)));
      return { fileName: `task-${log.taskId.replace(/[^\w-]/g, "_")}.log`, text: wholeText(database, log, limit) };
    },
  };
}

function idOf({ variables }: Call): string {
  return canonicalId(variableOf(variables, "task_id"));
}

function parseLogQuery(query: string): LogQuery {
  const faults: Fault[] = [];
  const parameters = parseParameters(query, Object.keys(taskLogParameters), faults);
  const read = (name: string, defaultValue: number, max = Number.MAX_SAFE_INTEGER) => {
    const text = parameters.get(name);
    if (text === undefined) return defaultValue;
    if (!/^\d{1,16}$/.test(text) || Number(text) > Number.MAX_SAFE_INTEGER) {
      faults.push({
        name: "parameterInvalid",
        message: `The parameter ${name} has to be a number of bytes.`,
        field: name,
      });
    }
    return Math.min(Number(text), max);
  };
  const [offset, limit] = [read("offset", 0), read("limit", logReadSizes.default, logReadSizes.max)];
  const tail = read("tail", 0, logReadSizes.max);
  if (parameters.has("tail") && (parameters.has("offset") || parameters.has("limit"))) {
    faults.push({ name: "parameterInvalid", message: "Give tail without offset and limit.", field: "tail" });
  }
  refuseAll(faults);
  return parameters.has("tail") ? { tail } : { offset, limit };
}

async function findLog(db: Queries, scope: ListScope, id: string): Promise<FoundLog> {
  const task = canBeStored(id)
    ? await db
        .selectFrom("tasks")
        .leftJoin("task_logs", "task_logs.task_id", "tasks.id")
        .select(["tasks.id as taskId", "tasks.ended_at", "task_logs.size"])
        .where("tasks.id", "=", id)
        .where(allOf(unitConditions(scope)))
        .executeTakeFirst()
    : undefined;
  if (!task) throw refuse("itemUnknown", "There is no such task, or you may not see it.");
  return { taskId: task.taskId, hasEnded: task.ended_at !== null, size: task.size ?? 0 };
}

/** Reads a part of a log. What is not kept is passed over before the text, never within it. */
async function readPart(db: Queries, log: FoundLog, from: number, count: number, limit: number): Promise<TaskLog> {
  const offset = Math.min(from, log.size);
  const kept = keptPieces(await piecesFrom(db, log.taskId, offset, piecesPerRead), log, offset, limit);
  return answerOf(log, kept, offset, count);
}

/** Reads the end of a log: of what was asked for, the text behind the last gap. */
async function readTail(db: Queries, log: FoundLog, count: number, limit: number): Promise<TaskLog> {
  const offset = Math.max(0, log.size - count);
  const kept = keptPieces(await lastPiecesFrom(db, log.taskId, offset, piecesPerRead), log, offset, limit);
  const lastGap = kept.findLastIndex((piece, at) => at > 0 && piece.starts_at > (kept[at - 1]?.ends_at ?? 0));
  if (lastGap > 0) return answerOf(log, kept.slice(lastGap), kept[lastGap - 1]?.ends_at ?? offset, count);
  // Of more pieces than are read at once, those before are not missing.
  const begin = kept.length < piecesPerRead ? offset : Math.max(offset, kept[0]?.starts_at ?? offset);
  return answerOf(log, kept, begin, count);
}

function keptPieces(pieces: readonly StoredPiece[], { size }: FoundLog, offset: number, limit: number): StoredPiece[] {
  const dropped = droppedMiddle(size, limit);
  return pieces.flatMap((piece) => keptParts(piece, dropped)).filter(({ ends_at }) => ends_at > offset);
}

function answerOf(log: FoundLog, kept: readonly StoredPiece[], offset: number, count: number): TaskLog {
  const begin = Math.max(offset, kept[0]?.starts_at ?? log.size);
  const part = joinPieces(kept, begin, count);
  const path = `/tasks/${encodeURIComponent(log.taskId)}`;
  return {
    task_id: log.taskId,
    offset: part.starts_at,
    text: part.text,
    next_offset: part.ends_at,
    size: log.size,
    dropped: begin > offset ? { from: offset, to: begin } : null,
    is_complete: part.ends_at >= log.size && log.hasEnded,
    _links: { self: getLink(`${path}/log`), task: getLink(path) },
  };
}

/** So many bytes of pieces that follow each other, and at least one character. */
function joinPieces([first, ...others]: readonly StoredPiece[], begin: number, count: number): StoredPiece {
  if (!first) return { starts_at: begin, ends_at: begin, text: "" };
  const start = cutPiece(first, begin, begin + count);
  let joined = start.text === "" ? cutPiece(first, begin, begin + maxCharacterBytes) : start;
  for (const piece of others) {
    if (piece.starts_at !== joined.ends_at) break;
    const part = cutPiece(piece, piece.starts_at, joined.starts_at + count);
    joined = { ...joined, ends_at: part.ends_at, text: joined.text + part.text };
  }
  return joined;
}

/** The parts of a piece that lie outside of what is dropped. */
function keptParts(piece: StoredPiece, dropped: { from: number; to: number } | undefined): StoredPiece[] {
  if (!dropped || piece.ends_at <= dropped.from || piece.starts_at >= dropped.to) return [piece];
  const parts = [cutPiece(piece, piece.starts_at, dropped.from), cutPiece(piece, dropped.to, piece.ends_at)];
  return parts.filter(({ starts_at, ends_at }) => ends_at > starts_at);
}

/** All of a log, step by step, with a line where bytes are missing. */
async function* wholeText(database: Database, log: FoundLog, limit: number): AsyncGenerator<string> {
  for (let offset = 0; offset < log.size; ) {
    const part = await database.snapshot((db) => readPart(db, log, offset, logReadSizes.max, limit));
    const missing = (part.dropped?.to ?? part.offset) - offset;
    if (missing > 0) yield `\n[${missing} bytes are missing here]\n`;
    yield part.text;
    if (part.next_offset <= offset) return;
    offset = part.next_offset;
  }
}
