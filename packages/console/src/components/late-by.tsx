import type { ReactNode } from "react";
import { roughDuration } from "../texts/durations";
import { useNow } from "./time-text";

/** How late a run is, once it is; something else until then. */
export function LateBy({ due, otherwise }: { due: number; otherwise?: ReactNode }) {
  const now = useNow();
  return due < now ? <span className="soft">late by {roughDuration(now - due)}</span> : otherwise;
}
