import { HoldfastError } from "@holdfast/client";
import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { hasUnsaved } from "../data/unsaved";
import { Icon, type IconName } from "./icons";

/** Replaces an empty list: what would be here, and what to do. */
export function EmptyState({
  title,
  icon = "empty",
  children,
}: {
  title: string;
  icon?: IconName;
  children?: ReactNode;
}) {
  return (
    <div className="state state-centred">
      <span className="state-icon">
        <Icon name={icon} size={32} />
      </span>
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** Error in the words of the service, with its remedy. */
export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: (() => void) | undefined }) {
  if (error instanceof HoldfastError && error.status === 404) {
    return (
      <EmptyState title="Not there, or not yours" icon="lock">
        <p className="soft">It was removed, never existed, or belongs to a unit in which you hold no role.</p>
      </EmptyState>
    );
  }
  return (
    <div role="alert" className="notice look-error">
      {sentencesOf(error).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {/* What a person can mend needs no look into the log. */}
      {error instanceof HoldfastError && error.status >= 500 && error.requestId !== undefined && (
        <p className="small">
          Request <span className="mono">{error.requestId}</span>
        </p>
      )}
      {onRetry && (
        <div>
          <Button variant="default" size="xs" onClick={onRetry}>
            Try again
          </Button>
        </div>
      )}
    </div>
  );
}

/** Sentences of an error, for people. */
export function sentencesOf(error: unknown): readonly string[] {
  if (!(error instanceof HoldfastError)) return ["Something went wrong in this page. Load it again."];
  if (error.status === 0)
    return [
      `Holdfast does not answer. ${hasUnsaved() ? "What you have typed is kept: try" : "Try"} again in a moment.`,
    ];
  return error.messages;
}

/** Rows that will be here, while they are fetched. */
export function SkeletonRows({ count = 8 }: { count?: number | undefined }) {
  return (
    <div className="table-frame" aria-busy="true">
      <span className="visually-hidden">Loading</span>
      {Array.from({ length: count }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike and never move.
        <div key={at} className="skeleton-row">
          <div className="skeleton" style={{ inlineSize: `${[62, 48, 71, 55][at % 4]}%` }} />
        </div>
      ))}
    </div>
  );
}
