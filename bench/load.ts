/** What a run of load came to. */
export interface LoadResult {
  perSecond: number;
  /** Milliseconds. */
  median: number;
  p99: number;
}

export interface Load {
  url: string;
  headers: Record<string, string>;
  /** Path and query of the n-th request. */
  path: (n: number) => string;
  connections: number;
  seconds: number;
}

/**
 * Sends requests over a few connections, each waiting for its answer before it asks again. It reads no more of an answer
 * than its length, so that the load costs little beside what is measured.
 */
export async function load({ url, headers, path, connections, seconds }: Load): Promise<LoadResult> {
  const { hostname, port, host } = new URL(url);
  const sentHeaders = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const until = performance.now() + seconds * 1000;
  const times: number[] = [];
  let asked = 0;

  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const finished = Promise.withResolvers<void>();
      let head = "";
      let missing = 0;
      let sentAt = 0;
      const ask = () => {
        head = "";
        sentAt = performance.now();
        return `GET ${path(asked++)} HTTP/1.1\r\nHost: ${host}\r\n${sentHeaders.join("")}\r\n`;
      };
      const socket = await Bun.connect({
        hostname,
        port: Number(port),
        socket: {
          data(connection, chunk) {
            if (head.includes("\r\n\r\n")) {
              missing -= chunk.length;
            } else {
              head += chunk.toString("latin1");
              if (!head.includes("\r\n\r\n")) return;
              missing = answerLength(head) - head.length;
            }
            if (missing > 0) return;
            times.push(performance.now() - sentAt);
            if (performance.now() < until) connection.write(ask());
            else connection.end();
          },
          close: () => finished.resolve(),
          error: (_, error) => finished.reject(error),
        },
      });
      socket.write(ask());
      await finished.promise;
    }),
  );
  const elapsed = (performance.now() - startedAt) / 1000;
  times.sort((a, b) => a - b);
  return { perSecond: times.length / elapsed, median: quantile(times, 0.5), p99: quantile(times, 0.99) };
}

/** The bytes of an answer, from what has come of it; anything but a 200 would make the figures worthless. */
function answerLength(begun: string): number {
  if (!begun.startsWith("HTTP/1.1 200")) throw new Error(`The service answered ${begun.slice(0, 400)}`);
  return begun.indexOf("\r\n\r\n") + 4 + Number(/content-length: (\d+)/i.exec(begun)?.[1]);
}

/** The value below which a share of sorted values lies. */
export function quantile(sorted: number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
