import type { EntityState } from "@holdfast/api/resources/entity-words";

const words: Record<EntityState, string> = {
  never: "never backed up",
  failing: "failing",
  missed: "missed",
  stale: "stale",
  incomplete: "incomplete",
  unwatched: "not watched",
  good: "good",
};

export interface Verdict {
  /** True if every item is good and watched. */
  is_protected: boolean;
  /** True if the command ends with 1: something is wrong, or nothing is known. */
  needs_attention: boolean;
  /** The answer in a sentence. */
  verdict: string;
}

interface Judged {
  entities: Record<EntityState, number>;
  needing: number;
  /** Number of monitors in trouble. */
  inTrouble: number;
  /** The states that need attention. */
  states: readonly EntityState[];
}

/** The answer: the worst state wins, as on the overview of the console, and only what is good and watched is protected. */
export function judge({ entities, needing, inTrouble, states }: Judged): Verdict {
  const all = Object.values(entities).reduce((sum, count) => sum + count, 0);
  const bad = (verdict: string): Verdict => ({ is_protected: false, needs_attention: true, verdict });
  if (all === 0) return bad("Nothing is protected here yet: no backup was ever reported.");
  if (needing > 0) {
    const which = states.filter((state) => entities[state] > 0).map((state) => `${entities[state]} ${words[state]}`);
    const verb = needing === 1 ? "needs" : "need";
    return bad(`${needing} of ${counted(all, "item")} ${verb} attention: ${which.join(", ")}.`);
  }
  if (inTrouble > 0) return bad(`${counted(inTrouble, "monitor is", "monitors are")} in trouble.`);
  if (entities.good === all) {
    const verdict = `Everything is protected: ${counted(all, "item has a good backup and is", "items have a good backup and are")} watched.`;
    return { is_protected: true, needs_attention: false, verdict };
  }
  const { good, incomplete, unwatched } = entities;
  const sentences = [
    good === 0
      ? "Nothing needs attention."
      : `${good} of ${counted(all, "item")} ${good === 1 ? "is" : "are"} good and watched.`,
    ...(incomplete > 0 ? [`The last backup of ${counted(incomplete, "item")} is incomplete.`] : []),
    ...(unwatched > 0
      ? [`No monitor watches ${counted(unwatched, "item")}: if the next backup does not come, you will not be told.`]
      : []),
  ];
  return { is_protected: false, needs_attention: false, verdict: sentences.join(" ") };
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
