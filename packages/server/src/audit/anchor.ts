import { randomBytes } from "node:crypto";
import { readFileSync, renameSync, rmSync, unlinkSync } from "node:fs";
import { open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { errorMessage } from "@holdfast/api/conventions/error-message";
import { z } from "zod";
import type { Queries } from "../database/database";
import type { Sealer } from "../secrets/seal";
import { Refusal } from "../settings/refusal";
import type { ChainHead } from "./chain-head";
import { isIncluded } from "./verify-chain";

/**
 * The newest event that this machine has seen, in a file outside of the database. Putting an older state of the database
 * back, its sealed end included, does not take this back with it.
 */
export interface Anchor {
  path: string;
  /** Content of the file; null if there is none. */
  sealed: string | null;
  /** Undefined where there is no file, or one that this secret does not open. */
  head: ChainHead | undefined;
}

const purpose = "audit anchor";
const content = z.tuple([z.int().nonnegative(), z.string()]);

/** The file in a data directory that has the anchor. */
export function anchorPath(dataDir: string): string {
  return join(dataDir, "audit.anchor");
}

/** Reads the anchor. To be called before the database is looked at: what was seen by then has to be in there. */
export async function readAnchor(path: string, sealer: Sealer): Promise<Anchor> {
  try {
    return openAnchor(path, sealer, await readFile(path, "utf8"));
  } catch (error) {
    if (isAbsent(error)) return { path, sealed: null, head: undefined };
    throw new Refusal(`The file ${path} cannot be read (${errorMessage(error)}). Make it readable for its owner.`);
  }
}

/** Notes an event that was seen, whole or not at all. An anchor never goes back: one that is further stays. */
export async function writeAnchor(path: string, sealer: Sealer, { count, hash }: ChainHead): Promise<void> {
  // No two processes write the same draft, not even those of containers that share a folder.
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    await writeThrough(draft, `${sealer.seal(JSON.stringify([count, hash]), purpose)}\n`);
    // Another process may have come further meanwhile. Where it does so just now, the next look mends that.
    if (readCount(path, sealer) < count) renameSync(draft, path);
    else unlinkSync(draft);
  } catch (error) {
    rmSync(draft, { force: true });
    throw new Refusal(`The file ${path} cannot be written (${errorMessage(error)}). Make its folder writable.`);
  }
}

/** Seals the anchor with another secret. One that cannot be opened is left as it is: the service replaces it. */
export async function resealAnchor(path: string, from: Sealer, to: Sealer): Promise<void> {
  const { head } = await readAnchor(path, from);
  if (head) await writeAnchor(path, to, head);
}

/** Says what is missing from a database that is not the one that its anchor was made for, or an older state of it. */
export async function findRollback(db: Queries, end: ChainHead, anchor: ChainHead): Promise<string | undefined> {
  if (end.count < anchor.count) {
    return `Event ${end.count + 1} and those after it are missing: this machine has seen ${anchor.count} events, and the database has ${end.count}.`;
  }
  if (!(await isIncluded(db, anchor))) {
    return `Event ${anchor.count} is another one than this machine has seen: it, and maybe some before it, were removed, and others were written since.`;
  }
  return undefined;
}

/** Advice for a database that does not match its anchor. */
export function rollbackAdvice(path: string): string {
  return `If you have restored an older database, lost the last changes in a fail-over or begun a new database, remove ${path}. Otherwise an old database was put back: compare it with an export that is stored elsewhere.`;
}

function openAnchor(path: string, sealer: Sealer, text: string): Anchor {
  const opened = sealer.open(text.trim(), purpose);
  if (opened === undefined) return { path, sealed: text, head: undefined };
  const [count, hash] = content.parse(JSON.parse(opened));
  return { path, sealed: text, head: { count, hash } };
}

function readCount(path: string, sealer: Sealer): number {
  try {
    return openAnchor(path, sealer, readFileSync(path, "utf8")).head?.count ?? -1;
  } catch (error) {
    if (isAbsent(error)) return -1;
    throw error;
  }
}

/** Writes a file that is for its owner alone, and waits until it is on the disk: a name is worth nothing before. */
async function writeThrough(path: string, text: string): Promise<void> {
  const file = await open(path, "w", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
