import { randomUUID } from "node:crypto";
import { requestsOf } from "../sides/ours";
import type { ListWish, Side } from "../sides/side";

type Requests = Pick<Side, "list" | "one" | "create">;
type Headers = Record<string, string>;

/** What all sides but ours are asked for in the words of json-server. It has no "less than", only "at most". */
export function jsonServerRequests(headers: Headers): Requests {
  const suffixes: Record<string, string> = { $lt: "_lte", $lte: "_lte", $gte: "_gte", $contains: "_like", $eq: "" };
  return {
    ...requestsOf(headers),
    list({ start = 1, filter = {} }) {
      const query = new URLSearchParams({
        _page: String(start),
        _limit: "100",
        _sort: "created_timestamp",
        _order: "desc",
      });
      for (const { field, operator, value } of conditionsOf(filter)) query.set(`${field}${suffixes[operator]}`, value);
      return { method: "GET", path: `/tasks?${query}`, headers };
    },
    create: () => ({
      method: "POST",
      path: "/tasks",
      headers: { ...headers, "Content-Type": "application/json" },
      body: JSON.stringify({ id: randomUUID(), category: "backup", type: "bench_report", status: "in_progress" }),
    }),
  };
}

const fields = `rowId category status progressPercentage createdTimestamp type startTimestamp endTimestamp
  organizationalUnitId entityId entityType entityValue outcome error isAbortable lastHeartbeatTimestamp
  lastProgressTimestamp`;
const listQuery = `query ($filter: TaskFilter, $offset: Int) {
  allTasks(first: 100, offset: $offset, filter: $filter, orderBy: [CREATED_TIMESTAMP_DESC, ROW_ID_DESC]) {
    totalCount pageInfo { hasNextPage endCursor } nodes { ${fields} } } }`;
const oneQuery = `query ($id: String!) { taskByRowId(rowId: $id) { ${fields} } }`;
const createQuery = `mutation ($task: TaskInput!) { createTask(input: { task: $task }) { task { ${fields} } } }`;

/** The same in GraphQL. */
export function graphqlRequests(headers: Headers): Requests {
  const operators: Record<string, string> = {
    $eq: "equalTo",
    $lt: "lessThan",
    $gte: "greaterThanOrEqualTo",
    $contains: "includesInsensitive",
  };
  const names: Record<string, string> = {
    created_timestamp: "createdTimestamp",
    "primary_entity.value": "entityValue",
  };
  const send = (query: string, variables: object) => ({
    method: "POST",
    path: "/graphql",
    headers: { ...headers, "Content-Type": "application/json", Accept: "application/json" },
    body: JSON.stringify({ query, variables }),
  });
  return {
    list({ start = 1, filter = {} }) {
      const wanted: Record<string, Record<string, string>> = {};
      for (const { field, operator, value } of conditionsOf(filter)) {
        const name = names[field] ?? field;
        wanted[name] = { ...wanted[name], [operators[operator] ?? ""]: value };
      }
      const isFiltered = Object.keys(wanted).length > 0;
      return send(listQuery, { offset: (start - 1) * 100, ...(isFiltered ? { filter: wanted } : {}) });
    },
    one: (id) => send(oneQuery, { id }),
    create() {
      const now = new Date().toISOString();
      return send(createQuery, {
        task: {
          rowId: randomUUID(),
          category: "backup",
          type: "bench_report",
          status: "in_progress",
          progressPercentage: 0,
          createdTimestamp: now,
          startTimestamp: now,
          organizationalUnitId: "00000000-0000-0000-0000-000000000000",
          isAbortable: 0,
          lastHeartbeatTimestamp: now,
        },
      });
    },
  };
}

interface Condition {
  field: string;
  operator: string;
  value: string;
}

function conditionsOf(filter: NonNullable<ListWish["filter"]>): Condition[] {
  return Object.entries(filter).flatMap(([field, wanted]) =>
    Object.entries(typeof wanted === "object" && wanted !== null ? wanted : { $eq: wanted }).map(
      ([operator, value]) => ({
        field,
        operator,
        value: String(value),
      }),
    ),
  );
}
