import { processorSeconds } from "../sides/processes";
import type { Sent } from "./connection";
import { quantile } from "./spread";

/** What a run of load came to. */
export interface LoadResult {
  perSecond: number;
  /** Milliseconds. */
  median: number;
  p99: number;
  /** Milliseconds of processor time for each request, of all processes of the side. */
  cpu: number;
}

export interface Load {
  url: string;
  /** The processes that do the work, whose processor time is counted. */
  pids: readonly number[];
  /** The n-th request. */
  request: (n: number) => Sent;
  connections: number;
  seconds: number;
}

/**
 * Sends requests over a few connections, each waiting for its answer before it asks again. It reads no more of an answer
 * than its length, so that the load costs little beside what is measured.
 */
export async function load({ url, pids, request, connections, seconds }: Load): Promise<LoadResult> {
  const { hostname, port, host } = new URL(url);
  const times: number[] = [];
  let asked = 0;

  const usedBefore = await processorTime(pids);
  const startedAt = performance.now();
  const until = startedAt + seconds * 1000;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const finished = Promise.withResolvers<void>();
      const answer = createAnswerReader();
      let sentAt = 0;
      const ask = () => {
        answer.begin();
        sentAt = performance.now();
        return written(request(asked++), host);
      };
      const socket = await Bun.connect({
        hostname,
        port: Number(port),
        socket: {
          data(connection, chunk) {
            try {
              if (!answer.isWhole(chunk)) return;
            } catch (error) {
              finished.reject(error);
              connection.end();
              return;
            }
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
  const used = (await processorTime(pids)) - usedBefore;
  if (times.length === 0) throw new Error(`${url} closed its connections without an answer.`);
  times.sort((a, b) => a - b);
  return {
    perSecond: times.length / elapsed,
    median: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    cpu: (1000 * used) / times.length,
  };
}

async function processorTime(pids: readonly number[]): Promise<number> {
  return (await Promise.all(pids.map(processorSeconds))).reduce((sum, one) => sum + one, 0);
}

function written({ method, path, headers, body = "" }: Sent, host: string): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = body === "" ? "" : `Content-Length: ${Buffer.byteLength(body)}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\n${lines.join("")}${length}\r\n${body}`;
}

/** Finds where an answer ends: after its length, or after the last of its chunks. */
function createAnswerReader() {
  let head = "";
  let hasHead = false;
  let missing = 0;
  let isChunked = false;
  return {
    begin() {
      head = "";
      hasHead = false;
    },
    isWhole(chunk: Buffer): boolean {
      if (hasHead) {
        missing -= chunk.length;
      } else {
        head += chunk.toString("latin1");
        const end = head.indexOf("\r\n\r\n");
        if (end < 0) return false;
        // Anything but a success would make the figures worthless.
        const isRefused = !head.startsWith("HTTP/1.1 20") || head.startsWith('{"errors"', end + 4);
        if (isRefused) throw new Error(`The answer was ${head.slice(0, 400)}`);
        const length = /content-length: (\d+)/i.exec(head)?.[1];
        hasHead = true;
        isChunked = length === undefined;
        missing = end + 4 + Number(length ?? 0) - head.length;
      }
      return isChunked ? chunk.subarray(-5).toString("latin1") === "0\r\n\r\n" : missing <= 0;
    },
  };
}
