import { join } from "node:path";

/** A request that was answered. */
export interface Answer {
  status: number;
  /** Milliseconds from the moment at which it was due: waiting for a connection counts. */
  took: number;
  saysWhenToRetry: boolean;
}

/** Who asks, and what. */
export interface Asking {
  url: string;
  token: string;
  /** What is asked for, one after the other and again from the first. */
  paths: readonly string[];
  seconds: number;
}

/** What the clients are given. */
export interface Question extends Asking {
  /** How many requests are due in a second. Undefined where a few clients ask as fast as they are answered. */
  perSecond?: number;
}

/** What the clients write: the same place in each list is the same answer. */
export interface Answers {
  took: number[];
  status: number[];
  saysWhenToRetry: number[];
  /** How long all of it took. */
  milliseconds: number;
}

/** Asks from a process of its own. */
async function ask(question: Question): Promise<Answers> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "clients.ts")], {
    stdin: new Blob([JSON.stringify(question)]),
    stdout: "pipe",
    stderr: "inherit",
  });
  const answers: Answers = await child.stdout.json();
  await child.exited;
  return answers;
}

/** How many requests are answered in a second where a few clients ask one after the other. */
export async function measureCapacity(asking: Asking): Promise<number> {
  const { took, milliseconds } = await ask(asking);
  return (1000 * took.length) / milliseconds;
}

/** Sends requests when they are due, whether or not the service keeps up. */
export async function askInOpenLoop(asking: Asking & { perSecond: number }): Promise<Answer[]> {
  const { took, status, saysWhenToRetry } = await ask(asking);
  return took.map((time, n) => ({ took: time, status: status[n] ?? 0, saysWhenToRetry: saysWhenToRetry[n] === 1 }));
}

/** All pages of so many tasks, none of them beside its neighbours: another one each time, so that few are remembered. */
export function allPages(tasks: number): string[] {
  const pages = tasks / 100;
  return Array.from({ length: pages }, (_, n) => `/tasks?limit=100&start=${1 + ((n * 7919) % pages)}`);
}

/** The time within which so large a part was answered. */
export function percentile(answers: readonly Answer[], part: number): number {
  const times = answers.map(({ took }) => took).sort((a, b) => a - b);
  return times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0;
}
