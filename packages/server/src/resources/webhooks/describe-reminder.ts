import { formatMoment } from "./format-moment";
import { type Described, oneLine, titleOf } from "./message-texts";
import type { Payload } from "./payload";

type Reminder = NonNullable<Payload["data"]["reminder"]>;

const hour = 3_600_000;

/** Says what is still down, for how long, and since when it has had no good backup. */
export function describeReminder(
  { timestamp, data: { organizational_unit: unit } }: Payload,
  { down, down_count: count }: Reminder,
  { baseUrl, timeZone }: { baseUrl: string; timeZone: string },
): Described {
  const [first] = down;
  const moment = (text: string) => formatMoment(text, timeZone);
  const lines = down.map(({ kind, name, state, since_timestamp: since, last_good_timestamp: lastGood }) => {
    const what = `${kind === "monitor" ? "Monitor" : "Item"} ${oneLine(name)}: ${state}`;
    const good = lastGood === null ? "" : `; its last good backup was at ${moment(lastGood)}`;
    return `${what} for ${durationOf(since, timestamp)}, since ${moment(since)}${good}`;
  });
  return {
    title:
      count === 1 && first
        ? titleOf(`Reminder: ${first.name}`, `is still down, for ${durationOf(first.since_timestamp, timestamp)}`)
        : `Reminder: ${count} monitors and items are still down`,
    lines: [
      ...lines,
      ...(count > down.length ? [`And ${count - down.length} more.`] : []),
      "What to do: open the console, correct the cause, or pause, mute or retire what is not needed any more.",
      `Organizational unit: ${oneLine(unit.name)}`,
    ],
    link: `${baseUrl}/console/`,
    weight: "bad",
  };
}

function durationOf(since: string, until: string): string {
  const hours = Math.max(0, Math.floor((Date.parse(until) - Date.parse(since)) / hour));
  if (hours < 48) return hours === 1 ? "1 hour" : `${hours} hours`;
  return `${Math.floor(hours / 24)} days`;
}
