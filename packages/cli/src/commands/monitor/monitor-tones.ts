import type { ItemOf } from "@holdfast/client";
import type { Tone } from "../../terminal/colours";

/** Colours of the states of monitors. */
export const monitorTones: Record<ItemOf<"monitors", "read-monitor">["state"], Tone> = {
  missed: "bad",
  failed: "bad",
  late: "warning",
  waiting: "quiet",
  ok: "good",
  paused: "quiet",
};
