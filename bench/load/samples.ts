import { type Group, type Row, rowOf } from "../result";
import { type Answer, type Connection, isRejected, type Sent } from "./connection";
import { median, percentile } from "./percentiles";

/** Sends a request and waits for the whole response. */
export type Ask = (request: Sent) => Promise<Answer>;

/** The times of one kind of request. */
interface Variant {
  times: number[];
  rejected: number;
}

/** Gathers times by the row of the table and by the variant of the request, once it is told to. */
export function createSamples() {
  const rows = new Map<string, Map<string, Variant>>();
  let isCounting = false;
  function note(row: string, variant: string, ms: number, wasRejected: boolean): void {
    if (!isCounting) return;
    const variants = rows.get(row) ?? new Map<string, Variant>();
    rows.set(row, variants);
    const one = variants.get(variant) ?? { times: [], rejected: 0 };
    variants.set(variant, one);
    one.times.push(ms);
    if (wasRejected) one.rejected += 1;
  }
  return {
    begin(): void {
      isCounting = true;
    },
    note,
    /** Sends over a connection and notes the time. */
    asking:
      (line: Connection, row: string, variant: string): Ask =>
      async (request) => {
        const answer = await line.send(request);
        note(row, variant, answer.ms, isRejected(answer));
        return answer;
      },
    /** Judges a row by its slowest variant: nobody is helped by an average of filters. */
    row(group: Group, what: string, atMost: number): Row {
      const variants = [...(rows.get(what) ?? [])];
      const p95s = variants.map(([name, { times }]) => ({ name, value: percentile(times, 0.95) }));
      const [worst] = p95s.toSorted((a, b) => b.value - a.value);
      const times = variants.flatMap(([, one]) => one.times);
      const rejected = variants.reduce((sum, [, one]) => sum + one.rejected, 0);
      const name = variants.length > 1 ? `worst: ${worst?.name}; all: ` : "";
      const detail = `${name}p95 ${percentile(times, 0.95).toFixed(1)} ms, median ${median(times).toFixed(1)} ms, ${times.length.toLocaleString("en")} requests`;
      return rowOf(group, what, worst?.value ?? Number.NaN, " ms", { atMost, rejected }, detail);
    },
  };
}

export type Samples = ReturnType<typeof createSamples>;
