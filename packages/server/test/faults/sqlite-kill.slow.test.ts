import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { makeFolder } from "../harness";
import { type ServerProcess, startProcess } from "../process";
import { createDice } from "../random";
import { control, size, timeLimit } from "../runs";
import { type Findings, inspect, sound } from "./inspect-sqlite";
import { startWriter, type Way } from "./writer";
import { type Memory, nothing } from "./writer-steps";

const kills = size({ default: 4, long: 1000 });
const startTimeoutMs = timeLimit(2_000);

/** Asks again and again until the server is gone, and gives the statuses that were seen. */
async function askUntilGone(server: ServerProcess, token: string): Promise<number[]> {
  const seen = new Set<number>();
  for (; ; await Bun.sleep(5)) {
    try {
      seen.add((await server.ask("/tasks?limit=5", { token })).status);
    } catch {
      return [...seen];
    }
  }
}

/** Kills a writer, and a server that answers beside it, at a random moment, again and again on the same data. */
async function killAgainAndAgain(times: number, way: Way) {
  const folder = makeFolder();
  const dice = createDice(times);
  const first = await startProcess({ folder });
  const beside = await first.openBeside();
  const { token } = await beside.serviceToken("viewer");
  await beside.database.close();
  await first.stop();
  let memory: Memory = { ...nothing, tokens: new Map([["viewer token", false]]) };
  const faults: Findings[] = [];
  const starts: number[] = [];
  const statuses = new Set<number>();
  let acknowledged = 0;
  for (let round = 1; round <= times; round += 1) {
    const started = performance.now();
    const server = await startProcess({ folder, flags: { port: String(first.port) } });
    starts.push(performance.now() - started);
    const total = (await server.ask("/tasks?limit=1", { token })).body.total_count;
    expect(total).toBe(memory.tasks.size);
    const answers = askUntilGone(server, token);
    const writer = startWriter({ folder, seed: round, way });
    await writer.reached(1 + dice(10));
    await Bun.sleep(dice(200));
    await server.stop("SIGKILL");
    const told = await writer.kill();
    for (const status of await answers) statuses.add(status);
    const { findings, memory: found } = await inspect(folder, memory, told);
    if (!Bun.deepEquals(findings, sound)) faults.push(findings);
    memory = found;
    acknowledged += told.acknowledged;
  }
  rmSync(folder, { recursive: true });
  return { faults, slowestStart: Math.max(...starts), statuses: [...statuses], acknowledged };
}

test(
  `R1: ${kills} kills at random moments lose nothing that was acknowledged, and the service is ready again in two seconds`,
  async () => {
    const { faults, slowestStart, statuses, acknowledged } = await killAgainAndAgain(kills, "sound");
    expect(faults).toEqual([]);
    expect(statuses).toEqual([200]);
    expect(acknowledged).toBeGreaterThan(5 * kills);
    expect(slowestStart).toBeLessThan(startTimeoutMs);
  },
  kills * 10_000 + 120_000,
);

control(
  "R1: a writer that acknowledges before it writes is found out by the same kills",
  async () => {
    const faults: Findings[] = [];
    // A kill between two writes finds nothing, so it may take a few.
    for (let tried = 0; tried < 5 && faults.length === 0; tried++) {
      faults.push(...(await killAgainAndAgain(3 + tried, "early")).faults);
    }
    expect(faults).not.toEqual([]);
  },
  120_000,
);
