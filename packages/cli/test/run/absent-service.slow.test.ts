import { afterAll, expect, test } from "bun:test";
import { connect, createServer, type Socket } from "node:net";
import { timeLimit } from "../../../server/test/runs";
import { holdfast, makeRunFolder, run, spooled } from "./runner";

const folder = makeRunFolder();
const undo: (() => unknown)[] = [folder.remove];
afterAll(async () => {
  for (const one of undo.reverse()) await one();
});

/** A service that takes connections and never says a word. */
async function startSilent(): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => void sockets.add(socket.on("error", () => {})));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  undo.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
}

/** A proxy whose service is away. */
function startProxy(): string {
  const server = Bun.serve({ port: 0, fetch: () => new Response("Bad Gateway", { status: 502 }) });
  undo.push(() => server.stop(true));
  return `http://127.0.0.1:${server.port}`;
}

/** An address at which a connection is neither taken nor refused: its queue is full, and nobody works it off. */
async function startBlackHole(): Promise<string> {
  const listen = `require("node:net").createServer(() => {}).listen({ port: 0, host: "127.0.0.1", backlog: 1 },
    function () { console.log(this.address().port); })`;
  const child = Bun.spawn([process.execPath, "-e", listen], { stdout: "pipe", stdin: "ignore" });
  undo.push(() => child.kill("SIGKILL"));
  const port = Number(new TextDecoder().decode((await child.stdout.getReader().read()).value));
  process.kill(child.pid, "SIGSTOP");
  for (let isTaken = true; isTaken; ) {
    const socket = connect(port, "127.0.0.1").on("error", () => {});
    undo.push(() => socket.destroy());
    isTaken = await Promise.race([
      new Promise<boolean>((resolve) => socket.once("connect", () => resolve(true))),
      Bun.sleep(300).then(() => false),
    ]);
  }
  return `http://127.0.0.1:${port}`;
}

const services: [name: string, start: () => Promise<string> | string][] = [
  ["that refuses connections", () => "http://127.0.0.1:9"],
  ["that takes connections and never answers", startSilent],
  ["that is not reached at all", startBlackHole],
  ["behind a proxy that answers for it", startProxy],
  ["whose name is not known", () => "http://holdfast.invalid"],
];

async function timed(flags: readonly string[], url: string): Promise<number> {
  const startedAt = performance.now();
  const argv = [...holdfast, "run", "--quiet", "--url", url, "--spool-dir", folder.spool, ...flags, "--"];
  const { exitCode } = await run([...argv, "sh", "-c", "sleep 0.2; exit 3"], { cwd: folder.path });
  expect(exitCode).toBe(3);
  return performance.now() - startedAt;
}

test.each(services)(
  "a service %s costs a run at most 300 ms, and its end waits in the spool",
  async (_, start) => {
    const url = await start();
    const before = spooled(folder.spool).length;
    // The lowest of some: other work on the machine makes a run slower, never quicker.
    const bare: number[] = [];
    const ours: number[] = [];
    for (let round = 0; round < 3; round++) {
      bare.push(await timed(["--linger", "0s"], url));
      ours.push(await timed([], url));
    }
    expect(Math.min(...ours) - Math.min(...bare)).toBeLessThan(timeLimit(600));
    expect(spooled(folder.spool)).toHaveLength(before + 6);
  },
  120_000,
);

test("a time that was asked for is waited in any case", async () => {
  expect(await timed(["--linger", "2s"], await startSilent())).toBeGreaterThan(2_000);
}, 120_000);
