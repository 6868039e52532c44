import { useEffect, useSyncExternalStore } from "react";
import { createStore, useStore } from "../data/store";
import { durationText } from "../texts/durations";
import { clockText, dateText, fullTime, ownZone, shortTime, utcText } from "../texts/times";

/** True if all times are shown in UTC: a choice of this browser. */
export const showsUtc = createStore(localStorage.getItem("holdfast-utc") === "yes");
export function chooseUtc(isUtc: boolean): void {
  localStorage.setItem("holdfast-utc", isUtc ? "yes" : "no");
  showsUtc.write(isUtc);
}

/** The zone that times are shown in. */
export function useZone(): string {
  return useStore(showsUtc) ? "UTC" : ownZone;
}

const clock = createStore(Date.now());
let followers = 0;
let timer: ReturnType<typeof setInterval> | undefined;

/** Lets the time move on every second, until the returned function is called. */
function followClock(): () => void {
  followers += 1;
  timer ??= setInterval(() => clock.write(Date.now()), 1_000);
  return () => {
    followers -= 1;
    if (followers > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The time now, which moves on every second while something shows it. */
export function useNow(): number {
  useEffect(followClock, []);
  return useStore(clock);
}

/** The minute that ends next, for what need not be right to the second. */
export function useMinute(): number {
  useEffect(followClock, []);
  return useSyncExternalStore(clock.subscribe, () => Math.ceil(clock.read() / 60_000) * 60_000);
}

/** A text that depends on the time. What shows it is drawn again only when the text is another. */
function useTimedText(textAt: (now: number) => string): string {
  useEffect(followClock, []);
  return useSyncExternalStore(clock.subscribe, () => textAt(clock.read()));
}

/** A moment: relative under a day in lists, in full where there is room. Both zones are in the hint. */
export function TimeText({ at, isFull = false }: { at: string | null; isFull?: boolean }) {
  const zone = useZone();
  const moment = at === null ? Number.NaN : Date.parse(at);
  const text = useTimedText((now) => {
    if (Number.isNaN(moment)) return "–";
    return isFull ? wholeTime(moment, zone) : shortTime(moment, now, zone);
  });
  if (at === null) return <span className="soft">{text}</span>;
  const hint = zone === "UTC" ? utcText(moment) : `${fullTime(moment, zone)} · ${utcText(moment)}`;
  // Both zones together are too long for one line of a narrow column.
  const [here, utc] = text.split(/ (?=\()/);
  return (
    <time
      dateTime={at}
      className={isFull ? undefined : "nowrap"}
      title={hint}
      data-date={isFull ? undefined : dateText(moment, zone)}
    >
      <span className="nowrap">{here}</span>
      {utc !== undefined && (
        <>
          {" "}
          <span className="nowrap">{utc}</span>
        </>
      )}
    </time>
  );
}

/** A moment in the zone of the viewer and in UTC. */
export function wholeTime(moment: number, zone: string): string {
  const here = fullTime(moment, zone);
  return zone === "UTC" ? `${here} UTC` : `${here} (${clockText(moment, "UTC")} UTC)`;
}

interface DurationProps {
  from: string | null;
  to: string | null;
  /** True if only a part of it is known. */
  isAtLeast?: boolean;
}

/** Duration of something that has ended, or is under way. */
export function Duration({ from, to, isAtLeast = false }: DurationProps) {
  const text = useTimedText((now) => {
    if (from === null) return "–";
    const text = durationText((to === null ? now : Date.parse(to)) - Date.parse(from));
    return isAtLeast ? `≥ ${text}` : text;
  });
  return <span className={from === null ? "soft" : "nowrap"}>{text}</span>;
}
