import { fileURLToPath } from "node:url";

/** A request that was answered. */
export interface LoopAnswer {
  status: number;
  /** Milliseconds from the moment at which it was due: waiting for a connection counts. */
  took: number;
  saysWhenToRetry: boolean;
}

/** Who asks, and what. */
export interface Asking {
  url: string;
  /** Of several, each request has the next one; with an empty list all are anonymous. */
  token: string | readonly string[];
  /** Paths to request, one after the other and again from the first. */
  paths: readonly string[];
  seconds: number;
}

/** Input of the clients. */
export interface LoopPlan extends Asking {
  /** Number of requests that are due in a second; undefined if a few clients ask as fast as they are answered. */
  perSecond?: number;
  /** The number of these clients, if it is not the default. */
  connections?: number;
  /** True if each of their requests has a new connection. */
  reconnects?: boolean;
  /** True if they attack those who ask at the same time. */
  isAttack?: boolean;
}

/** Output of the clients: the same place in each list is the same answer. */
export interface Answers {
  took: number[];
  status: number[];
  saysWhenToRetry: number[];
  /** Total time in milliseconds. */
  milliseconds: number;
}

const clients = fileURLToPath(new URL("./clients.ts", import.meta.url));

/** Asks from a process of its own. */
async function ask(question: LoopPlan): Promise<Answers> {
  // Attackers have machines of their own: here they must not take the processor from those whose waits are measured.
  const command = question.isAttack ? ["nice", "-n", "19"] : [];
  const child = Bun.spawn([...command, process.execPath, clients], {
    stdin: new Blob([JSON.stringify(question)]),
    stdout: "pipe",
    stderr: "inherit",
  });
  const answers: Answers = await child.stdout.json();
  await child.exited;
  return answers;
}

/** Number of requests that are answered in a second where a few clients ask one after the other. */
export async function measureCapacity(asking: Asking): Promise<number> {
  const { took, milliseconds } = await ask(asking);
  return (1000 * took.length) / milliseconds;
}

/** Sends requests when they are due, whether or not the service keeps up. */
export async function askInOpenLoop(asking: LoopPlan & { perSecond: number }): Promise<LoopAnswer[]> {
  return listAnswers(await ask(asking));
}

/** Sends requests over so many connections, the next as soon as the one before is answered. */
export async function askInClosedLoop(asking: LoopPlan & { connections: number }): Promise<LoopAnswer[]> {
  return listAnswers(await ask(asking));
}

function listAnswers({ took, status, saysWhenToRetry }: Answers): LoopAnswer[] {
  return took.map((time, n) => ({ took: time, status: status[n] ?? 0, saysWhenToRetry: saysWhenToRetry[n] === 1 }));
}

/** More than a service remembers. */
const manyPaths = 20_000;

/** Any page of so many tasks, another one each time or spelt differently, so that none is remembered. */
export function anyPages(tasks: number): string[] {
  const pages = Math.ceil(tasks / 100);
  const spelling = (n: number) => "&".repeat(1 + Math.floor(n / pages));
  return Array.from({ length: manyPaths }, (_, n) => `/tasks?limit=100${spelling(n)}start=${1 + ((n * 7919) % pages)}`);
}

/** The time within which so large a part was answered. */
export function percentile(answers: readonly LoopAnswer[], part: number): number {
  const times = answers.map(({ took }) => took).sort((a, b) => a - b);
  return times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0;
}
