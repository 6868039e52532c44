import type { Queries } from "../../database/database";

/** A monitor as messages and log lines name it. */
export interface NamedMonitor {
  id: string;
  name: string;
  slug: string;
}

const idsPerStatement = 500;

/** Reads the names of some monitors, by id. One that was deleted has none. */
export async function nameMonitors(
  db: Queries,
  given: readonly (string | undefined)[],
): Promise<ReadonlyMap<string, NamedMonitor>> {
  const ids = [...new Set(given.filter((id) => id !== undefined))];
  const monitors = new Map<string, NamedMonitor>();
  for (let from = 0; from < ids.length; from += idsPerStatement) {
    const some = ids.slice(from, from + idsPerStatement);
    const rows = await db.selectFrom("monitors").select(["id", "name", "slug"]).where("id", "in", some).execute();
    for (const row of rows) monitors.set(row.id, row);
  }
  return monitors;
}
