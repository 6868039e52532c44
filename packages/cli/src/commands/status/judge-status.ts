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
  is_protected: boolean;
  /** The answer in a sentence. */
  verdict: string;
}

interface Judged {
  entities: Record<EntityState, number>;
  needing: number;
  /** How many monitors in trouble count. */
  inTrouble: number;
  /** The states that need attention. */
  states: readonly EntityState[];
}

/** The answer: the worst state wins, as on the overview of the console. */
export function judge({ entities, needing, inTrouble, states }: Judged): Verdict {
  const all = Object.values(entities).reduce((sum, count) => sum + count, 0);
  if (all === 0) return { is_protected: false, verdict: "Nothing is protected here yet: no backup was ever reported." };
  if (needing > 0) {
    const which = states.filter((state) => entities[state] > 0).map((state) => `${entities[state]} ${words[state]}`);
    const verb = needing === 1 ? "needs" : "need";
    return {
      is_protected: false,
      verdict: `${needing} of ${counted(all, "item")} ${verb} attention: ${which.join(", ")}.`,
    };
  }
  if (inTrouble > 0) {
    const verb = inTrouble === 1 ? "is" : "are";
    return { is_protected: false, verdict: `${counted(inTrouble, "monitor")} ${verb} in trouble.` };
  }
  const unwatched =
    entities.unwatched === 0 ? "" : ` No monitor watches ${counted(entities.unwatched, "of them", "of them")}.`;
  if (entities.incomplete > 0) {
    const items = counted(entities.incomplete, "item");
    return { is_protected: true, verdict: `Nothing needs attention. The last backup of ${items} is incomplete.` };
  }
  return {
    is_protected: true,
    verdict: `Everything is protected: ${counted(all, "item has", "items have")} a good backup.${unwatched}`,
  };
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
