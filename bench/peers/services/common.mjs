import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";

/** The columns of a task, in both databases. */
export const columns = [
  "id",
  "category",
  "status",
  "progress_percentage",
  "created_timestamp",
  "type",
  "start_timestamp",
  "end_timestamp",
  "organizational_unit_id",
  "entity_id",
  "entity_type",
  "entity_value",
  "outcome",
  "error",
  "is_abortable",
  "last_heartbeat_timestamp",
  "last_progress_timestamp",
];

/** What each field of a filter is called in the table. */
const filterColumns = { "primary_entity.id": "entity_id", "primary_entity.value": "entity_value" };
const comparisons = { $eq: "=", $neq: "<>", $gt: ">", $gte: ">=", $lt: "<", $lte: "<=" };

/** Reads tasks, one on each line, some thousand at a time. */
export async function* readTasks(file) {
  let batch = [];
  for await (const line of createInterface({ input: createReadStream(file) })) {
    batch.push(JSON.parse(line));
    if (batch.length === 5000) {
      yield batch;
      batch = [];
    }
  }
  yield batch;
}

/** A task as a row: what is nested becomes columns. */
export function rowOf({ primary_entity: entity, error, is_abortable, ...task }) {
  return {
    ...task,
    entity_id: entity?.id ?? null,
    entity_type: entity?.type ?? null,
    entity_value: entity?.value ?? null,
    error: error ? JSON.stringify(error) : null,
    is_abortable: is_abortable ? 1 : 0,
  };
}

/** A new task as a row, from the body of a request. */
export function newRow({ id, category, type }) {
  const now = new Date().toISOString();
  return {
    id: id ?? crypto.randomUUID(),
    category,
    type,
    status: "in_progress",
    progress_percentage: 0,
    created_timestamp: now,
    start_timestamp: now,
    end_timestamp: null,
    organizational_unit_id: "00000000-0000-0000-0000-000000000000",
    entity_id: null,
    entity_type: null,
    entity_value: null,
    outcome: null,
    error: null,
    is_abortable: 0,
    last_heartbeat_timestamp: now,
    last_progress_timestamp: null,
  };
}

/** The condition and the values of a filter. `like` is how the database compares without regard to letter case. */
export function whereOf(filter, placeholder, like) {
  const conditions = [];
  const values = [];
  for (const [field, wanted] of Object.entries(filter)) {
    const column = filterColumns[field] ?? (columns.includes(field) ? field : undefined);
    if (!column) throw Object.assign(new Error(`There is no field ${field}.`), { statusCode: 400 });
    for (const [operator, value] of Object.entries(typeof wanted === "object" ? wanted : { $eq: wanted })) {
      if (operator === "$contains") {
        values.push(`%${value.replace(/[\\%_]/g, "\\$&")}%`);
        conditions.push(`${column} ${like} ${placeholder(values.length)} escape '\\'`);
      } else {
        values.push(value);
        conditions.push(`${column} ${comparisons[operator]} ${placeholder(values.length)}`);
      }
    }
  }
  return { where: conditions.length === 0 ? "" : `where ${conditions.join(" and ")}`, values };
}

/** The answer to a list, in the shape of ours. */
export function envelope(items, total, limit, start) {
  const link = (page) => ({ href: `/tasks?limit=${limit}&start=${page}`, templated: false, type: "get" });
  const pages = Math.ceil(total / limit);
  return {
    _embedded: { items },
    _links: {
      first: link(1),
      last: link(Math.max(1, pages)),
      self: link(start),
      ...(start > 1 ? { prev: link(start - 1) } : {}),
      ...(start < pages ? { next: link(start + 1) } : {}),
    },
    start: String(start),
    limit,
    total_count: total,
    total_pages_count: pages,
  };
}

/** Refuses a request without the token. */
export function requireToken(headers) {
  if (headers.authorization !== `Bearer ${process.env.BENCH_TOKEN}`) {
    throw Object.assign(new Error("The token is not known."), { statusCode: 401 });
  }
}

/** Says where the service listens, which is what the benchmark waits for. */
export function announce(server) {
  process.stdout.write(`http://127.0.0.1:${server.address().port}\n`);
}
