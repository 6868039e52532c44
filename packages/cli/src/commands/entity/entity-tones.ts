import type { EntityState } from "@holdfast/api/resources/entity-words";
import type { Tone } from "../../terminal/colours";

/** Colours of the states of protected items. */
export const entityTones: Record<EntityState, Tone> = {
  never: "bad",
  failing: "bad",
  missed: "bad",
  stale: "bad",
  incomplete: "warning",
  unwatched: "warning",
  good: "good",
};
