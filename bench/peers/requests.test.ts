import { expect, test } from "bun:test";
import { graphqlRequests, jsonServerRequests } from "./requests";

const headers = { Authorization: "Bearer x" };
const wish = {
  start: 3,
  filter: {
    status: "failed",
    created_timestamp: { $lt: "2026-11-01T00:00:00.000Z" },
    "primary_entity.value": { $contains: "web" },
  },
};

test("json-server is asked for the same in its own words", () => {
  const { path } = jsonServerRequests(headers).list(wish);
  expect(Object.fromEntries(new URLSearchParams(path.split("?")[1]))).toEqual({
    _page: "3",
    _limit: "100",
    _sort: "created_timestamp",
    _order: "desc",
    status: "failed",
    created_timestamp_lte: "2026-11-01T00:00:00.000Z",
    "primary_entity.value_like": "web",
  });
});

test("PostGraphile is asked for the same in GraphQL, with the total", () => {
  const { query, variables } = JSON.parse(graphqlRequests(headers).list(wish).body ?? "");
  expect(query).toContain("totalCount");
  expect(variables).toEqual({
    offset: 200,
    filter: {
      status: { equalTo: "failed" },
      createdTimestamp: { lessThan: "2026-11-01T00:00:00.000Z" },
      entityValue: { includesInsensitive: "web" },
    },
  });
});

test("each task that is written is another one", () => {
  const { create } = jsonServerRequests(headers);
  expect(create(0).body).not.toBe(create(1).body);
  const { create: createInGraphql } = graphqlRequests(headers);
  expect(createInGraphql(0).body).not.toBe(createInGraphql(1).body);
});
