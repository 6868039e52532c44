import { Database as File } from "bun:sqlite";

/** Everything in an SQLite database, read without any of our own code. */
export function readFile(url: string): Record<string, unknown[]> {
  const file = new File(url.slice("sqlite:".length), { readwrite: true });
  try {
    const objects = file.query<{ type: string; name: string }, []>(
      "select type, name from sqlite_schema order by type, name",
    );
    const found = objects.all();
    const tables = found.filter(
      ({ type, name }) => type === "table" && !/^kysely_|^domain_versions$|^history_/.test(name),
    );
    const contents = tables.map(({ name }) => {
      const rows = file.query<Record<string, unknown>, []>(`select * from ${name}`).all();
      return [name, rows.map((row) => JSON.stringify(row)).sort()];
    });
    return { objects: found, ...Object.fromEntries(contents) };
  } finally {
    file.close();
  }
}

/** Reads a database without what the audit trail is told of each move. */
export function readMoved(url: string): Record<string, unknown[]> {
  const { audit_events = [], audit_head: _, ...others } = readFile(url);
  return { ...others, audit_events: audit_events.filter((event) => !String(event).includes("move-database")) };
}
