import { Client } from "pg";
import { openControlPlane } from "../../src/installation/control-plane";
import { readSettings } from "../../src/settings/settings";
import { findAstray, findWrongCounts, recall } from "./aftermath";
import type { Memory, Told } from "./writer-steps";

/** Everything that can be wrong with a PostgreSQL database after a crash. */
export interface PostgresFindings {
  wrongCounts: unknown[];
  astray: string[];
}

export const sound: PostgresFindings = { wrongCounts: [], astray: [] };

/**
 * Opens a database, as the service would, and looks at all of it. It has to be what `before` became by the deeds, in
 * their order: all that were acknowledged (or as many as `atLeast` says), and no part of a deed.
 */
export async function inspectPostgres(
  { folder, url }: { folder: string; url: string },
  before: Memory,
  told: Told,
  atLeast = told.acknowledged,
): Promise<{ findings: PostgresFindings; memory: Memory }> {
  const settings = readSettings({ flags: { data_dir: folder, database_url: url }, environment: {}, file: null });
  const { database } = await openControlPlane(settings, Date.now());
  try {
    const memory = await recall(database);
    return {
      findings: { wrongCounts: await countAnew(url), astray: findAstray(before, told, atLeast, memory) },
      memory,
    };
  } finally {
    await database.close();
  }
}

/** Content of a database that nobody writes to. */
export async function recallPostgres(folder: string, url: string): Promise<Memory> {
  const nobody = { steps: [], acknowledged: 0 };
  return (await inspectPostgres({ folder, url }, { tasks: new Map(), tokens: new Map() }, nobody)).memory;
}

/** Not through the product, which might share a fault with what it wrote. */
async function countAnew(url: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const wrong: unknown[] = [];
    for (const sql of findWrongCounts) wrong.push(...(await client.query(sql)).rows);
    return wrong;
  } finally {
    await client.end();
  }
}
