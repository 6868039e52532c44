import type { RawSettings } from "../src/settings/settings";
import { type ServerProcess, startProcess } from "./process";

/** Outcome of a request: the status of its answer, or nothing that a client could use. */
type Outcome = number | "failed";

/** Result of a stop under load. */
export interface StopRun {
  exitCode: number;
  /** From the signal to the end. */
  took: number;
  outcomes: Outcome[];
  /** Number of answers after the server had announced its end. */
  answeredLate: number;
  isSeenGoing: boolean;
}

/**
 * Stops a server under load, as a load balancer sees it: clients go on until a second after somebody who asks now and then
 * whether the server is ready was told that it is not.
 */
export async function stopUnderLoad(server: ServerProcess, token: string): Promise<StopRun> {
  const outcomes: Outcome[] = [];
  let isOver = false;
  let isSeenGoing = false;
  let answeredLate = 0;
  const ask = (path: string) =>
    server.ask(path, { token }).then(
      ({ status }): Outcome => status,
      (): Outcome => "failed",
    );
  const client = async (path: string) => {
    while (!isOver) {
      const wasSeenGoing = isSeenGoing;
      const outcome = await ask(path);
      outcomes.push(outcome);
      answeredLate += Number(wasSeenGoing && outcome === 200);
      await Bun.sleep(2);
    }
  };
  const watch = async () => {
    while ((await ask("/readyz")) === 200) await Bun.sleep(200);
    isSeenGoing = true;
    await Bun.sleep(1_000);
    isOver = true;
  };
  const paths = ["/tasks?limit=1", "/tasks?limit=1000", "/users", "/tasks?limit=100&start=3"];
  const everybody = [watch(), ...paths.map(client)];
  await Bun.sleep(300);
  const signalledAt = performance.now();
  const exitCode = await server.stop("SIGTERM");
  const took = performance.now() - signalledAt;
  await Promise.all(everybody);
  return { exitCode, took, outcomes, answeredLate, isSeenGoing };
}

/** Starts a server with a thousand tasks, and makes a token for it. */
export async function startWithTasks(flags: RawSettings): Promise<{ server: ServerProcess; token: string }> {
  const server = await startProcess({ flags });
  const beside = await server.openBeside();
  const { token } = await beside.serviceToken("viewer");
  await beside.addTasks(Array.from({ length: 1_000 }, () => ({})));
  await beside.database.close();
  return { server, token };
}
