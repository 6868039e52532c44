import type { EntityState } from "@holdfast/api/resources/entity-words";
import type { TaskOutcome } from "@holdfast/api/resources/task-words";
import type { TaskCount } from "@holdfast/client";
import { counted, countText } from "../../texts/numbers";
import { needsAttention } from "../../texts/state-words";
import type { Mark } from "../../texts/task-words";

const failed: readonly (TaskOutcome | null | undefined)[] = ["error", "lost", "missed", "expired"];

const attentionWords = {
  never: "never backed up",
  failing: "failing",
  missed: "missed",
  stale: "stale",
} as const;

/** Facts that the verdict comes from. Muted and retired items are not among the counts. */
export interface Protection {
  counts: readonly { state: EntityState; count: number }[];
  mutedCount: number;
  /** Monitors that are missed or failed although no item says so. */
  troubledMonitors: number;
}

export interface VerdictText {
  mark: Mark;
  text: string;
  detail: string;
  /** Number of items or monitors that need attention. */
  count: number;
  /** The list behind the sentence. */
  list?: { to: "/entities" | "/monitors"; state: string };
  /** Number of items with a good backup that no monitor watches; they have a sentence of their own. */
  unwatched: number;
}

/** Judges protected items: the worst state wins, running tasks change nothing, and only what is good and watched counts as good. */
export function judgeProtection({ counts, mutedCount, troubledMonitors }: Protection): VerdictText {
  const of = (state: EntityState) => counts.find((one) => one.state === state)?.count ?? 0;
  const all = counts.reduce((sum, { count }) => sum + count, 0);
  const bad = needsAttention.reduce((sum, state) => sum + of(state), 0);
  const muted = mutedCount === 0 ? [] : [`${counted(mutedCount, "muted item is", "muted items are")} not counted`];
  const unwatched = of("unwatched");
  const rest = { detail: muted.join(), count: 0, unwatched };
  const items = counted(all, "protected item");
  if (bad > 0) {
    const states = needsAttention
      .filter((state) => of(state) > 0)
      .map((state) => `${countText(of(state))} ${attentionWords[state]}`);
    const verb = bad === 1 ? "needs" : "need";
    const text = `${countText(bad)} of ${items} ${verb} attention`;
    const list = { to: "/entities", state: needsAttention.join(",") } as const;
    return { ...rest, mark: "error", text, detail: [...states, ...muted].join(" · "), count: bad, list };
  }
  if (troubledMonitors > 0) {
    const text = `${counted(troubledMonitors, "monitor needs", "monitors need")} attention: a run was missed or failed`;
    return { ...rest, mark: "error", text, count: troubledMonitors, list: { to: "/monitors", state: "missed,failed" } };
  }
  if (of("incomplete") > 0) {
    const text = `The last backup of ${counted(of("incomplete"), "item")} is incomplete`;
    return { ...rest, mark: "incomplete", text, list: { to: "/entities", state: "incomplete" } };
  }
  if (all === 0) return { ...rest, mark: "neutral", text: "Nothing is protected here yet" };
  if (of("good") === all) {
    const text =
      all === 1
        ? "The protected item has a good backup and is watched"
        : `All ${items} have a good backup and are watched`;
    return { ...rest, mark: "good", text };
  }
  const good = of("good");
  const text =
    good === 0
      ? `No monitor watches any of the ${items}`
      : `${countText(good)} of ${items} ${good === 1 ? "has" : "have"} a good backup and ${good === 1 ? "is" : "are"} watched`;
  return { ...rest, mark: "incomplete", text };
}

/** Judges the tasks of the last day, for callers who cannot see protected items. That nothing failed does not say that anything is protected. */
export function judgeLastDay(lastDay: readonly TaskCount[]): VerdictText {
  const sum = (counts: readonly TaskCount[]) => counts.reduce((total, { count }) => total + count, 0);
  const bad = sum(lastDay.filter(({ outcome }) => failed.includes(outcome)));
  const ended = sum(lastDay.filter(({ outcome }) => outcome !== null && outcome !== undefined));
  const rest = { detail: "", count: bad, unwatched: 0 };
  if (bad > 0) return { ...rest, mark: "error", text: `${counted(bad, "task")} of the last 24 hours failed` };
  if (ended === 0) return { ...rest, mark: "incomplete", text: "Nothing was heard in the last 24 hours" };
  return { ...rest, mark: "neutral", text: `No failures in the last 24 hours: ${counted(ended, "task")} ended` };
}
