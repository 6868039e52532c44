import { describe, expect, test } from "bun:test";
import { parseFilter } from "../conventions/filter";
import { bodyOf } from "../conventions/operation";
import { defaultRoles } from "../conventions/permissions";
import { resources } from "../resources/index";
import { exampleBody, exampleCall, exampleFilter } from "./examples";
import { documentedOperations } from "./operations";

const operations = documentedOperations(resources);
const lists = operations.flatMap(({ newest }) =>
  (newest.kind === "list" || newest.kind === "watch") && Object.keys(newest.filters).length > 0 ? [newest] : [],
);
const bodies = operations.flatMap(({ newest }) =>
  [bodyOf(newest) ?? []].flat().map((body) => ({ id: newest.id, body })),
);

describe("examples", () => {
  test.each(lists)("filter $id by what it can be filtered by", (operation) => {
    const { filter, faults } = parseFilter(exampleFilter(operation), operation.filters);
    expect(faults).toEqual([]);
    expect(filter.length).toBeGreaterThan(0);
  });

  test.each(bodies)("send $id what it takes", ({ body }) => {
    const example: unknown = JSON.parse(exampleBody(body));
    expect<unknown>(body.strict().parse(example)).toEqual(example);
  });

  test("call a change with its method and a body, and one without a body with the method alone", () => {
    const called = (id: string) =>
      operations.filter(({ newest }) => newest.id === id).map((operation) => exampleCall(operation, "svc"));
    expect(called("create-role")).toEqual([
      `curl -X POST "$URL/roles" \\
  -H "Authorization: Bearer $TOKEN" \\
  -H "Accept: application/api.svc.roles=v1+json" \\
  -H "Content-Type: application/json" \\
  -d '{"name":"Berlin","permissions":["tasks:read"]}'`,
    ]);
    expect(called("create-api-token").map((call) => call.split("\n").at(-1))).toEqual([
      `  -d '{"name":"nightly-report","kind":"service","role_id":"${defaultRoles.viewer.id}"}'`,
    ]);
    expect(called("retire-key")).toEqual([
      `curl -X DELETE "$URL/keys/5f0c9a3e-6f0b-4b7c-9a54-0d7c1c9f6a21" \\
  -H "Authorization: Bearer $TOKEN" \\
  -H "Accept: application/api.svc.keys=v1+json"`,
    ]);
  });

  test("call a list in its default version, with a page size and a filter", () => {
    const listTasks = operations.filter(({ newest }) => newest.id === "list-tasks");
    expect(listTasks.map((operation) => exampleCall(operation, "svc"))).toEqual([
      `curl --get "$URL/tasks" \\
  -H "Authorization: Bearer $TOKEN" \\
  -H "Accept: application/api.svc.tasks=v1+json" \\
  -d limit=20 \\
  --data-urlencode 'filter={"status":"queued","created_timestamp":{"$gte":"2026-11-01T00:00:00Z"}}'`,
    ]);
  });

  test("call a stream so that each event is shown when it comes", () => {
    const watchTasks = operations.filter(({ newest }) => newest.id === "watch-tasks");
    expect(watchTasks.map((operation) => exampleCall(operation, "svc").split("\n")[0])).toEqual([
      'curl --no-buffer --get "$URL/task-events" \\',
    ]);
  });

  test("call an item by an id in the place of the variable", () => {
    const readUser = operations.filter(({ newest }) => newest.id === "read-user");
    expect(readUser.map((operation) => exampleCall(operation, "acme"))).toEqual([
      `curl "$URL/users/5f0c9a3e-6f0b-4b7c-9a54-0d7c1c9f6a21" \\
  -H "Authorization: Bearer $TOKEN" \\
  -H "Accept: application/api.acme.users=v2+json"`,
    ]);
  });
});
