import { expect, test } from "bun:test";
import { bodyOf, defaultVersion } from "@holdfast/api/conventions/operation";
import { camelCase, methodName, pathVariables } from "@holdfast/api/reference/client-methods";
import { describeResources } from "@holdfast/api/resources/discovery";
import { resources } from "@holdfast/api/resources/index";
import { connect, type Fetch } from "../src/index";

interface SentRequest {
  method: string;
  path: string;
  accept: string | null;
  body: unknown;
}

const page = { _embedded: { items: [{ id: "1" }] }, _links: {} };

/** A service that offers every operation, and what it was asked for. */
function createService() {
  const requests: SentRequest[] = [];
  const fetch: Fetch = async (url, init) => {
    const path = url.replace("http://holdfast.example", "");
    const headers = new Headers(init.headers);
    if (path === "/") {
      const type = { "Content-Type": "application/api.svc.*=v2+json" };
      return Response.json(
        describeResources(resources, () => true),
        { headers: type },
      );
    }
    const body = init.body === undefined ? undefined : JSON.parse(String(init.body));
    requests.push({ method: init.method ?? "", path, accept: headers.get("accept"), body });
    return new Response(path.startsWith("/task-events") ? "event: reset\ndata: {}\n\n" : JSON.stringify(page));
  };
  return { requests, fetch };
}

const declared = resources.flatMap((resource) =>
  resource.versions
    .filter(({ version }) => version === defaultVersion(resource))
    .flatMap(({ version, operations }) =>
      operations.map((operation) => ({ id: operation.id, name: resource.name, version, operation })),
    ),
);

test.each(declared.map((one) => [one.id, one] as const))(
  "%s is a method of its resource, which sends what it is given",
  async (_, { name, version, operation }) => {
    const { requests, fetch } = createService();
    const client = connect({ token: "t", baseUrl: "http://holdfast.example", retries: 0, fetch });
    const ids = pathVariables(operation).map((_, index) => `${index + 1}`);
    const body = bodyOf(operation) ? { id: "own", field: "value" } : undefined;
    const method = Reflect.get(Reflect.get(client, camelCase(name)), methodName(name, operation));
    const returned = method(...ids, ...(body ? [body] : []), { signal: undefined });
    for await (const _ of operation.kind === "list" || operation.kind === "watch" ? returned : [await returned]) break;
    const path = operation.path.replace(/\{\w+\}/g, () => ids.shift() ?? "");
    const accept = `application/api.svc.${name}=v${version}+json`;
    expect(requests).toEqual([{ method: operation.method.toUpperCase(), path, accept, body }]);
  },
);

test("options that are query parameters are sent as the API spells them", async () => {
  const { requests, fetch } = createService();
  const client = connect({ token: "t", baseUrl: "http://holdfast.example", retries: 0, fetch });
  await client.tasks.counts({ timeZone: "Europe/Berlin", groupBy: ["outcome", "type"], limit: 3 }).page();
  await client.tasks.readLog("7", { tail: 4_096 });
  await client.organizationalUnits.delete("8", { moveTo: "9", ifMatch: "x" });
  expect(requests.map(({ path }) => path)).toEqual([
    "/task-counts?time_zone=Europe%2FBerlin&group_by=outcome%2Ctype&limit=3",
    "/tasks/7/log?tail=4096",
    "/organizational-units/8?move_to=9",
  ]);
});

test("a task that is created gets an id of its own, unless it has one", async () => {
  const { requests, fetch } = createService();
  const client = connect({ token: "t", baseUrl: "http://holdfast.example", retries: 0, fetch });
  await client.tasks.create({ category: "backup", type: "a" });
  expect(requests.map(({ body }) => body)).toEqual([
    { id: expect.stringMatching(/^[0-9a-f-]{36}$/), category: "backup", type: "a" },
  ]);
});
