import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { versionedMediaType } from "@holdfast/api/conventions/media-type";
import { type ListOperation, supportedVersions } from "@holdfast/api/conventions/operation";
import { discoveryIndex } from "@holdfast/api/resources/discovery";
import { resources } from "@holdfast/api/resources/index";
import { allVersions, type Declared, everything, listOf, lists, readings, reads } from "./declared";
import { openSeededPlane, type SeededPlane } from "./seeded-plane";

let plane: SeededPlane;
beforeAll(async () => {
  plane = await openSeededPlane();
});
afterAll(() => plane.close());

const newest = versionedMediaType("svc", "*", Math.max(...allVersions));

describe("discovery", () => {
  test("tells users and tasks, their versions and operations, with path, method and whether it is a template", async () => {
    const { status, body } = await plane.ask("/", { token: plane.owner });
    const reading = {
      "list-users": { href: "/users", type: "get", templated: false },
      "read-user": { href: "/users/{user_id}", type: "get", templated: true },
    };
    const changing = {
      "create-user": { href: "/users", type: "post", templated: false },
      "invite-user": { href: "/users/{user_id}/invitation", type: "post", templated: true },
      "update-user": { href: "/users/{user_id}", type: "patch", templated: true },
      "delete-user": { href: "/users/{user_id}", type: "delete", templated: true },
    };
    expect(status).toBe(200);
    expect(body.users).toEqual({
      supported_versions: ["v2", "v1"],
      v2: { ...reading, ...changing },
      v1: reading,
    });
    expect(body.tasks).toEqual({
      supported_versions: ["v1"],
      v1: {
        "list-tasks": { href: "/tasks", type: "get", templated: false },
        "list-task-counts": { href: "/task-counts", type: "get", templated: false },
        "watch-tasks": { href: "/task-events", type: "get", templated: false },
        "read-task": { href: "/tasks/{task_id}", type: "get", templated: true },
        "create-task": { href: "/tasks", type: "post", templated: false },
        "update-task": { href: "/tasks/{task_id}", type: "patch", templated: true },
        "append-task-log": { href: "/tasks/{task_id}/log", type: "post", templated: true },
        "read-task-log": { href: "/tasks/{task_id}/log", type: "get", templated: true },
        "report-tasks": { href: "/task-reports", type: "post", templated: false },
      },
    });
  });

  test("tells an owner of every resource, each with its versions newest first and an object for each", async () => {
    const { body } = await plane.ask("/", { token: plane.owner });
    expect(discoveryIndex.parse(body)).toEqual(body);
    expect(Object.keys(body)).toEqual(resources.map(({ name }) => name));
    for (const resource of resources) {
      const versions = supportedVersions(resource).map((version) => `v${version}`);
      expect(Object.keys(body[resource.name])).toEqual(["supported_versions", ...versions]);
      expect(body[resource.name].supported_versions).toEqual(versions);
    }
  });

  test.each(everything)("tells where $name is", async ({ resource, version, operation: { id, path, method } }) => {
    const { body } = await plane.ask("/", { token: plane.owner });
    expect(body[resource.name][`v${version}`][id]).toEqual({ href: path, type: method, templated: /[{}]/.test(path) });
  });

  const firstId = async ({ operation, accept }: Declared<ListOperation>): Promise<string> => {
    const { body } = await plane.ask(operation.path, { token: plane.owner, accept });
    return body._embedded.items[0].id;
  };

  test.each(readings)("leads to $name", async ({ resource, version, operation, accept }) => {
    const { body } = await plane.ask("/", { token: plane.owner });
    const { href, type } = body[resource.name][`v${version}`][operation.id];
    const ofItem = reads.filter((read) => read.operation === operation);
    const [id = ""] = await Promise.all(ofItem.map((read) => firstId(listOf(read))));
    const path = href.replace(/\{\w+\}/, id);
    const answer = await plane.ask(path, { token: plane.owner, method: type.toUpperCase(), accept });
    expect(answer.status).toBe(200);
    expect(href).not.toContain("?");
  });

  test("says the same whatever version was accepted", async () => {
    const { body } = await plane.ask("/", { token: plane.owner });
    for (const version of allVersions) {
      const accept = versionedMediaType("svc", "*", version);
      expect((await plane.ask("/", { token: plane.owner, accept })).body).toEqual(body);
    }
  });

  test.each(allVersions)("echoes version %d of everything, because some resource has it", async (version) => {
    const accept = versionedMediaType("svc", "*", version);
    const { status, headers } = await plane.ask("/", { token: plane.owner, accept });
    expect([status, headers.get("content-type")]).toEqual([200, accept]);
  });

  test.each([undefined, "", " "])("is the newest version for the Accept header %p", async (accept) => {
    const { headers } = await plane.ask("/", { token: plane.owner, ...(accept === undefined ? {} : { accept }) });
    expect(headers.get("content-type")).toBe(newest);
  });

  test.each(["*/*", "application/*", "application/json", "*/*;q=0.1", "text/html, */*"])(
    "is version 1 for the Accept header %s",
    async (accept) => {
      const { headers } = await plane.ask("/", { token: plane.owner, accept });
      expect(headers.get("content-type")).toBe("application/api.svc.*=v1+json");
    },
  );

  test.each([
    "application/api.svc.*=v99+json",
    "application/api.svc.*=v0+json",
    "application/api.acme.*=v1+json",
    "application/api.svc.users=v2+json",
    "application/api.svc.users=v2&tasks=v1+json",
    "text/html",
  ])("refuses the Accept header %s and names what there is", async (accept) => {
    const { status, body } = await plane.ask("/", { token: plane.owner, accept });
    expect([status, body.errors[0].error_code]).toEqual([406, 40601]);
    for (const version of allVersions) {
      expect(body.errors[0].error_message).toContain(versionedMediaType("svc", "*", version));
    }
  });

  test("shows a service that may call nothing only where to read who it is, and to renew its token", async () => {
    // Keys are the whole control plane's: in a unit nobody has anything to do with them.
    const role = { name: "Keys of a unit", permissions: ["keys:read"] };
    const made = await plane.ask("/roles", { method: "POST", token: plane.owner, body: role });
    const wanted = {
      name: "keys",
      kind: "service",
      role_id: made.body.id,
      organizational_unit_id: plane.units.south,
    };
    const { body: created } = await plane.ask("/api-tokens", { method: "POST", token: plane.owner, body: wanted });
    const { status, body } = await plane.ask("/", { token: created.token });
    const operations = { "read-caller": { href: "/caller", type: "get", templated: false } };
    const renewal = { "renew-api-token": { href: "/api-tokens/renew", type: "post", templated: false } };
    expect([status, body]).toEqual([
      200,
      {
        "api-tokens": { supported_versions: ["v1"], v1: renewal },
        caller: { supported_versions: ["v1"], v1: operations },
      },
    ]);
  });

  test("shows an operation to whoever holds any of its permissions", async () => {
    const reporting = await plane.ask("/", { token: plane.reporter });
    expect(Object.keys(reporting.body)).toEqual(["tasks", "api-tokens", "caller"]);
    expect(Object.keys(reporting.body.tasks.v1)).toEqual([
      "create-task",
      "update-task",
      "append-task-log",
      "report-tasks",
    ]);
    const role = { name: "Stops tasks", permissions: ["tasks:abort"] };
    const made = await plane.ask("/roles", { method: "POST", token: plane.owner, body: role });
    const wanted = { name: "stopper", kind: "service", role_id: made.body.id };
    const { body: created } = await plane.ask("/api-tokens", { method: "POST", token: plane.owner, body: wanted });
    const { body } = await plane.ask("/", { token: created.token });
    expect(body).toEqual({
      tasks: {
        supported_versions: ["v1"],
        v1: { "update-task": { href: "/tasks/{task_id}", type: "patch", templated: true } },
      },
      "api-tokens": expect.anything(),
      caller: expect.anything(),
    });
  });

  test("shows what the caller may do in the unit of the request", async () => {
    const mixed = await plane.addUser({
      roles: [{ role: "reporter" }, { role: "viewer", unitId: plane.units.south }],
    });
    const { token } = await plane.personalToken(mixed);
    // People may always manage what is their own.
    expect(Object.keys((await plane.ask("/", { token })).body)).toEqual(["tasks", "api-tokens", "views", "caller"]);
    const { body } = await plane.ask("/", { token, unit: plane.units.south });
    expect(Object.keys(body)).toEqual([
      ...["users", "tasks", "monitors", "entities", "organizational-units", "roles", "api-tokens", "views", "caller"],
    ]);
    expect(Object.keys(body.tasks.v1)).toEqual([
      "list-tasks",
      "list-task-counts",
      "watch-tasks",
      "read-task",
      "create-task",
      "update-task",
      "append-task-log",
      "read-task-log",
      "report-tasks",
    ]);
  });

  test.each(lists)("and $name agree on who may call it", async ({ operation, accept }) => {
    const { status, body } = await plane.ask(operation.path, { token: plane.reporter, accept });
    expect([status, body.errors[0].error_code]).toEqual([403, 40302]);
    expect(body.errors[0].error_message).toContain(String(operation.permission));
  });

  test("takes no parameters", async () => {
    const { status, body } = await plane.ask("/?limit=1", { token: plane.owner });
    expect([status, body]).toEqual([
      400,
      {
        errors: [
          { error_code: 40001, error_message: 'There is no parameter "limit" here. It takes none.', field: "limit" },
        ],
      },
    ]);
  });

  test("has an ETag and answers HEAD", async () => {
    const { headers, text } = await plane.ask("/", { token: plane.owner });
    const etag = String(headers.get("etag"));
    const again = await plane.ask("/", { token: plane.owner, headers: { "If-None-Match": etag } });
    expect([again.status, again.text]).toEqual([304, ""]);
    const head = await plane.ask("/", { token: plane.owner, method: "HEAD" });
    expect([head.status, head.text, head.headers.get("content-length")]).toEqual([200, "", String(text.length)]);
  });
});
