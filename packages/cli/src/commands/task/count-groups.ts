import { taskOutcomes } from "@holdfast/api/resources/task-words";

/** Fields that counts can be grouped by. */
export const groups = ["outcome", "status", "category", "type", "organizational_unit_id", "error.code"] as const;

export type Group = (typeof groups)[number];

/** The order in which groups are drawn: outcomes from good to bad, others by name. */
export function orderOf(group: Group, values: readonly string[]): string[] {
  const known: readonly string[] = group === "outcome" ? taskOutcomes : [];
  const rank = (value: string) => (known.includes(value) ? known.indexOf(value) : known.length);
  return [...values].sort((one, other) => rank(one) - rank(other) || (one < other ? -1 : 1));
}
