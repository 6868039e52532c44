import type { EntityState } from "@holdfast/api/resources/entity-words";
import type { MonitorState } from "@holdfast/api/resources/monitor-words";
import type { Shown } from "./task-words";

/** Looks of the states of protected items. */
export const entityLooks: Readonly<Record<EntityState, Shown>> = {
  never: { mark: "lost", word: "Never" },
  failing: { mark: "error", word: "Failing" },
  missed: { mark: "missed", word: "Missed" },
  stale: { mark: "stale", word: "Stale" },
  incomplete: { mark: "incomplete", word: "Incomplete" },
  unwatched: { mark: "neutral", word: "Unwatched" },
  good: { mark: "good", word: "Good" },
};

/** The states in which an item needs a person. */
export const needsAttention = ["never", "failing", "missed", "stale"] as const;

/** Looks of the states of monitors. */
export const monitorLooks: Readonly<Record<MonitorState, Shown>> = {
  missed: { mark: "missed", word: "Missed" },
  failed: { mark: "error", word: "Failed" },
  late: { mark: "incomplete", word: "Late" },
  waiting: { mark: "queued", word: "Waiting" },
  ok: { mark: "good", word: "OK" },
  paused: { mark: "cancelled", word: "Paused" },
};

/** Look of a state; one that is newer than this console as it is. */
export function lookOf(looks: Readonly<Record<string, Shown>>, state: string): Shown {
  return looks[state] ?? { mark: "neutral", word: state };
}
