import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { FilterFields } from "@holdfast/api/conventions/filter";
import type { ListOperation } from "@holdfast/api/conventions/operation";
import { resources } from "@holdfast/api/resources/index";
import { CompiledQuery, type KyselyPlugin } from "kysely";
import { isPostgres } from "../../src/database/adapter";
import type { Database, Moment, Queries, Read } from "../../src/database/database";
import { refreshStatistics } from "../../src/database/tasks/indexes";
import { createApp } from "../../src/http/app";
import { tables } from "../../src/resources/index";
import { readSettings } from "../../src/settings/settings";
import { createService, type Service } from "../../src/start/service";
import { inStatus, openPlane, type Plane, root, sampleTask, unitHeaderName } from "../harness";
import { firstOf } from "../runs";
import { seedAll } from "../samples/samples";
import { testsOnPostgres } from "../test-database";

/** A large one, and small ones, at which SQLite has changed its plan. PostgreSQL takes its time to explain itself. */
const limits = testsOnPostgres() ? firstOf(1, [1000, 1]) : firstOf(3, [1000, 7, 1, 2, 5, 8]);
const lists = resources.flatMap(({ versions }) =>
  (versions[0]?.operations ?? []).filter((operation): operation is ListOperation => operation.kind === "list"),
);
/** Tables that grow with tasks, events and people: no statement passes over all of one. PostgreSQL has partitions of `tasks`. */
const growing = Object.entries(tables).flatMap(([name, { grows }]) => (grows ? [`${name}(_\\d+)?`] : []));
const scan = new RegExp(
  [
    `(SCAN|Seq Scan on) (${growing.join("|")})\\b(?! USING (COVERING )?INDEX \\w+_in_order)`,
    // Everything up to the high-water mark, to be sorted afterwards: a scan by another name.
    "SEARCH \\w+ USING INTEGER PRIMARY KEY \\(rowid<\\?\\)",
  ].join("|"),
);

let plane: Plane;
let token: string;
let unit: string;
let app: ReturnType<typeof createApp>;
/** Statements that were sent since the last check, and their query plans. */
let plans: { sql: string; plan: string }[] = [];

beforeAll(async () => {
  plane = await openPlane();
  unit = await plane.addUnit("Unit");
  token = (await plane.serviceToken("owner")).token;
  // More than are looked through at once, and more than one slice has.
  const count = 6_000;
  const sample = Array.from({ length: count }, (_, n) => ({
    ...sampleTask(n + 1),
    organizational_unit_id: unit,
    ...inStatus(n % 2 === 0 ? "completed" : "failed"),
    ...(n % 3 === 0 ? { monitor_id: `00000000-0000-4000-8000-0000000000a${n % 2}` } : {}),
    primary_entity: { id: `host-${n % 300}`, type: "host", value: `web-${n % 300}.example.org` },
  }));
  await plane.addTasks(sample);
  // PostgreSQL does so by itself after a while, and plans otherwise from then on.
  await plane.database.change(refreshStatistics, { isLong: true });
  // Not in the unit that filters name: of so few API tokens SQLite reads all, whatever indexes there are.
  await seedAll({ ...plane, owner: token }, await plane.addUnit("Several"), await plane.addUnit("One"));
  const flags = { base_url: "http://holdfast.test", allowed_hosts: "localhost", rate_limit: "0" };
  const settings = readSettings({ flags, environment: {}, file: null });
  const service: Service = createService({
    settings,
    controlPlane: { ...plane.controlPlane, database: explained(plane.database) },
    baseUrl: "http://holdfast.test",
    log: plane.service.log,
    clock: () => plane.clock.now,
  });
  app = createApp(service);
});
afterAll(() => plane.close());

/** Every statement by its id: one that is prepared is compiled once and run again and again. */
const compiled = new Map<unknown, CompiledQuery>();

/** Values to explain prepared statements with. */
const samples: Record<string, number | string> = {
  watermark: 1_000_000,
  earliest: 0,
  from: 0,
  last: 0,
  limit: 100,
  until: Date.parse("2027-01-01"),
  count: 11,
  skip: 0,
  key: Date.parse("2026-11-02"),
  id: "",
};

/** The value of a parameter, or a sample of what stands for it in a prepared statement. */
function givenValue(parameter: unknown): unknown {
  return typeof parameter === "symbol" ? samples[parameter.description ?? ""] : parameter;
}

/** Wraps the database: notes for each statement of a snapshot how it is done. */
function explained(database: Database): Database {
  const explain =
    <Result>(read: Read<Result>): Read<Result> =>
    async (db: Queries, moment: Moment) => {
      const statements: CompiledQuery[] = [];
      const recorder: KyselyPlugin = {
        transformQuery({ node, queryId }) {
          compiled.set(queryId, db.getExecutor().compileQuery(node, queryId));
          return node;
        },
        async transformResult({ result, queryId }) {
          const ran = compiled.get(queryId);
          expect(ran).toBeDefined();
          statements.push(...(ran ? [ran] : []));
          return result;
        },
      };
      const result = await read(db.withPlugin(recorder), moment);
      const how = isPostgres(db) ? "explain (costs off)" : "explain query plan";
      for (const { sql, parameters } of statements.filter((one) => one.sql.trimStart().startsWith("select"))) {
        const { rows } = await db.executeQuery<Record<string, unknown>>(
          CompiledQuery.raw(`${how} ${sql}`, parameters.map(givenValue)),
        );
        plans.push({ sql, plan: rows.map((row) => String(row.detail ?? row["QUERY PLAN"])).join("\n") });
      }
      return result;
    };
  return {
    ...database,
    snapshot: (read, options) => database.snapshot(explain(read), options),
  };
}

/** Values that the field can be compared with, and one that nothing has. */
const valuesOf = (): Record<FilterFields[string]["kind"], (string | boolean)[]> => ({
  word: ["completed", "success", "host_unreachable", "nothing"],
  id: ["00000000-0000-7000-8000-000000000001", "00000000-0000-4000-8000-0000000000a1", unit],
  name: ["e"],
  text: ["e", "host-1"],
  timestamp: ["2026-11-01T00:00:00Z", "2026-11-03T00:00:00Z"],
  flag: [true, false],
});

function filtersOf({ filters }: ListOperation): object[] {
  const values = valuesOf();
  const single = Object.entries(filters).flatMap(([field, { kind, operators }]) =>
    operators.flatMap((operator) =>
      values[kind].map((value) => ({ [field]: { [operator]: operator === "$in" ? [value, "other"] : value } })),
    ),
  );
  const [first, ...others] = single;
  const pairs = testsOnPostgres() ? [] : firstOf(12, others).map((other) => ({ ...first, ...other }));
  return [{}, ...single, ...pairs];
}

async function plansOf(path: string, filter: object, limit: number, unitId: string): Promise<typeof plans> {
  plans = [];
  const query = `limit=${limit}&filter=${encodeURIComponent(JSON.stringify(filter))}`;
  const headers = { Authorization: `Bearer ${token}`, [unitHeaderName]: unitId };
  const response = await app.request(`http://localhost${path}?${query}`, { headers });
  expect(response.status).toBe(200);
  await response.text();
  return plans;
}

describe.each(lists.map((list) => [list.id, list] as const))("T39: %s", (_id, list) => {
  test("scans no table that grows, and does the same whatever the limit is", async () => {
    const scans: string[] = [];
    const ways = new Map<string, Set<string>>();
    for (const unitId of [root, unit]) {
      for (const filter of filtersOf(list)) {
        for (const limit of limits) {
          for (const { sql, plan } of await plansOf(list.path, filter, limit, unitId)) {
            ways.set(sql, (ways.get(sql) ?? new Set()).add(plan));
            scans.push(...(scan.test(plan) ? [`${JSON.stringify(filter)} limit ${limit}: ${sql}\n${plan}`] : []));
          }
        }
      }
    }
    expect(scans.slice(0, 3)).toEqual([]);
    expect(ways.size).toBeGreaterThan(1);
    // PostgreSQL may leave partitions out by what a parameter says, and no query names an index of it.
    if (testsOnPostgres()) return;
    const changing = [...ways].filter(([, plans]) => plans.size > 1).map(([sql, plans]) => [sql, ...plans].join("\n"));
    expect(changing.slice(0, 3)).toEqual([]);
    const unpinned = [...ways.keys()].filter((sql) => /from "?tasks"?(?! ?(indexed by|not indexed))/.test(sql));
    expect(unpinned).toEqual([]);
  });
});

/** Access path of tasks and their counts for a filter, without the names and values in which fields differ. */
async function wayOf(filter: Record<string, string>, unitId: string): Promise<string[]> {
  // So that nothing is remembered of an earlier request.
  await plane.addTasks([{ organizational_unit_id: unit }]);
  const found = await plansOf("/tasks", filter, 100, unitId);
  const column = Object.keys(filter).join();
  const value = Object.values(filter).join();
  return found
    .filter(({ sql }) => /from "?task/.test(sql))
    .map(({ sql, plan }) =>
      `${sql}\n${plan}`
        .replaceAll(column, "field")
        // Words are written out in a statement; see scans of a query plan.
        .replaceAll(`'${value}'`, "'value'")
        .replaceAll(/'\w+'(?=::(text|bigint))/g, "value"),
    );
}

test("T39: an outcome and a unit are found as a status is: by an index in list order, and counted without the tasks", async () => {
  const status = await wayOf({ status: "failed" }, root);
  expect(status.length).toBeGreaterThan(2);
  expect(await wayOf({ outcome: "error" }, root)).toEqual(status);
  const named = await wayOf({ organizational_unit_id: unit }, unit);
  // The high-water mark of the unit may be known already.
  expect(named.length).toBeWithin(2, status.length + 1);
  expect(named.filter((way) => /count\(\*\)|FOR ORDER BY/.test(way))).toEqual([]);
});
