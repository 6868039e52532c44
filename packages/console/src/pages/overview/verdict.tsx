import type { EntityState } from "@holdfast/api/resources/entity-words";
import type { TaskOutcome } from "@holdfast/api/resources/task-words";
import type { TaskCount } from "@holdfast/client";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { MarkShape } from "../../components/status-mark";
import { useNow, useZone } from "../../components/time-text";
import { needsAttention } from "../../data/protection";
import { counted, countText } from "../../texts/numbers";
import type { Mark } from "../../texts/task-words";
import { clockText } from "../../texts/times";

const failed: readonly (TaskOutcome | null | undefined)[] = ["error", "lost", "missed", "expired"];
/** Figures say how old they are once they are older than this, in milliseconds. */
const young = 10_000;

/** How many protected items stand how. */
export type EntityCount = { state: EntityState; count: number };

const attentionWords = {
  never: "never backed up",
  failing: "failing",
  missed: "missed",
  stale: "stale",
} as const;

export interface VerdictText {
  mark: Mark;
  text: string;
  detail: string;
  /** How much needs attention. */
  count: number;
  /** The list of what needs it. */
  search: { state: string } | undefined;
}

/** What is to be said of protected items: the worst state wins, and what runs changes nothing. */
export function verdictOf(counts: readonly EntityCount[]): VerdictText {
  const of = (state: EntityState) => counts.find((one) => one.state === state)?.count ?? 0;
  const all = counts.reduce((sum, { count }) => sum + count, 0);
  const bad = needsAttention.reduce((sum, state) => sum + of(state), 0);
  const search = { state: needsAttention.join(",") };
  if (bad > 0) {
    const detail = needsAttention
      .filter((state) => of(state) > 0)
      .map((state) => `${countText(of(state))} ${attentionWords[state]}`)
      .join(" · ");
    const verb = bad === 1 ? "needs" : "need";
    const text = `${countText(bad)} of ${counted(all, "protected item")} ${verb} attention`;
    return { mark: "error", text, detail, count: bad, search };
  }
  const nothing = { detail: "", count: 0, search: undefined };
  if (of("incomplete") > 0) {
    const text = `The last backup of ${counted(of("incomplete"), "item")} is incomplete`;
    return { ...nothing, mark: "incomplete", text, search: { state: "incomplete" } };
  }
  if (of("good") === 0) {
    const text = `${counted(of("unwatched"), "item has", "items have")} a good backup; when the next is due is not checked`;
    return { ...nothing, mark: "neutral", text, search: { state: "unwatched" } };
  }
  const text =
    all === 1 ? "The protected item has a good backup" : `All ${countText(all)} protected items have a good backup`;
  return { ...nothing, mark: "good", text };
}

/** What is to be said of the last day, where protected items cannot be seen. Silence is not good news. */
export function taskVerdictOf(lastDay: readonly TaskCount[]): VerdictText {
  const sum = (counts: readonly TaskCount[]) => counts.reduce((total, { count }) => total + count, 0);
  const bad = sum(lastDay.filter(({ outcome }) => failed.includes(outcome)));
  const ended = sum(lastDay.filter(({ outcome }) => outcome !== null && outcome !== undefined));
  const rest = { detail: "", count: bad, search: undefined };
  if (bad > 0) return { ...rest, mark: "error", text: `${counted(bad, "task")} of the last 24 hours failed` };
  if (ended === 0) return { ...rest, mark: "incomplete", text: "Nothing was heard in the last 24 hours" };
  return { ...rest, mark: "good", text: `No failures in the last 24 hours: ${counted(ended, "task")} ended` };
}

/** The verdict, and how old it is. */
export function Verdict({
  verdict: { mark, text, detail, search },
  at,
}: {
  verdict: VerdictText;
  at: number;
}): ReactNode {
  const zone = useZone();
  const now = useNow();
  return (
    <div className={`verdict verdict-${mark}`} role="status" aria-label="Protection">
      <span className="verdict-text">
        <MarkShape mark={mark} />
        {text}
      </span>
      {detail && <span>{detail}</span>}
      {search && (
        <Link to="/entities" search={search}>
          Show them
        </Link>
      )}
      {now - at > young && <span className="soft small verdict-age">as of {clockText(at, zone)}</span>}
    </div>
  );
}
