import { afterAll, expect, test } from "bun:test";
import { createApp } from "../../src/http/app";
import { listen } from "../../src/http/listen";
import { type Ask, openPlane } from "../harness";

// From the second time on the body comes from the cache.
const plane = await openPlane();
await plane.addTasks(Array.from({ length: 150 }, () => ({})));
const { token } = await plane.serviceToken("viewer");
const app = createApp(plane.service);
const listener = listen({
  host: "127.0.0.1",
  port: 0,
  answer: (request, connection) => app.fetch(request, connection),
});
afterAll(async () => {
  await listener.stop();
  await plane.close();
});

async function askOften(path: string, ask: Ask, times = 5) {
  const answers = [];
  for (let time = 0; time < times; time++) answers.push(await plane.ask(path, ask));
  return answers;
}

/** Parts of an answer that must be equal each time: all but the name of the request. */
function comparable({ status, headers, text }: Awaited<ReturnType<typeof plane.ask>>) {
  const { "x-request-id": _, ...others } = Object.fromEntries(headers);
  return { status, others, text };
}

test.each(["/tasks?limit=100", "/tasks?limit=2", "/users", "/tasks/unknown", "/tasks?limit=0"])(
  "%s is answered in the same way each time",
  async (path) => {
    const answers = (await askOften(path, { token })).map((answer) => JSON.stringify(comparable(answer)));
    expect(answers).toEqual(answers.map(() => String(answers[0])));
  },
);

test("a large page over a socket has the same bytes and headers each time", async () => {
  const url = `http://127.0.0.1:${listener.port}/tasks?limit=100`;
  const get = async (init: RequestInit = {}) => {
    const answer = await fetch(url, {
      ...init,
      headers: { Authorization: `Bearer ${token}`, "Accept-Encoding": "identity", ...init.headers },
    });
    return { headers: answer.headers, text: await answer.text(), status: answer.status };
  };
  const answers = [await get(), await get(), await get(), await get()];
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(answers[0]?.text.length).toBeGreaterThan(16_384);
  const named = ["content-length", "content-type", "etag", "vary", "cache-control"];
  const headers = answers.map((answer) => named.map((name) => answer.headers.get(name)));
  expect(headers).toEqual(Array.from(headers, () => headers[0] ?? []));
  expect(headers[0]?.[0]).toBe(String(answers[0]?.text.length));
  const [, , etag] = headers[0] ?? [];
  expect((await get({ headers: { "If-None-Match": String(etag) } })).status).toBe(304);
  const head = await get({ method: "HEAD" });
  expect([head.status, head.text, head.headers.get("content-length")]).toEqual([200, "", headers[0]?.[0] ?? ""]);
});

test("another Accept, another unit and another token are each looked at", async () => {
  const path = "/tasks?limit=3";
  await askOften(path, { token });
  const version = (accept: string) => plane.ask(path, { token, accept });
  expect((await version("application/api.svc.tasks=v9+json")).status).toBe(406);
  expect((await plane.ask(path, { token, unit: "not a unit" })).status).toBe(400);
  const unit = await plane.addUnit("Empty");
  expect((await askOften(path, { token, unit })).map(({ body }) => body.total_count)).toEqual([0, 0, 0, 0, 0]);
  expect((await plane.ask(path, { token: `${token}x` })).status).toBe(401);
  expect((await plane.ask(path)).status).toBe(401);
  expect((await plane.ask(path, { token })).body.total_count).toBe(150);
});

test("each time is logged, and counted against the limit", async () => {
  const limited = await openPlane({ rate_limit: "2" });
  const { token, id } = await limited.serviceToken("viewer");
  const answers = [];
  for (let time = 0; time < 6; time++) answers.push(await limited.ask("/tasks", { token, peer: "192.0.2.7" }));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429, 429]);
  limited.service.log.flush();
  const lines = limited.logged.join("").trimEnd().split("\n");
  const requests = lines.map((line) => JSON.parse(line)).filter(({ path }) => path === "/tasks");
  expect(requests.map(({ caller, peer, path, status }) => [caller, peer, path, status])).toEqual(
    answers.map(({ status }) => [id, "192.0.2.7", "/tasks", status]),
  );
  expect(requests.slice(0, 4).map((one) => one.organizational_unit_id)).toEqual(
    Array.from({ length: 4 }, () => requests[0]?.organizational_unit_id),
  );
  await limited.close();
});
