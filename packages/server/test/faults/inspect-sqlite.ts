import { Database as File } from "bun:sqlite";
import { join } from "node:path";
import { type ControlPlane, openControlPlane } from "../../src/control-plane";
import { listTokens } from "../../src/resources/api-tokens/store";
import { readSettings } from "../../src/settings";
import { type Memory, remember, type Told } from "./deeds";

/** Everything that can be wrong with a database after a crash. */
export interface Findings {
  integrity: string[];
  /** Rows of the tables of counts that differ from a count of the tasks. */
  wrongCounts: unknown[];
  /** What is not as it was after any number of deeds that could be: lost, half done, undone or never done. */
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
  { deeds, acknowledged }: Told,
  atLeast = acknowledged,
): Promise<{ findings: Findings; memory: Memory }> {
  const settings = readSettings({ flags: { data_dir: folder }, environment: {}, file: null });
  const { database } = await openControlPlane(settings, Date.now());
  try {
    const memory = await recall(database);
    let expected = before;
    let differences: string[] = [];
    for (let done = 0; done <= deeds.length; done += 1) {
      const deed = deeds[done - 1];
      if (deed) expected = remember(expected, deed);
      if (done < atLeast) continue;
      const found = compare(expected, memory);
      if (done === atLeast || found.length === 0) differences = found;
      if (found.length === 0) break;
    }
    return { findings: { ...lookInside(join(folder, "holdfast.db")), astray: differences }, memory };
  } finally {
    await database.close();
  }
}

async function recall(database: ControlPlane["database"]): Promise<Memory> {
  return database.snapshot(async (db) => ({
    tasks: new Map(
      (await db.selectFrom("tasks").select(["id", "document"]).execute()).map(({ id, document }) => [id, document]),
    ),
    tokens: new Map((await listTokens(db)).map(({ name, revoked_at }) => [name, revoked_at !== null])),
  }));
}

function compare(expected: Memory, found: Memory): string[] {
  const parts = ["tasks", "tokens"] as const;
  return parts.flatMap((part) =>
    [...new Set([...expected[part].keys(), ...found[part].keys()])]
      .filter((key) => expected[part].get(key) !== found[part].get(key))
      .map((key) => `${part} ${key}: ${found[part].get(key)} instead of ${expected[part].get(key)}`),
  );
}

const kinds = "organizational_unit_id, category, type, status";
const counts = [
  {
    counted: `select ${kinds}, count from task_totals`,
    real: `select ${kinds}, count(*) from tasks group by ${kinds}`,
  },
  {
    counted: `select day, ${kinds}, count from task_days`,
    real: `select created_at / 86400000, ${kinds}, count(*) from tasks group by 1, ${kinds}`,
  },
  {
    counted: "select hour, organizational_unit_id, count from task_hours",
    real: "select created_at / 3600000, organizational_unit_id, count(*) from tasks group by 1, 2",
  },
];

/** Not through the product, which might share a fault with what it wrote. */
function lookInside(path: string): Omit<Findings, "astray"> {
  const file = new File(path, { readonly: true });
  try {
    const found = file.query<{ integrity_check: string }, []>("pragma integrity_check").all();
    const strangers = file.query("pragma foreign_key_check").all();
    const wrongCounts = counts.flatMap(({ counted, real }) => {
      const positive = `${counted} where count <> 0`;
      return [
        ...file.query(`select * from (${positive}) except select * from (${real})`).all(),
        ...file.query(`select * from (${real}) except select * from (${positive})`).all(),
      ];
    });
    return { integrity: found.map((row) => row.integrity_check), wrongCounts: [...wrongCounts, ...strangers] };
  } finally {
    file.close();
  }
}
