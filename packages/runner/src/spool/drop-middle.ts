import { isLog, type SpooledLog, type SpooledReport } from "./spooled-report";

/** Sizes of the two ends of a log that are never dropped, in bytes. */
const kept = { head: 64 * 1024, tail: 256 * 1024 } as const;

/**
 * Drops the middle of a log that waits to be reported. Of the newest, more than has to be kept stays as long as it fits into
 * so many bytes of a spool file. What follows the missing part says that there is a gap.
 */
export function dropMiddle(
  reports: readonly SpooledReport[],
  maxBytes: number,
  bytesOf: (report: SpooledReport) => number,
): SpooledReport[] {
  const logs = reports.filter(isLog);
  const [first, last] = [logs[0], logs.at(-1)];
  if (!first || !last) return [...reports];
  const from = kept.head;
  let to = endOf(last) - kept.tail;
  let bytes = 0;
  for (const one of logs.toReversed()) {
    bytes += bytesOf(one);
    if (bytes > maxBytes) break;
    to = Math.min(to, one.body.offset);
  }
  let end = first.body.offset;
  return reports.flatMap((one) => {
    const rest = isLog(one) ? withoutMiddle(one, from, to) : one;
    if (rest === undefined || !isLog(rest)) return rest ?? [];
    const hasGap = rest.body.offset > end;
    end = endOf(rest);
    return hasGap ? { ...rest, body: { ...rest.body, gap: true } } : rest;
  });
}

/** The part of a piece that is not between two positions. One that reaches over all of that stays whole: it would become two. */
function withoutMiddle(log: SpooledLog, from: number, to: number): SpooledLog | undefined {
  const [begin, end] = [log.body.offset, endOf(log)];
  if (end <= from || begin >= to || (begin < from && end > to)) return log;
  if (begin < from) return cutLog(log, begin, from);
  return end > to ? cutLog(log, to, end) : undefined;
}

/** The part of a piece between two positions, without the halves of characters at its ends. */
function cutLog(log: SpooledLog, from: number, to: number): SpooledLog {
  const { offset, text } = log.body;
  const bytes = Buffer.from(text);
  const isInside = (at: number) => ((bytes[at] ?? 0) & 0xc0) === 0x80;
  let [begin, end] = [from - offset, to - offset];
  while (isInside(begin)) begin += 1;
  while (isInside(end)) end -= 1;
  return { ...log, body: { ...log.body, offset: offset + begin, text: bytes.toString("utf8", begin, end) } };
}

/** End of a piece. */
function endOf({ body }: SpooledLog): number {
  return body.offset + Buffer.byteLength(body.text);
}
