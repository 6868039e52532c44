import { createHash } from "node:crypto";
import { errorMessage } from "@holdfast/api/conventions/error-message";
import { z } from "zod";
import { Refusal } from "../../settings/refusal";
import { SettingError } from "../../settings/settings";
import {
  findUnfinishedMove,
  noteBeginning,
  noteEnd,
  noteProgress,
  type UnfinishedMove,
} from "../common/unfinished-move";
import type { Database, Queries } from "../database";
import { DatabaseBroken, DatabaseUnavailable, UnusableDatabase } from "../errors";
import { type DatabaseSettings, openDatabase } from "../open-database";
import { withoutPassword } from "../postgres/url";
import { dropScatteredIndexes, indexAfterLoading } from "../tasks/indexes";
import { forgetTransactionIds } from "../tasks/transaction-ids";
import { compareDatabases, type TableDigest } from "./compare";
import { countOtherSessions } from "./count-other-sessions";
import { readCounters, writeCounters } from "./counters";
import { inspectSource, inspectTarget, notEmpty, refuseServedEnd } from "./inspect-ends";
import { type MovePlan, type PlannedTable, planTables } from "./moved-tables";
import { findFilledTable, readTables } from "./read-tables";
import { addReferences, addRows, countRows, type Key, keyOf, type Row, readBatches, removeRows } from "./rows";

export interface MoveOptions {
  /** Addresses of the databases to move from and to. */
  from: string;
  to: string;
  settings: Omit<DatabaseSettings, "database_url">;
  /** Rule for moving each table. */
  plan: MovePlan;
  /** True if a service may use either of them meanwhile. */
  whileServing?: boolean;
  /**
   * Takes the secret, before anything is copied, that belongs to this check of it. Gives what tells the audit trail of the
   * move, in the transaction that ends it.
   */
  prepareRecord: (secretCheck: string) => (db: Queries) => Promise<void>;
  /** Called with what an operator should know on the way. */
  tell: (message: string) => void;
  progress: MoveProgress;
}

/** Shown how far the move has come. */
export interface MoveProgress {
  advance(count: number): void;
  /** Goes on to something else, of which so much is done. */
  show(label: string, reached: number, total: number): void;
}

/** One table, or one column of it, that is copied on its own. */
interface Step {
  name: string;
  table: PlannedTable;
  add: (db: Queries, rows: readonly Row[]) => Promise<void>;
  /** True if these rows come for the first time. */
  isFirst: boolean;
}

/** The databases, and what is moved between them. */
interface Work extends MoveOptions {
  source: Database;
  target: Database;
  /** Identifies this installation. */
  installation: string;
  tables: PlannedTable[];
  record: (db: Queries) => Promise<void>;
}

const storedKey = z.array(z.union([z.string(), z.number(), z.null()])).readonly();

/**
 * Copies everything from one database into an empty one, and compares both in the end. No other process can open the target
 * until all of it is there and found to be equal. After an interruption the same call goes on where the last one ended.
 */
export async function moveDatabase(options: MoveOptions): Promise<TableDigest[]> {
  const { from, to, settings, plan } = options;
  if (from === to) throw new Refusal("Both addresses are the same. Name an empty database with --to.");
  const secretCheck = await namedBy("--from", () => inspectSource(from));
  if (!options.whileServing) {
    await namedBy("--from", () => refuseServedEnd(from));
    await namedBy("--to", () => refuseServedEnd(to));
  }
  await namedBy("--to", () => inspectTarget(to, plan));
  const record = options.prepareRecord(secretCheck);
  const others = await countOtherSessions(from);
  if (others > 0) {
    options.tell(
      `Others use the database that is moved from (sessions: ${others}). What they write from now on may stay behind. If that is the service, stop it and move into an empty database again.`,
    );
  }
  const use = { isServing: false, notify: () => {} };
  const source = await namedBy("--from", () => openDatabase({ ...settings, database_url: from }, use));
  try {
    const target = await namedBy("--to", () =>
      openDatabase({ ...settings, database_url: to }, { ...use, isMoveTarget: true }),
    );
    try {
      const tables = planTables(plan, await source.snapshot(readTables));
      const installation = createHash("sha256").update(secretCheck).digest("hex");
      return await moveAll({ ...options, source, target, installation, tables, record });
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** Messages about an address call it by the setting that it usually comes from; here it comes from a flag. */
async function namedBy<Result>(flag: "--from" | "--to", open: () => Promise<Result>): Promise<Result> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof UnusableDatabase || error instanceof SettingError) {
      error.message = error.message.replaceAll("database_url", flag);
    }
    throw error;
  }
}

async function moveAll(work: Work): Promise<TableDigest[]> {
  const { source, target, tables, progress, record } = work;
  const total = await source.snapshot((db) => countRows(db, tables));
  const move = await copyAll(work, await begin(work), total);
  await indexAfterLoading(target, (built, all) => progress.show("Building indexes", built, all));
  progress.show("Checking", 0, total);
  const { digests, difference } = await compareDatabases(source, target, tables, progress.advance);
  if (difference !== undefined) {
    await target.change((db) => noteProgress(db, { ...move, is_spoilt: 1 }));
    throw new Refusal(`${difference}, and run the command again: it then starts over.`);
  }
  const counters = await source.snapshot((db) => readCounters(db, tables));
  await target.change(async (db) => {
    if ((await findUnfinishedMove(db))?.writes !== move.writes) throw anotherMove();
    await writeCounters(db, tables, counters);
    await forgetTransactionIds(db);
    await record(db);
    await noteEnd(db);
  });
  return digests;
}

/** Begins, or finds out how far a move has come that was interrupted. */
async function begin({ target, installation, tables, from, to, tell }: Work): Promise<UnfinishedMove> {
  const beginning = {
    source: installation,
    source_name: withoutPassword(from),
    step: "",
    last_key: null,
    copied: 0,
    writes: 0,
    is_spoilt: 0,
  };
  const { move, message } = await target.change(async (db) => {
    const found = await findUnfinishedMove(db);
    if (!found) {
      const names = tables.map(({ name }) => name);
      const filled = await findFilledTable(db, names);
      if (filled !== undefined) throw notEmpty(to, filled);
      await dropScatteredIndexes(db);
      await noteBeginning(db, beginning);
      return { move: beginning };
    }
    if (found.source !== installation) {
      throw new Refusal(
        `The move from ${found.source_name} into ${withoutPassword(to)} has not ended, and this is another installation. Go on with that one, or name an empty database with --to.`,
      );
    }
    if (found.is_spoilt === 0) {
      return { move: found, message: `Going on with the move that was interrupted after ${found.copied} rows.` };
    }
    await removeRows(db, tables);
    await dropScatteredIndexes(db);
    const restarted = { ...beginning, writes: found.writes };
    await noteProgress(db, restarted);
    return {
      move: { ...restarted, writes: restarted.writes + 1 },
      message: "Starting over, because the databases differed in the end.",
    };
  });
  if (message !== undefined) tell(message);
  return move;
}

/** Copies all rows that are not there yet, and gives how far that has come. */
async function copyAll({ source, target, tables, progress }: Work, from: UnfinishedMove, total: number) {
  const steps = stepsOf(tables);
  const first = Math.max(
    0,
    steps.findIndex(({ name }) => name === from.step),
  );
  let move = from;
  progress.show("Copying", move.copied, total);
  for (const step of steps.slice(first)) {
    const after = step.name === from.step ? readKey(from.last_key) : null;
    for await (const rows of readBatches(source.snapshot, step.table, after)) {
      const fresh = step.isFirst ? rows.length : 0;
      const last_key = JSON.stringify(lastKeyOf(step.table, rows));
      const next = { ...move, step: step.name, last_key, copied: move.copied + fresh };
      await target.change(async (db) => {
        if (!(await noteProgress(db, next))) throw anotherMove();
        await addOrExplain(db, step, rows);
      });
      move = { ...next, writes: next.writes + 1 };
      progress.advance(fresh);
    }
  }
  return move;
}

function stepsOf(tables: readonly PlannedTable[]): Step[] {
  return tables.flatMap((table) => {
    const rows: Step = { name: table.name, table, add: (db, rows) => addRows(db, table, rows), isFirst: true };
    const column = table.refersToItself;
    if (column === undefined) return [rows];
    const references: Step = {
      name: `${table.name}.${column}`,
      table,
      add: (db, rows) => addReferences(db, table, column, rows),
      isFirst: false,
    };
    return [rows, references];
  });
}

async function addOrExplain(db: Queries, { table, add }: Step, rows: readonly Row[]): Promise<void> {
  try {
    await add(db, rows);
  } catch (error) {
    if (error instanceof DatabaseUnavailable || error instanceof DatabaseBroken) throw error;
    const reason = errorMessage(error);
    throw new Refusal(
      `The target cannot hold a row of the table ${table.name} (${reason}). Correct it in the source, and run the command again.`,
      { cause: error },
    );
  }
}

function anotherMove(): Refusal {
  return new Refusal("Another process is moving into the same database. Let that one end.");
}

function readKey(text: string | null): Key | null {
  return text === null ? null : storedKey.parse(JSON.parse(text));
}

function lastKeyOf(table: PlannedTable, rows: readonly Row[]): Key {
  const last = rows.at(-1);
  return last === undefined ? [] : keyOf(table, last);
}
