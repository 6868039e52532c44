import { expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { loggedPath } from "./logged-path";

const uuid = randomUUID();
const key = "Zm9vYmFyYmF6cXV4MTIzNA";

test("T32: the log has no ping id and no ping key, whatever stands before it", () => {
  const prefixes = ["/ping/", "//ping/", "/PING/", "/Ping/", "/x/ping/", "/console/ping/", "/console/assets/ping/"];
  const spelt = ["/%70ing/", "/ping%2F", "/%50%49%4e%47/", "/x%2fping/", "/tasks/ping/", "\\ping\\", "/a/b/c/pInG//"];
  for (const prefix of [...prefixes, ...spelt]) {
    for (const end of [uuid, uuid.replaceAll("-", ""), uuid.toUpperCase(), `${key}/files`, `${uuid}/start`]) {
      expect([prefix, loggedPath(`${prefix}${end}`, "*")]).toEqual([prefix, "/ping/…"]);
      expect([prefix, loggedPath(`${prefix}${end}`, "/console/*")]).toEqual([prefix, "/ping/…"]);
    }
  }
});

test("T32: a path that no endpoint names is logged without what could be a ping id or a key", () => {
  const secrets = [uuid, uuid.replaceAll("-", ""), key, encodeURIComponent(key).replace("Z", "%5A")];
  for (const secret of secrets) {
    for (const [before, after] of [
      ["/", ""],
      ["/pings/", "/start"],
      ["/p/", ""],
      ["/healthchecks/", "/fail"],
      [`/${"a/".repeat(99)}`, ""],
    ] as const) {
      const logged = loggedPath(`${before}${secret}${after}`, "*");
      expect(logged).toBe(`${before}…${after}`.slice(0, 200));
    }
  }
  expect(loggedPath(`/ping${uuid}`, "*")).toBe("/…");
});

test("other paths are logged as they came, up to 200 characters", () => {
  expect(loggedPath(`/tasks/${uuid}`, "/tasks/:task_id")).toBe(`/tasks/${uuid}`);
  expect(loggedPath("/shopping/list", "*")).toBe("/shopping/list");
  expect(loggedPath("/pinging", "*")).toBe("/pinging");
  expect(loggedPath(`/tasks/${"x".repeat(300)}`, "/tasks/:task_id")).toHaveLength(200);
});
