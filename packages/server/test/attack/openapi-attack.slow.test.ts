import { afterAll, beforeAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { type ServerProcess, startProcess } from "../process";
import { createDice } from "../random";
import { size } from "../runs";
import { type AttackedWorld, fillWorld, learn, letOwnerIn, pick } from "./attacked-world";
import { breakRequest, writeRequest } from "./break-request";
import { type DescribedOperation, readDescription } from "./described-operations";
import { faultOf } from "./judge-answer";
import { RawClient } from "./raw-client";
import { makeValid, neverDone } from "./valid-request";

const count = size({ default: 600, long: 100_000 });
const seed = Number(process.env.HOLDFAST_TEST_SEED ?? 20_261_115);
const connections = 8;
const wholeRounds = 6;
/** Operations that end the session that further requests need, or change the password. */
const endsAccess = ["sign-out", "sign-out-everywhere", "change-password", "retire-key"];

/** Results of all requests. */
interface Figures {
  statuses: Map<string, number>;
  faults: string[];
  slowest: { duration: number; what: string };
  /** Operations that were done as they are meant to be. */
  done: Set<string>;
}

/** Sends one request, whole or broken, and looks at what comes back. */
async function attack(
  operation: DescribedOperation,
  client: RawClient,
  figures: Figures,
  isBroken: boolean,
): Promise<void> {
  const draft = makeValid(world, operation);
  const broken = isBroken ? breakRequest(world, draft) : "nothing";
  const request = writeRequest(draft);
  const answer = await client.send(request);
  const status = String(answer.status);
  figures.statuses.set(status, (figures.statuses.get(status) ?? 0) + 1);
  learn(world, operation, answer);
  const what = `${operation.id}, broken: ${broken}`;
  if (answer.duration > figures.slowest.duration) figures.slowest = { duration: answer.duration, what };
  const expected = neverDone[operation.id];
  const isDone = expected === undefined ? goodStatuses(operation).includes(answer.status) : answer.status === expected;
  if (isDone) figures.done.add(operation.id);
  const fault = faultOf(draft, answer);
  if (fault !== undefined) {
    figures.faults.push(
      `${fault}: ${status} to ${request.method} ${request.target}, ${what}: ${answer.text.slice(0, 300)}`,
    );
  }
  const isKeptOut = !isBroken && answer.status === 401;
  if (isKeptOut || (answer.status === 204 && endsAccess.includes(operation.id))) await letOwnerIn(world);
}

/** Passwords cost time by design, so operations that take one are tried less often. */
function chooseOperation(): DescribedOperation {
  for (;;) {
    const operation = pick(world.dice, operations);
    if (!operation) throw new Error("There are no operations.");
    const isCostly = Object.keys(operation.body?.properties ?? {}).some((name) => name.includes("password"));
    if (!isCostly || world.dice(10) === 0) return operation;
  }
}

let server: ServerProcess;
let world: AttackedWorld;
let operations: DescribedOperation[];

beforeAll(async () => {
  // Without a token, metrics are among what can be asked for.
  server = await startProcess({ flags: { log_level: "warn" }, environment: { HOLDFAST_METRICS_TOKEN: "" } });
  world = await fillWorld(await server.openBeside(), createDice(seed));
  operations = readDescription((await server.ask("/openapi.json")).text);
});

afterAll(async () => {
  await world.plane.close();
  await server.stop();
  rmSync(server.folder, { recursive: true, force: true });
});

test(
  `T28: of ${count} requests made from /openapi.json, whole ones first and then each broken in one place, none gets a 5xx, no answer, or another refusal than the envelope`,
  async () => {
    const figures: Figures = { statuses: new Map(), faults: [], slowest: { duration: 0, what: "" }, done: new Set() };
    const startedAt = performance.now();
    // Creating comes before deleting: each operation has to work at all.
    const inOrder = operations.toSorted((a, b) => order(a) - order(b));
    const first = new RawClient(server.port);
    for (let round = 0; round < wholeRounds; round++) {
      for (const operation of inOrder) await attack(operation, first, figures, false);
    }
    first.close();
    const undone = operations.filter(({ id }) => !figures.done.has(id)).map(({ id }) => id);

    let left = count - wholeRounds * operations.length;
    const attackers = Array.from({ length: connections }, async () => {
      const client = new RawClient(server.port);
      // A few stay whole, so that there are always things that others can be about.
      for (; left > 0; left--) await attack(chooseOperation(), client, figures, left % 8 !== 0);
      client.close();
    });
    await Promise.all(attackers);
    report(figures, performance.now() - startedAt);
    expect({ undone, faults: figures.faults.slice(0, 20), seed }).toEqual({ undone: [], faults: [], seed });
    expect((await server.ask("/readyz")).body).toEqual({ status: "ready" });
    expect(server.printed()).not.toContain("A request broke.");
  },
  size({ default: 60_000, long: 3_600_000 }),
);

function report({ statuses, slowest }: Figures, milliseconds: number): void {
  const counted = [...statuses].sort(([a], [b]) => a.localeCompare(b)).map(([status, times]) => `${times} × ${status}`);
  process.stderr.write(
    `${count} requests in ${Math.round(milliseconds / 1000)} s, seed ${seed}: ${counted.join(", ")}. The slowest took ${Math.round(slowest.duration)} ms: ${slowest.what}\n`,
  );
}

function goodStatuses({ responses }: DescribedOperation): (number | string)[] {
  return [...responses.keys()].filter((status) => status < 400);
}

function order({ method }: DescribedOperation): number {
  return ["POST", "PATCH", "GET", "DELETE"].indexOf(method);
}
