import { createServer } from "node:http";
import { announce, columns, newRow, requireToken, whereOf } from "./common.mjs";
import { openTasks } from "./postgres-table.mjs";

/** What PostgREST does: one statement for each request, in which PostgreSQL also writes the JSON. Node hands it on. */
const [, , url, tasksFile] = process.argv;
const pool = await openTasks(url, tasksFile);

/** The fields of a task. PostgreSQL writes moments in JSON by itself, as PostgREST lets it. */
const fields = `id, category, status, progress_percentage, created_timestamp, type, start_timestamp, end_timestamp,
  organizational_unit_id,
  case when entity_id is not null
    then json_build_object('id', entity_id, 'type', entity_type, 'value', entity_value) end as primary_entity,
  outcome, error, is_abortable = 1 as is_abortable, last_heartbeat_timestamp, last_progress_timestamp,
  json_build_object('self', json_build_object('href', '/tasks/' || id, 'templated', false, 'type', 'get')) as _links`;

const names = new Map();
/** Runs a statement that is prepared on each connection. */
async function query(text, values) {
  if (!names.has(text)) names.set(text, `statement_${names.size}`);
  return (await pool.query({ name: names.get(text), text, values, rowMode: "array" })).rows[0]?.[0];
}

/** The fields are worked out after the page is cut, so that rows before it cost no JSON. */
function list(search) {
  const limit = Math.min(1000, Number(search.get("limit") ?? 100));
  const start = Number(search.get("start") ?? 1);
  const { where, values } = whereOf(JSON.parse(search.get("filter") ?? "{}"), (n) => `$${n}`, "ilike");
  const [size, from] = [`$${values.length + 1}::bigint`, `$${values.length + 2}::bigint`];
  const text = `
    with page as (select * from tasks ${where} order by created_timestamp desc, id desc limit ${size} offset ${from}),
    total as (select count(*) as tasks from tasks ${where})
    select json_build_object(
      '_embedded', json_build_object('items', coalesce((select json_agg(item) from (select ${fields} from page) item), '[]')),
      'total_count', total.tasks, 'total_pages_count', ceil(total.tasks::numeric / ${size}),
      'start', (${from} / ${size} + 1)::text, 'limit', ${size})::text
    from total`;
  return query(text, [...values, limit, (start - 1) * limit]);
}

const insert = `with added as (insert into tasks (${columns.join()})
  select ${columns.join()} from json_populate_record(null::tasks, $1) returning *)
  select row_to_json(item)::text from (select ${fields} from added) item`;
const one = `select row_to_json(item)::text from (select ${fields} from tasks where id = $1) item`;

async function answer(request) {
  requireToken(request.headers);
  const { pathname, searchParams } = new URL(request.url, "http://localhost");
  if (request.method === "POST") {
    let body = "";
    for await (const chunk of request) body += chunk;
    return [201, await query(insert, [JSON.stringify(newRow(JSON.parse(body)))])];
  }
  if (pathname === "/tasks") return [200, await list(searchParams)];
  const found = await query(one, [pathname.split("/")[2]]);
  return found === undefined ? [404, "{}"] : [200, found];
}

const server = createServer(async (request, response) => {
  const [status, body] = await answer(request).catch((error) => [
    error.statusCode ?? 500,
    JSON.stringify({ message: error.message }),
  ]);
  response.writeHead(status, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) });
  response.end(body);
});
server.listen(0, "127.0.0.1", () => announce(server));
