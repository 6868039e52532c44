import { Database as File } from "bun:sqlite";
import { join } from "node:path";
import { openControlPlane } from "../../src/installation/control-plane";
import { readSettings } from "../../src/settings/settings";
import { findAstray, findWrongCounts, recall } from "./aftermath";
import type { Memory, Told } from "./writer-steps";

/** Everything that can be wrong with a database after a crash. */
export interface Findings {
  integrity: string[];
  /** Rows of the tables of counts that differ from a count of the tasks. */
  wrongCounts: unknown[];
  /** Parts that differ from the state after every possible number of steps: lost, half done, undone or never done. */
  astray: string[];
}

export const sound: Findings = { integrity: ["ok"], wrongCounts: [], astray: [] };

/**
 * Starts on the data in a folder, as the service would, and looks at all of it. It has to be what `before` became by the
 * deeds, in their order: all that were acknowledged (or as many as `atLeast` says), and no part of a deed.
 */
export async function inspect(
  folder: string,
  before: Memory,
  told: Told,
  atLeast = told.acknowledged,
): Promise<{ findings: Findings; memory: Memory }> {
  const settings = readSettings({ flags: { data_dir: folder }, environment: {}, file: null });
  const { database } = await openControlPlane(settings, Date.now());
  try {
    const memory = await recall(database);
    const astray = findAstray(before, told, atLeast, memory);
    return { findings: { ...lookInside(join(folder, "holdfast.db")), astray }, memory };
  } finally {
    await database.close();
  }
}

/** Not through the product, which might share a fault with what it wrote. */
function lookInside(path: string): Omit<Findings, "astray"> {
  const file = new File(path, { readonly: true });
  try {
    const found = file.query<{ integrity_check: string }, []>("pragma integrity_check").all();
    const strangers = file.query("pragma foreign_key_check").all();
    const wrongCounts = findWrongCounts.flatMap((sql) => file.query(sql).all());
    return { integrity: found.map((row) => row.integrity_check), wrongCounts: [...wrongCounts, ...strangers] };
  } finally {
    file.close();
  }
}
