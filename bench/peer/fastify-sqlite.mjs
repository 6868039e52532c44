import { DatabaseSync } from "node:sqlite";
import Fastify from "fastify";

/**
 * Fastify on Node with node:sqlite, tuned in a day: tasks stored as the JSON that is sent, totals kept in the transaction
 * that adds a task, an index for each filter that has all a page needs, statements prepared once.
 */
const [, , file, source] = process.argv;
const database = new DatabaseSync(file);
database.exec(`pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on;
  pragma cache_size = -65536; pragma mmap_size = 2147483648`);

const columns = {
  id: "$.id",
  status: "$.status",
  category: "$.category",
  type: "$.type",
  outcome: "$.outcome",
  organizational_unit_id: "$.organizational_unit_id",
  entity_id: "$.primary_entity.id",
  entity_value: "$.primary_entity.value",
  error_code: "$.error.code",
  created_timestamp: "$.created_timestamp",
};
const filterColumns = {
  "primary_entity.id": "entity_id",
  "primary_entity.value": "entity_value",
  "error.code": "error_code",
};
/** The fields with few values, whose totals are kept. */
const totalled = ["status", "category", "type", "outcome", "organizational_unit_id"];
const names = Object.keys(columns);

if (database.prepare("select 1 from sqlite_master where name = 'totals'").get() === undefined) {
  database.exec(`
    drop table if exists tasks;
    create table tasks (number integer primary key, ${names.map((name) => `${name} text`).join(", ")}, document text not null);
    attach '${source}' as source;
    insert into tasks (${names}, document)
      select ${names.map((name) => `json_extract(document, '${columns[name]}')`)}, document from source.tasks order by created_at;
    detach source;
    create unique index tasks_by_id on tasks (id);
    create index tasks_by_created on tasks (created_timestamp, number);
    ${[...totalled, "entity_id", "error_code"].map((name) => `create index tasks_by_${name} on tasks (${name}, created_timestamp, number);`).join("\n")}
    create index tasks_by_entity_value on tasks (entity_value, created_timestamp, number);
    create table totals (field text, value text, total integer not null, primary key (field, value)) without rowid;
    insert into totals select '', '', count(*) from tasks;
    ${totalled.map((name) => `insert into totals select '${name}', ${name}, count(*) from tasks where ${name} is not null group by ${name};`).join("\n")}
    analyze`);
}

const prepared = new Map();
function prepare(sql) {
  const known = prepared.get(sql);
  if (known) return known;
  const made = database.prepare(sql);
  prepared.set(sql, made);
  return made;
}

const comparisons = { $eq: "=", $gt: ">", $gte: ">=", $lt: "<", $lte: "<=" };

function whereOf(filter) {
  const conditions = [];
  const values = [];
  for (const [field, wanted] of Object.entries(filter)) {
    const column = filterColumns[field] ?? field;
    if (!names.includes(column)) throw Object.assign(new Error(`There is no field ${field}.`), { statusCode: 400 });
    for (const [operator, value] of Object.entries(typeof wanted === "object" ? wanted : { $eq: wanted })) {
      conditions.push(
        operator === "$contains" ? `${column} like ? escape '\\'` : `${column} ${comparisons[operator]} ?`,
      );
      values.push(operator === "$contains" ? `%${value.replace(/[\\%_]/g, "\\$&")}%` : value);
    }
  }
  return { where: conditions.length === 0 ? "" : `where ${conditions.join(" and ")}`, values };
}

function totalOf(filter, where, values) {
  const [[field = "", value = ""] = [], ...others] = Object.entries(filter);
  if (others.length === 0 && typeof value === "string" && (field === "" || totalled.includes(field))) {
    return prepare("select total from totals where field = ? and value = ?").get(field, value)?.total ?? 0;
  }
  return prepare(`select count(*) as total from tasks ${where}`).get(...values).total;
}

const service = Fastify();
service.addHook("onRequest", async ({ headers }) => {
  if (headers.authorization === `Bearer ${process.env.BENCH_TOKEN}`) return;
  throw Object.assign(new Error("The token is not known."), { statusCode: 401 });
});
const json = "application/json; charset=utf-8";

service.get("/tasks", async ({ query }, reply) => {
  const limit = Math.min(1000, Number(query.limit ?? 100));
  const start = Number(query.start ?? 1);
  const filter = JSON.parse(query.filter ?? "{}");
  const { where, values } = whereOf(filter);
  const total = totalOf(filter, where, values);
  const pages = Math.ceil(total / limit);
  // The page is found in an index, from the nearer end, before any document is read.
  const offset = (start - 1) * limit;
  const isNearEnd = offset > total / 2;
  const count = Math.max(0, Math.min(limit, total - offset));
  const order = isNearEnd ? "asc" : "desc";
  const found = `select number from tasks ${where} order by created_timestamp ${order}, number ${order} limit ? offset ?`;
  const documents = prepare(
    `select document from (${found}) join tasks using (number) order by created_timestamp desc, number desc`,
  )
    .all(...values, count, isNearEnd ? total - offset - count : offset)
    .map(({ document }) => document);
  const link = (page) => ({ href: `/tasks?limit=${limit}&start=${page}`, templated: false, type: "get" });
  const links = {
    first: link(1),
    last: link(Math.max(1, pages)),
    self: link(start),
    ...(start > 1 ? { prev: link(start - 1) } : {}),
    ...(start < pages ? { next: link(start + 1) } : {}),
  };
  return reply
    .type(json)
    .send(
      `{"_embedded":{"items":[${documents.join()}]},"_links":${JSON.stringify(links)},"start":"${start}","limit":${limit},"total_count":${total},"total_pages_count":${pages}}`,
    );
});

service.get("/tasks/:id", async ({ params }, reply) => {
  const row = prepare("select document from tasks where id = ?").get(params.id);
  return row ? reply.type(json).send(row.document) : reply.code(404).send({ message: "There is no such task." });
});

const begin = database.prepare("begin immediate");
const commit = database.prepare("commit");
const insert = database.prepare(
  `insert into tasks (${names}, document) values (${names.map((name) => `:${name}`)}, :document)`,
);
const count = database.prepare(
  "insert into totals (field, value, total) values (?, ?, 1) on conflict (field, value) do update set total = total + 1",
);

service.post("/tasks", async ({ body }, reply) => {
  const now = new Date().toISOString();
  const id = body.id ?? crypto.randomUUID();
  const task = {
    id,
    category: body.category,
    status: "in_progress",
    progress_percentage: 0,
    created_timestamp: now,
    type: body.type,
    start_timestamp: now,
    end_timestamp: null,
    organizational_unit_id: body.organizational_unit_id ?? "00000000-0000-0000-0000-000000000000",
    primary_entity: body.primary_entity ?? null,
    outcome: null,
    error: null,
    is_abortable: false,
    last_heartbeat_timestamp: now,
    last_progress_timestamp: null,
    _links: { self: { href: `/tasks/${id}`, templated: false, type: "get" } },
  };
  const document = JSON.stringify(task);
  begin.run();
  insert.run({
    id,
    status: task.status,
    category: task.category,
    type: task.type,
    outcome: null,
    organizational_unit_id: task.organizational_unit_id,
    entity_id: task.primary_entity?.id ?? null,
    entity_value: task.primary_entity?.value ?? null,
    error_code: null,
    created_timestamp: now,
    document,
  });
  count.run("", "");
  for (const name of totalled) if (task[name] !== null) count.run(name, task[name]);
  commit.run();
  return reply.code(201).type(json).send(document);
});

await service.listen({ host: "127.0.0.1", port: 0 });
process.stdout.write(`http://127.0.0.1:${service.server.address().port}\n`);
