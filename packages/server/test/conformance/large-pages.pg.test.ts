import { afterAll, beforeAll, expect, test } from "bun:test";
import { createApp } from "../../src/http/app";
import { listen } from "../../src/http/listen";
import { openPlane, type Plane } from "../harness";

let plane: Plane;
let server: ReturnType<typeof listen>;
let token: string;
beforeAll(async () => {
  plane = await openPlane({ rate_limit: "0" });
  token = (await plane.serviceToken("viewer")).token;
  await plane.addTasks(Array.from({ length: 120 }, () => ({})));
  const app = createApp(plane.service);
  server = listen({ host: "127.0.0.1", port: 0, answer: (...given) => app.fetch(...given) });
});
afterAll(async () => {
  await server.stop();
  await plane.close();
});

/** The page without its cursors, which on PostgreSQL name the transactions that other databases of the server have open. */
const parsePage = (text: string) => JSON.parse(text.replaceAll(/&cursor=[\w-]+/g, "") || "null");

async function ask(path: string): Promise<string> {
  const headers = { Authorization: `Bearer ${token}` };
  return (await fetch(`http://127.0.0.1:${server.port}${path}`, { headers })).text();
}

test("a large page is whole, whether it is asked for once, by several at once, again, or after a change", async () => {
  for (let round = 0; round < 5; round++) {
    const pages = Array.from({ length: 8 }, (_, n) => `/tasks?limit=${60 + 8 * round + n}`);
    const [once = "", ...others] = pages;
    const asked = [once, ...others, ...others, ...others];
    const answers = [await Promise.all(asked.map(ask)), await Promise.all(asked.map(ask))];
    const expected = await Promise.all(
      asked.map(async (path) => parsePage(await plane.request(path, { token }).then((answer) => answer.text()))),
    );
    for (const texts of answers) expect(texts.map(parsePage)).toEqual(expected);
    expect(Math.min(...answers.flat().map(({ length }) => length))).toBeGreaterThan(16_384);
    await plane.addTasks([{}]);
  }
});
