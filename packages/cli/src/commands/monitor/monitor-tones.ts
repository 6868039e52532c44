import type { ItemOf } from "@holdfast/client";
import type { Tone } from "../../terminal/colours";

/** How the states of monitors are coloured. */
export const monitorTones: Record<ItemOf<"monitors", "read-monitor">["state"], Tone> = {
  missed: "bad",
  failed: "bad",
  late: "warning",
  waiting: "quiet",
  ok: "good",
  paused: "quiet",
};
