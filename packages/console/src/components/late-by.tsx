import type { ReactNode } from "react";
import { roughDuration } from "../texts/durations";
import { useNow } from "./time-text";

/** Shows the lateness of a run, once it is late; something else until then. */
export function LateBy({ due, otherwise }: { due: number; otherwise?: ReactNode }) {
  const now = useNow();
  return due < now ? <span className="soft">late by {roughDuration(now - due)}</span> : otherwise;
}
