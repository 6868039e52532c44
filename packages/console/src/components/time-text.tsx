import { Tooltip } from "@mantine/core";
import { useEffect } from "react";
import { createStore, useStore } from "../data/store";
import { durationText } from "../texts/durations";
import { fullTime, ownZone, shortTime, utcText } from "../texts/times";

/** Whether all times are shown in UTC: a choice of this browser. */
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

/** The time now, which moves on every second while something shows it. */
export function useNow(): number {
  useEffect(() => {
    followers += 1;
    timer ??= setInterval(() => clock.write(Date.now()), 1_000);
    return () => {
      followers -= 1;
      if (followers > 0) return;
      clearInterval(timer);
      timer = undefined;
    };
  }, []);
  return useStore(clock);
}

/** A moment: relative under a day in lists, in full where there is room. Both zones are in the hint. */
export function TimeText({ at, isFull = false }: { at: string | null; isFull?: boolean }) {
  const zone = useZone();
  const now = useNow();
  if (at === null) return <span className="soft">–</span>;
  const moment = Date.parse(at);
  const hint = zone === "UTC" ? utcText(moment) : `${fullTime(moment, zone)} · ${utcText(moment)}`;
  return (
    <Tooltip label={hint} events={{ hover: true, focus: true, touch: true }} openDelay={300}>
      <time dateTime={at} className="nowrap">
        {isFull ? `${fullTime(moment, zone)}${zone === "UTC" ? " UTC" : ""}` : shortTime(moment, now, zone)}
      </time>
    </Tooltip>
  );
}

/** How long something took, or is under way. */
export function Duration({ from, to }: { from: string | null; to: string | null }) {
  const now = useNow();
  if (from === null) return <span className="soft">–</span>;
  return <span className="nowrap">{durationText((to === null ? now : Date.parse(to)) - Date.parse(from))}</span>;
}
