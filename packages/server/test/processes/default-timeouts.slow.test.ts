import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { type ServerProcess, startProcess } from "../process";
import { sendRaw } from "../raw-connection";
import { connectToEach } from "./connection";

/** Does something and gives how many seconds it took. */
async function secondsOf<Result>(act: () => Promise<Result>): Promise<{ result: Result; seconds: number }> {
  const startedAt = performance.now();
  const result = await act();
  return { result, seconds: (performance.now() - startedAt) / 1000 };
}

async function stopOne(server: ServerProcess): Promise<void> {
  const [stuck] = await connectToEach(server.port, 1);
  process.kill(stuck.pid, "SIGSTOP");
}

/** Waits until the log says that a process is silent, and gives how long it was. */
async function untilFoundSilent(server: ServerProcess): Promise<string | undefined> {
  const found = () => /was silent for (\d+) s/.exec(server.printed())?.[1];
  for (const deadline = performance.now() + 60_000; performance.now() < deadline; await Bun.sleep(100)) {
    if (found() !== undefined) break;
  }
  return found();
}

test("R17 T18: the real command has the timeouts that are documented, with clients and with its processes", async () => {
  const flags = { processes: "2" };
  const [one, silent, unending] = await Promise.all([startProcess(), startProcess({ flags }), startProcess({ flags })]);
  await Promise.all([stopOne(silent), stopOne(unending)]);
  const head = "POST /session HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{";
  const [body, idle, silence, end] = await Promise.all([
    secondsOf(() => sendRaw(one.port, head, 30_000)),
    secondsOf(() => sendRaw(one.port, "", 30_000)),
    secondsOf(() => untilFoundSilent(silent)),
    secondsOf(() => unending.stop("SIGTERM")),
  ]);
  await Promise.all([one.stop(), silent.stop()]);
  for (const { folder } of [one, silent, unending]) rmSync(folder, { recursive: true });
  expect([body.result.statuses, idle.result.isClosed, silence.result, end.result]).toEqual([[408], true, "10", 1]);
  // Less would cut off those who are merely slow. How much longer it takes depends on the machine.
  expect(body.seconds).toBeGreaterThan(2.9);
  expect(idle.seconds).toBeGreaterThan(8);
  expect(silence.seconds).toBeGreaterThan(8);
  expect(end.seconds).toBeGreaterThan(14.9);
  expect(Math.max(body.seconds, idle.seconds, silence.seconds)).toBeLessThan(end.seconds + 5);
}, 120_000);
