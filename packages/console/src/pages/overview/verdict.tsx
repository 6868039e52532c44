import type { TaskOutcome } from "@holdfast/api/resources/task-words";
import type { TaskCount } from "@holdfast/client";
import { Link } from "@tanstack/react-router";
import { MarkShape } from "../../components/status-mark";
import { useNow, useZone } from "../../components/time-text";
import { counted } from "../../texts/numbers";
import { clockText } from "../../texts/times";

const bad: readonly (TaskOutcome | null | undefined)[] = ["error", "lost", "missed", "expired"];
/** Figures say how old they are once they are older than this, in milliseconds. */
const young = 10_000;

export interface VerdictText {
  /** Failures, good news, silence today, or nothing at all for a month. */
  state: "bad" | "good" | "silent" | "nothing";
  count: number;
}

/** What is to be said of the last day. Silence is not good news, and what runs changes nothing. */
export function verdictOf(lastDay: readonly TaskCount[], lastMonth: readonly TaskCount[]): VerdictText {
  const sum = (counts: readonly TaskCount[]) => counts.reduce((total, { count }) => total + count, 0);
  const failed = sum(lastDay.filter(({ outcome }) => bad.includes(outcome)));
  if (failed > 0) return { state: "bad", count: failed };
  const ended = sum(lastDay.filter(({ outcome }) => outcome !== null && outcome !== undefined));
  if (ended > 0) return { state: "good", count: ended };
  return { state: sum(lastMonth) + sum(lastDay) > 0 ? "silent" : "nothing", count: 0 };
}

const looks = { bad: "error", good: "good", silent: "incomplete", nothing: "neutral" } as const;

/** The verdict, and how old it is. */
export function Verdict({ verdict: { state, count }, at, from }: { verdict: VerdictText; at: number; from: number }) {
  const zone = useZone();
  const now = useNow();
  return (
    <div className={`verdict verdict-${looks[state]}`} role="status" aria-label="Protection">
      <MarkShape mark={looks[state]} />
      <span className="verdict-text">
        {state === "bad" && `${counted(count, "task")} of the last 24 hours failed`}
        {state === "good" && `No failures in the last 24 hours: ${counted(count, "task")} ended`}
        {state === "silent" && "Nothing was heard in the last 24 hours"}
      </span>
      {state === "bad" && (
        <Link
          to="/tasks"
          search={{ outcome: "error,lost,missed,expired", from: new Date(from).toISOString().replace(".000Z", "Z") }}
        >
          Show them
        </Link>
      )}
      {now - at > young && <span className="soft small verdict-age">as of {clockText(at, zone)}</span>}
    </div>
  );
}
