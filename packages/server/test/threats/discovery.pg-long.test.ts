import { afterAll, expect, test } from "bun:test";
import { isReadOperation, itemVariable } from "@holdfast/api/conventions/operation";
import { type DefaultRole, defaultRoles } from "@holdfast/api/conventions/permissions";
import { exampleQuery } from "@holdfast/api/reference/examples";
import { resources } from "@holdfast/api/resources/index";
import { reads } from "../conformance/declared";
import { openPlane, root } from "../harness";
import { prepareIn } from "../samples/samples";

const plane = await openPlane();
afterAll(plane.close);
const { token: owner } = await plane.serviceToken("owner");

/** An item for each variable of a path. */
const ids: Record<string, string> = {};
for (const { operation } of reads) {
  const { itemId = "" } = await prepareIn({ ...plane, owner }, root, operation.id);
  ids[itemVariable(operation) ?? ""] = itemId;
}

/** Every operation of every version, and a real address for it. */
const operations = resources.flatMap((resource) =>
  resource.versions.flatMap(({ version, operations }) =>
    operations.map((operation) => ({
      id: operation.id,
      resource: resource.name,
      version,
      href: operation.path,
      method: operation.method.toUpperCase(),
      // A change is asked for with a body that nothing takes: that is told only to who may make it.
      good: isReadOperation(operation) ? 200 : 422,
      body: isReadOperation(operation) ? {} : { body: { nonsense: 1 } },
      address: operation.path.replace(/\{(\w+)\}/, (_, name: string) => ids[name] ?? "") + exampleQuery(operation),
    })),
  ),
);

const roles = Object.keys(defaultRoles).filter((name): name is DefaultRole => name in defaultRoles);

test.each(roles)("T29: %s can call every operation that discovery lists, and none that it does not", async (role) => {
  const { token } = await plane.serviceToken(role);
  const { body: index } = await plane.ask("/", { token });
  for (const { id, resource, version, href, method, address, good, body } of operations) {
    const listed = index[resource]?.[`v${version}`]?.[id];
    const accept = `application/api.svc.${resource}=v${version}+json`;
    const { status } = await plane.ask(address, { token, accept, method, ...body });
    expect([id, version, status]).toEqual([id, version, listed ? good : 403]);
    expect(listed?.href ?? href).toBe(href);
  }
  expect(Object.keys(index).length).toBeGreaterThan(1);
});

test("T29: an unlisted operation answers the same for an item that exists and one that does not", async () => {
  const { token } = await plane.serviceToken("reporter");
  const existing = await plane.ask(`/tasks/${ids.task_id}`, { token });
  const missing = await plane.ask("/tasks/00000000-0000-7000-8000-999999999999", { token });
  expect([existing.status, existing.text]).toEqual([missing.status, missing.text]);
});

const forwarded = [
  "x-forwarded-host",
  "x-host",
  "x-original-host",
  "forwarded",
  "x-forwarded-server",
  "x-original-url",
];

test("T29: what headers say of the host never comes back", async () => {
  const { token } = await plane.serviceToken("owner");
  for (const path of [
    "/",
    "/users?limit=1",
    "/tasks?limit=1",
    `/tasks/${ids.task_id}`,
    "/docs",
    "/openapi.json",
    "/nowhere",
  ]) {
    const headers = Object.fromEntries(forwarded.map((name) => [name, "evil.example"]));
    const answer = await plane.ask(path, { token, headers });
    expect(`${answer.text}${JSON.stringify([...answer.headers])}`).not.toContain("evil.example");
    const wrongHost = await plane.ask(path, { token, headers: { host: "evil.example" } });
    expect([wrongHost.status, wrongHost.body.errors[0].error_code]).toEqual([400, 40012]);
    expect(`${wrongHost.text}${JSON.stringify([...wrongHost.headers])}`).not.toContain("evil.example");
  }
});

test("T29: every link is a path below the base URL", async () => {
  const { token } = await plane.serviceToken("owner");
  for (const path of ["/", "/users?limit=1", "/tasks?limit=1", `/tasks/${ids.task_id}`, `/users/${ids.user_id}`]) {
    const { text } = await plane.ask(path, { token });
    const hrefs = [...text.matchAll(/"href":"([^"]*)"/g)].map((match) => match[1]);
    expect(hrefs.length).toBeGreaterThan(0);
    for (const href of hrefs) expect(href).toMatch(/^\/[a-z]/);
  }
});
