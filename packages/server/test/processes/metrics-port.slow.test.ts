import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { findFreePort } from "../free-port";
import { makeFolder } from "../harness";
import { startInVain, startProcess } from "../process";

const open = { HOLDFAST_METRICS_TOKEN: "" };
const infoIn = (text: string) => /^holdfast_info\{version="[^"]+",pid="(\d+)"\} 1$/m.exec(text)?.[1];

test.each(["1", "2"])("metrics have a port of their own, which %s processes share", async (processes) => {
  const port = await findFreePort();
  const flags = { processes, metrics_listen: `127.0.0.1:${port}`, base_url: "https://backup.example.org" };
  const api = String(await findFreePort());
  const server = await startProcess({ flags: { ...flags, port: api }, environment: open });
  const beside = await server.ask("/metrics");
  const answers = [];
  for (let count = 0; count < 20; count++) {
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`, { headers: { Connection: "close" } });
    answers.push([answer.status, infoIn(await answer.text())]);
  }
  expect(beside.status).toBe(404);
  expect(answers).toEqual(answers.map(() => [200, expect.stringMatching(/^\d+$/)]));
  expect(await server.stop()).toBe(0);
  await expect(fetch(`http://127.0.0.1:${port}/metrics`)).rejects.toThrow();
  rmSync(server.folder, { recursive: true });
});

test.each(["1", "2"])("a port for metrics that is taken is refused at the start: %s processes", async (processes) => {
  const taken = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  const folder = makeFolder();
  const flags = { processes, metrics_listen: `127.0.0.1:${taken.port}` };
  expect(await startInVain({ folder, flags, environment: open })).toEqual({
    exitCode: 1,
    output: "",
    errors: `holdfast: Port ${taken.port} of 127.0.0.1 is in use. Stop what listens there, or choose another one with --metrics-listen.\n`,
  });
  await taken.stop(true);
  rmSync(folder, { recursive: true });
});
