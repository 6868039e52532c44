import { Database as File } from "bun:sqlite";

/** Everything in an SQLite database, read without any of our own code. */
export function readFile(url: string): Record<string, unknown[]> {
  const file = new File(url.slice("sqlite:".length), { readwrite: true });
  try {
    const objects = file.query<{ type: string; name: string }, []>(
      "select type, name from sqlite_schema order by type, name",
    );
    const found = objects.all();
    const tables = found.filter(({ type, name }) => type === "table" && !name.startsWith("kysely_"));
    const contents = tables.map(({ name }) => {
      const rows = file.query<Record<string, unknown>, []>(`select * from ${name}`).all();
      return [name, rows.map((row) => JSON.stringify(row)).sort()];
    });
    return { objects: found, ...Object.fromEntries(contents) };
  } finally {
    file.close();
  }
}
