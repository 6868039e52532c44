import { afterAll, expect, test } from "bun:test";
import { openPlane } from "../harness";

const plane = await openPlane({ log_level: "info" });
afterAll(plane.close);
const { token } = await plane.serviceToken("viewer");

/** The operations in the log, with their levels. */
function loggedRequests(): string[] {
  plane.service.log.flush();
  const lines = plane.logged.splice(0).flatMap((text) => text.trim().split("\n"));
  return lines
    .filter((line) => line.includes('"message":"request"'))
    .map((line) => JSON.parse(line))
    .map(({ level, operation, status }) => `${level} ${operation} ${status}`);
}

test("at info, the log has no line for an ordinary request, however it was answered", async () => {
  expect((await plane.ask("/tasks", { token })).status).toBe(200);
  expect((await plane.ask("/tasks")).status).toBe(401);
  expect((await plane.ask("/healthz")).status).toBe(200);
  expect(loggedRequests()).toEqual([]);
});

test("at info, the log has sign-ins, also refused ones", async () => {
  const body = { email: "nobody@example.org", password: "correct horse battery staple" };
  expect((await plane.ask("/session", { method: "POST", body })).status).toBe(401);
  expect(loggedRequests()).toEqual(["info sign-in 401"]);
});

test("requests that fail are warnings", async () => {
  const { unitAccess } = plane.service;
  plane.service.unitAccess = () => Promise.reject(new Error("A fault."));
  expect((await plane.ask("/tasks", { token })).status).toBe(500);
  plane.service.unitAccess = unitAccess;
  expect(loggedRequests()).toEqual(["warn list-tasks 500"]);
});

test("slow requests are in the log at info", async () => {
  const { unitAccess } = plane.service;
  plane.service.unitAccess = async (...given) => {
    await Bun.sleep(1_050);
    return unitAccess(...given);
  };
  expect((await plane.ask("/tasks?limit=1", { token })).status).toBe(200);
  plane.service.unitAccess = unitAccess;
  expect(loggedRequests()).toEqual(["info list-tasks 200"]);
});
