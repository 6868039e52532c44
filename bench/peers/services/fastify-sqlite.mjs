import { DatabaseSync } from "node:sqlite";
import Fastify from "fastify";
import { announce, columns, envelope, newRow, readTasks, requireToken, rowOf, whereOf } from "./common.mjs";

/** Fastify on Node with node:sqlite, as one writes it in an afternoon: an index for each filter, pages by offset. */
const [, , file, tasksFile] = process.argv;
const database = new DatabaseSync(file);
database.exec("pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -65536");

const insert = () =>
  database.prepare(`insert into tasks (${columns.join()}) values (${columns.map((name) => `:${name}`).join()})`);

if (database.prepare("select 1 from sqlite_master where name = 'tasks_by_end'").get() === undefined) {
  database.exec(`
    drop table if exists tasks;
    create table tasks (
      id text primary key, category text not null, status text not null, progress_percentage integer not null,
      created_timestamp text not null, type text not null, start_timestamp text, end_timestamp text,
      organizational_unit_id text not null, entity_id text, entity_type text, entity_value text, outcome text,
      error text, is_abortable integer not null, last_heartbeat_timestamp text, last_progress_timestamp text
    ) without rowid`);
  const add = insert();
  for await (const batch of readTasks(tasksFile)) {
    database.exec("begin");
    for (const task of batch) add.run(pick(rowOf(task)));
    database.exec("commit");
  }
  for (const column of ["status", "category", "type", "entity_id", "entity_value"]) {
    database.exec(`create index tasks_by_${column} on tasks (${column}, created_timestamp desc, id desc)`);
  }
  database.exec(`
    create index tasks_by_created on tasks (created_timestamp desc, id desc);
    create index tasks_by_start on tasks (start_timestamp);
    create index tasks_by_end on tasks (end_timestamp);
    analyze`);
}

const text = { type: "string" };
const textOrNull = { type: ["string", "null"] };
const link = { type: "object", properties: { href: text, templated: { type: "boolean" }, type: text } };
const links = (...names) => ({ type: "object", properties: Object.fromEntries(names.map((name) => [name, link])) });
const task = {
  type: "object",
  properties: {
    ...Object.fromEntries(["id", "category", "status", "created_timestamp", "type"].map((name) => [name, text])),
    progress_percentage: { type: "integer" },
    start_timestamp: textOrNull,
    end_timestamp: textOrNull,
    organizational_unit_id: text,
    primary_entity: { type: ["object", "null"], properties: { id: text, type: text, value: text } },
    outcome: textOrNull,
    error: { type: ["object", "null"], properties: { code: text, message: text, remedy: textOrNull } },
    is_abortable: { type: "boolean" },
    last_heartbeat_timestamp: textOrNull,
    last_progress_timestamp: textOrNull,
    _links: links("self"),
  },
};
/** With it, Fastify writes JSON by code made for it. */
const listSchema = {
  type: "object",
  properties: {
    _embedded: { type: "object", properties: { items: { type: "array", items: task } } },
    _links: links("first", "last", "self", "prev", "next"),
    start: text,
    limit: { type: "integer" },
    total_count: { type: "integer" },
    total_pages_count: { type: "integer" },
  },
};

const prepared = new Map();
function prepare(sql) {
  if (!prepared.has(sql)) prepared.set(sql, database.prepare(sql));
  return prepared.get(sql);
}

function pick(row) {
  return Object.fromEntries(columns.map((name) => [name, row[name] ?? null]));
}

function shown({ entity_id, entity_type, entity_value, error, is_abortable, ...row }) {
  return {
    ...row,
    primary_entity: entity_id === null ? null : { id: entity_id, type: entity_type, value: entity_value },
    error: error === null ? null : JSON.parse(error),
    is_abortable: is_abortable === 1,
    _links: { self: { href: `/tasks/${row.id}`, templated: false, type: "get" } },
  };
}

const service = Fastify();
service.addHook("onRequest", async (request) => requireToken(request.headers));

service.get("/tasks", { schema: { response: { 200: listSchema } } }, async ({ query }) => {
  const limit = Math.min(1000, Number(query.limit ?? 100));
  const start = Number(query.start ?? 1);
  const { where, values } = whereOf(JSON.parse(query.filter ?? "{}"), () => "?", "like");
  const { total } = prepare(`select count(*) as total from tasks ${where}`).get(...values);
  const page = `select * from tasks ${where} order by created_timestamp desc, id desc limit ? offset ?`;
  return envelope(
    prepare(page)
      .all(...values, limit, (start - 1) * limit)
      .map(shown),
    total,
    limit,
    start,
  );
});

service.get("/tasks/:id", { schema: { response: { 200: task } } }, async ({ params }, reply) => {
  const row = prepare("select * from tasks where id = ?").get(params.id);
  return row ? shown(row) : reply.code(404).send({ message: "There is no such task." });
});

const add = insert();
service.post("/tasks", async ({ body }, reply) => {
  const row = newRow(body);
  add.run(row);
  return reply.code(201).send(shown(row));
});

await service.listen({ host: "127.0.0.1", port: 0 });
announce(service.server);
