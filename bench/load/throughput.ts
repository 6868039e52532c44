import { isRejected, withConnections } from "./connection";
import type { Ask } from "./samples";

export interface Throughput {
  /** Requests a second that were answered. */
  perSecond: number;
  rejected: number;
}

/** Measures the requests a second over some connections, each of which repeats a visit. */
export async function throughput(
  url: string,
  { connections, seconds }: { connections: number; seconds: number },
  visit: (ask: Ask) => Promise<unknown>,
): Promise<Throughput> {
  let answered = 0;
  let rejected = 0;
  const startedAt = performance.now();
  const until = startedAt + 1000 * seconds;
  await withConnections(url, connections, async (lines) => {
    const repeat = async (line: (typeof lines)[number]) => {
      const ask: Ask = async (request) => {
        const answer = await line.send(request);
        if (isRejected(answer)) rejected += 1;
        else answered += 1;
        return answer;
      };
      while (performance.now() < until) await visit(ask);
    };
    await Promise.all(lines.map(repeat));
  });
  return { perSecond: (1000 * answered) / (performance.now() - startedAt), rejected };
}
