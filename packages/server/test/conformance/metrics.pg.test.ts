import { describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { type RawSettings, readSettings } from "../../src/settings/settings";
import { version } from "../../src/settings/version";
import { startService } from "../../src/start/start-service";
import { createLog } from "../../src/telemetry/log";
import { holdDatabase } from "../folder-database";
import { makeFolder, openPlane, readAnswer } from "../harness";

const silent = createLog({ level: "silent", output: { write: () => {}, isTerminal: false }, clock: Date.now });
const here = { base_url: "http://127.0.0.1:8080" };
const off = {
  errors: [
    {
      error_code: 40401,
      error_message:
        "There are no metrics at this address. Set metrics_token, or give them a port of their own with metrics_listen.",
    },
  ],
};

async function metricsWith(flags: RawSettings, token?: string) {
  const plane = await openPlane(flags);
  const answered = await plane.ask("/metrics", token === undefined ? {} : { token });
  await plane.close();
  return answered;
}

/** Version and process of the service, as metrics show them. */
const named = `holdfast_info{version="${version}",pid="${process.pid}"} 1`;

describe("metrics beside the API", () => {
  test("are in the text format of Prometheus, and count requests", async () => {
    const plane = await openPlane(here);
    await plane.ask("/nothing");
    const { text, headers } = await plane.ask("/metrics");
    await plane.close();
    expect(text).toMatch(/^# HELP /m);
    expect(text).toMatch(/^# TYPE \w+ (counter|gauge|histogram)$/m);
    expect(text).toMatch(/^\w+\{[^}]*404[^}]*\} \d+$/m);
    expect(headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  });

  test.each([here, { base_url: "http://localhost:8080" }, { base_url: "http://[::1]:8080", host: "::1" }])(
    "need no token while only this machine reaches them, and then name neither version nor process: %p",
    async (flags) => {
      const { status, text } = await metricsWith(flags);
      expect([status, text.includes("holdfast_requests_in_flight")]).toEqual([200, true]);
      expect(text).not.toMatch(/version=|pid=|holdfast_info/);
    },
  );

  test.each([
    { base_url: "https://backup.example.org" },
    { base_url: "http://10.0.0.1:8080" },
    { base_url: "http://127.0.0.1:8080", host: "0.0.0.0" },
  ])("are off without a token where others may reach them: %p", async (flags) => {
    const { status, body } = await metricsWith(flags);
    expect({ status, body }).toEqual({ status: 404, body: off });
    expect((await metricsWith(flags, "any")).status).toBe(404);
  });

  test("ask for a token where one is set, and then name what runs", async () => {
    for (const base_url of ["https://backup.example.org", "http://127.0.0.1:8080"]) {
      const guarded = await openPlane({ metrics_token: "let me see", base_url });
      const refused = await guarded.ask("/metrics");
      expect([refused.status, refused.body.errors[0].error_code]).toEqual([401, 40101]);
      expect(refused.headers.get("www-authenticate")).toBe('Bearer realm="holdfast metrics"');
      expect((await guarded.ask("/metrics", { token: "let me se" })).status).toBe(401);
      expect((await guarded.ask("/metrics", { token: (await guarded.serviceToken("owner")).token })).status).toBe(401);
      const shown = await guarded.ask("/metrics", { token: "let me see" });
      expect([shown.status, shown.text.split("\n")]).toEqual([200, expect.arrayContaining([named])]);
      await guarded.close();
    }
  });
});

describe("metrics on a port of their own", () => {
  async function serve(flags: RawSettings) {
    const folder = makeFolder();
    const held = await holdDatabase(folder);
    const all = { data_dir: folder, database_url: held.url, port: "0", ...flags };
    const settings = readSettings({ flags: all, environment: {}, file: null });
    const running = await startService(settings, { log: silent, onBroken: () => {} });
    const ask = async (port: number | undefined, path: string, headers: Record<string, string> = {}) =>
      readAnswer(await fetch(`http://127.0.0.1:${port}${path}`, { headers }));
    return {
      running,
      atMetrics: (path: string, headers?: Record<string, string>) => ask(running.metricsPort, path, headers),
      atApi: (path: string) => ask(running.port, path),
      async stop() {
        await running.stop({ drainSeconds: 0 });
        await held.release();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  }

  test("are there whatever the base URL is, with the requests of the API, and nothing else is", async () => {
    const { atApi, atMetrics, stop } = await serve({ metrics_listen: "0", base_url: "https://backup.example.org" });
    expect((await atApi("/metrics")).body).toEqual(off);
    const { status, text } = await atMetrics("/metrics");
    expect([status, text.split("\n")]).toEqual([
      200,
      expect.arrayContaining([named, 'holdfast_requests_total{operation="metrics",status="404"} 1']),
    ]);
    for (const path of ["/", "/tasks", "/healthz", "/metrics/x"]) {
      expect([path, (await atMetrics(path)).body]).toEqual([
        path,
        {
          errors: [
            {
              error_code: 40401,
              error_message: "This port has /metrics alone. Ask the port of the API for everything else.",
            },
          ],
        },
      ]);
    }
    await stop();
  });

  test("name neither version nor process without a token where others may reach the port", async () => {
    const { atMetrics, stop } = await serve({ metrics_listen: "0.0.0.0:0" });
    const { status, text } = await atMetrics("/metrics");
    expect([status, text.includes("holdfast_info")]).toEqual([200, false]);
    await stop();
  });

  test("ask for the token there, too, where one is set", async () => {
    const { atMetrics, stop } = await serve({ metrics_listen: "127.0.0.1:0", metrics_token: "let me see" });
    expect((await atMetrics("/metrics")).status).toBe(401);
    expect((await atMetrics("/metrics", { Authorization: "Bearer let me see" })).text).toContain(named);
    await stop();
  });

  test("end with the service, and a port that is taken is refused by the name of its setting", async () => {
    const first = await serve({ metrics_listen: "0" });
    const taken = String(first.running.metricsPort);
    await expect(serve({ metrics_listen: taken })).rejects.toThrow(
      `Port ${taken} of 127.0.0.1 is in use. Stop what listens there, or choose another one with --metrics-listen.`,
    );
    await expect(serve({ metrics_listen: "203.0.113.1:9464" })).rejects.toThrow(
      "The setting metrics_listen has to be an address of this machine, such as 127.0.0.1:9464",
    );
    await first.stop();
    await expect(fetch(`http://127.0.0.1:${taken}/metrics`)).rejects.toThrow();
  });
});
