import type { EntityState } from "@holdfast/api/resources/entity-words";
import type { Tone } from "../../terminal/colours";

/** How the states of what is protected are coloured. */
export const entityTones: Record<EntityState, Tone> = {
  never: "bad",
  failing: "bad",
  missed: "bad",
  stale: "bad",
  incomplete: "warning",
  unwatched: "warning",
  good: "good",
};
