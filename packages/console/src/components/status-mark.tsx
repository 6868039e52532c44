import type { ReactNode } from "react";
import type { Mark, Shown } from "../texts/task-words";

const line = { fill: "none", stroke: "currentColor", strokeWidth: 1.6, strokeLinecap: "round" } as const;
const cut = { fill: "none", stroke: "var(--panel)", strokeWidth: 1.8, strokeLinecap: "round" } as const;

/** Each state has a shape of its own: colour alone says nothing to many people, nor in print. */
const shapes: Readonly<Record<Mark, ReactNode>> = {
  good: (
    <>
      <circle cx="8" cy="8" r="7" fill="currentColor" />
      <path d="m4.8 8.3 2.2 2.2 4.2-4.7" {...cut} />
    </>
  ),
  incomplete: <path d="M8 1.5 15.2 14H.8L8 1.5Zm0 4.4v3.6m0 2v.1" {...line} strokeLinejoin="round" />,
  error: (
    <>
      <rect x="1.5" y="1.5" width="13" height="13" rx="2" fill="currentColor" />
      <path d="m5.2 5.2 5.6 5.6m0-5.6-5.6 5.6" {...cut} />
    </>
  ),
  lost: <path d="M2 2h12v12H2V2Zm3.5 3.5 5 5m0-5-5 5" {...line} strokeDasharray="2.4 2.2" />,
  missed: <circle cx="8" cy="8" r="6" {...line} strokeWidth={2} strokeDasharray="0.1 3.7" />,
  stale: <path d="M8 14.200A6.2 6.2 0 1 0 8 1.800a6.2 6.2 0 0 0 0 12.400ZM8 4.500V8l2.500 1.600" {...line} />,
  expired: <path d="M4 2h8M4 14h8M5 2c0 3.5 6 8.5 6 12M11 2c0 3.5-6 8.5-6 12" {...line} />,
  running: (
    <>
      <circle cx="8" cy="8" r="6.2" {...line} />
      <path d="M8 1.800a6.2 6.2 0 0 1 0 12.400Z" fill="currentColor" />
    </>
  ),
  aborting: (
    <>
      <circle cx="8" cy="8" r="6.2" {...line} />
      <path d="M8 1.800a6.2 6.2 0 0 1 0 12.400Z" fill="currentColor" />
      <path d="M1.5 14.5 14.5 1.5" {...line} strokeWidth={2} />
    </>
  ),
  queued: <circle cx="8" cy="8" r="6.2" {...line} />,
  cancelled: <path d="M8 14.200A6.2 6.2 0 1 0 8 1.800a6.2 6.2 0 0 0 0 12.400ZM3.6 3.600l8.8 8.8" {...line} />,
  neutral: <path d="M4 8h8" {...line} />,
};

/** A state: its shape, and its word. */
export function StatusMark({ mark, word }: Shown) {
  return (
    <span className={`mark look-${mark}`}>
      <MarkShape mark={mark} />
      {word}
    </span>
  );
}

/** The shape of a state, where its word stands elsewhere. */
export function MarkShape({ mark }: { mark: Mark }) {
  return (
    <svg width="14" height="14" viewBox="0 0 16 16" aria-hidden="true" className={`mark-shape look-${mark}`}>
      {shapes[mark]}
    </svg>
  );
}
