import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { versionedMediaType } from "@holdfast/api/conventions/media-type";
import { resources } from "@holdfast/api/resources/index";
import { defaultMediaType, lists, readings } from "./declared";
import { openSeededPlane, type SeededPlane } from "./seeded-plane";

let plane: SeededPlane;
beforeAll(async () => {
  plane = await openSeededPlane();
});
afterAll(() => plane.close());

const type = (pairs: string) => `application/api.svc.${pairs}+json`;

async function served(path: string, accept?: string): Promise<string> {
  const { status, headers, body } = await plane.ask(path, {
    token: plane.owner,
    ...(accept === undefined ? {} : { accept }),
  });
  return status === 200 ? String(headers.get("content-type")) : `${status} ${body.errors[0].error_code}`;
}

describe.each(lists)("$name", ({ resource, version, operation, accept }) => {
  const asked = (given: string) => served(operation.path, given);

  test("is served to whoever asks for it, and says so in Content-Type", async () => {
    expect(await asked(accept)).toBe(accept);
  });

  test("is served in any letter case and with space around it", async () => {
    expect(await asked(accept.toUpperCase())).toBe(accept);
    expect(await asked(`  ${accept} \t; q=0.4  `)).toBe(accept);
  });

  test("is served to whoever asks for this version of everything", async () => {
    expect(await asked(type(`*=v${version}`))).toBe(accept);
  });

  test("is served where the resource is named beside everything, in both orders", async () => {
    expect(await asked(type(`*=v99&${resource.name}=v${version}`))).toBe(accept);
    expect(await asked(type(`${resource.name}=v${version}&*=v99`))).toBe(accept);
  });

  test("is served where it is the best of a list that we have", async () => {
    expect(await asked(`text/html, ${type(`${resource.name}=v99`)}, ${accept};q=0.1`)).toBe(accept);
    expect(await asked(`*/*;q=0.5, ${accept}`)).toBe(accept);
    expect(await asked(`*/*, application/*, application/json, ${accept}`)).toBe(accept);
  });
});

describe.each([...resources])("$name", (resource) => {
  const { path } = readings.find((one) => one.resource === resource)?.operation ?? { path: "" };
  const all = readings.filter((one) => one.resource === resource).map(({ accept }) => accept);

  test.each([
    undefined,
    "",
    "  ",
    "*/*",
    "application/*",
    "application/json",
    "APPLICATION/JSON;q=0.2",
    "text/html, */*;q=0.1",
  ])("comes in its default version for the Accept header %p", async (accept) => {
    expect(await served(path, accept)).toBe(defaultMediaType(resource));
  });

  test.each([
    type(`${resource.name}=v99`),
    type("*=v99"),
    type(`${resource.name}=v0`),
    type(`${resource.name}=v01`),
    type("nothing=v1"),
    `application/api.acme.${resource.name}=v1+json`,
    `application/api.svc.${resource.name}=v1`,
    "text/html",
    "application/xml",
    "nonsense",
    `${versionedMediaType("svc", resource.name, 1)};q=0`,
  ])("refuses the Accept header %s and names what there is", async (accept) => {
    const { status, headers, body } = await plane.ask(path, { token: plane.owner, accept });
    expect([status, body.errors.length, body.errors[0].error_code]).toEqual([406, 1, 40601]);
    expect(headers.get("content-type")).toBe("application/json");
    for (const offered of all) expect(body.errors[0].error_message).toContain(offered);
  });

  test("is not served under the name of another resource", async () => {
    const others = readings.filter((one) => one.resource !== resource);
    for (const { accept } of others) expect(await served(path, accept)).toBe("406 40601");
  });
});

describe("the versions of users and tasks", () => {
  test.each([
    ["/users", undefined, "users=v2"],
    ["/users", type("*=v1"), "users=v1"],
    ["/users", type("*=v2"), "users=v2"],
    ["/users", type("*=v2&tasks=v1"), "users=v2"],
    ["/users", type("tasks=v1&users=v1"), "users=v1"],
    ["/users", type("*=v2&users=v1"), "users=v1"],
    ["/users", `${type("users=v1")}, ${type("users=v2")}`, "users=v1"],
    ["/users", `${type("users=v2")}, ${type("users=v1")}`, "users=v2"],
    ["/users", `${type("users=v1")};q=0.5, ${type("users=v2")};q=0.6`, "users=v2"],
    ["/users", `${type("*=v2")}, ${type("users=v1")}`, "users=v1"],
    ["/users", `application/json, ${type("*=v1")}`, "users=v1"],
    ["/users", `application/json;q=1, ${type("users=v1")};q=0.999`, "users=v2"],
    ["/tasks", undefined, "tasks=v1"],
    ["/tasks", type("*=v1"), "tasks=v1"],
    ["/tasks", type("*=v2&tasks=v1"), "tasks=v1"],
    ["/tasks", `${type("*=v2")}, ${type("*=v1")};q=0.1`, "tasks=v1"],
  ])("%s with Accept %p is served as %s", async (path, accept, pair) => {
    expect(await served(path, accept)).toBe(type(pair));
  });

  test.each([
    ["/tasks", type("*=v2")],
    ["/tasks", type("tasks=v2")],
    ["/tasks", type("*=v1&tasks=v2")],
    ["/tasks", type("users=v1")],
    ["/users", type("users=v3")],
    ["/users", type("*=v1&users=v3")],
    ["/users", type("users=v1&users=v2")],
    ["/users", `${type("users=v2")};q=0, ${type("users=v1")};q=0, application/json`],
  ])("%s with Accept %s is refused", async (path, accept) => {
    expect(await served(path, accept)).toBe("406 40601");
  });

  test("a user in version 1 has five fields, and in version 2 twelve", async () => {
    const fields = async (version: number) => {
      const { body } = await plane.ask("/users", { token: plane.owner, accept: type(`users=v${version}`) });
      return Object.keys(body._embedded.items[0]);
    };
    const five = ["id", "email", "full_name", "is_confirmed", "is_enabled"];
    expect(await fields(1)).toEqual(five);
    expect(await fields(2)).toEqual([
      ...five,
      "access_control_configuration",
      "organizational_unit_count",
      "time_zone",
      "inviter",
      "last_activity_timestamp",
      "created_timestamp",
      "_links",
    ]);
  });
});

test("an Accept header may have 20 entries and 1024 characters", async () => {
  expect(await served("/users", Array(20).fill("*/*").join())).toBe(type("users=v2"));
  expect(await served("/users", Array(21).fill("*/*").join())).toBe("400 40014");
  expect(await served("/users", `*/*;${"x".repeat(1021)}`)).toBe("431 43101");
});
