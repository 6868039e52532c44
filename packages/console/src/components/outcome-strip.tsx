import type { TaskOutcome, TaskStatus } from "@holdfast/api/resources/task-words";
import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, type MouseEvent, useRef, useState } from "react";
import { basePath } from "../data/page-facts";
import { stringifySearch } from "../data/search-params";
import { useUnit } from "../data/unit";
import { counted } from "../texts/numbers";
import { describeTask, type Mark } from "../texts/task-words";
import { fullTime } from "../texts/times";
import { useZone } from "./time-text";

/** A run, as far as a strip shows it. */
export interface StripRun {
  id: string;
  status: TaskStatus;
  outcome: TaskOutcome | null;
  created_timestamp: string;
  /** Name if it is not a backup: `Restore`. It is a small mark below the bars of the backups. */
  other?: string | undefined;
}

const looks: Readonly<Record<Mark, string>> = {
  good: "strip-full look-good",
  incomplete: "strip-part look-incomplete",
  error: "strip-full strip-cut look-error",
  lost: "strip-full strip-cut look-error",
  missed: "strip-hollow",
  stale: "strip-hollow",
  expired: "strip-hollow",
  running: "strip-part look-running",
  aborting: "strip-part look-running",
  queued: "strip-low look-cancelled",
  cancelled: "strip-low look-cancelled",
  neutral: "strip-low look-cancelled",
};

export interface OutcomeStripProps {
  runs: readonly StripRun[];
  current?: string;
  /** True if what it shows is also said in words below it. */
  isSummed?: boolean;
}

/** The last runs of something, oldest first: each is a link, each state has a height of its own. Runs that are no backups are small. */
export function OutcomeStrip({ runs, current, isSummed = false }: OutcomeStripProps) {
  const zone = useZone();
  const list = useRef<HTMLUListElement>(null);
  const [walked, setWalked] = useState<number>();
  // One stop for the Tab key: the newest run, or the one that was walked to.
  const entry = Math.min(walked ?? runs.length - 1, runs.length - 1);
  const onKeyDown = (event: KeyboardEvent) => {
    const ends = { Home: 0, End: runs.length - 1 }[event.key];
    const move = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const to = ends ?? (move === undefined ? undefined : Math.min(runs.length - 1, Math.max(0, entry + move)));
    if (to === undefined) return;
    event.preventDefault();
    setWalked(to);
    list.current?.querySelectorAll("a")[to]?.focus();
  };
  // Lists have hundreds of these, and a link of the router costs as much as a row: they are plain, and opened here.
  const search = stringifySearch({ unit: useUnit() });
  const navigate = useNavigate();
  const onClick = (event: MouseEvent) => {
    const id = event.target instanceof HTMLElement ? event.target.dataset.run : undefined;
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    if (id === undefined || !isPlain) return;
    event.preventDefault();
    void navigate({ to: "/tasks/$id", params: { id } });
  };
  const strip = (
    <ul
      ref={list}
      className="strip"
      aria-label={summaryOf(runs)}
      data-others={runs.some(({ other }) => other !== undefined) || undefined}
      onKeyDown={onKeyDown}
      onClick={onClick}
    >
      {runs.map((run, at) => {
        const { mark, word } = describeTask(run);
        const label = `${run.other === undefined ? word : `${run.other}: ${word}`}, ${fullTime(Date.parse(run.created_timestamp), zone)}`;
        return (
          <li key={run.id} className={run.other === undefined ? undefined : "strip-other"}>
            {/* biome-ignore lint/a11y/useAnchorContent: the bar says nothing, its label says all. */}
            <a
              href={`${basePath}/console/tasks/${encodeURIComponent(run.id)}${search}`}
              data-run={run.id}
              className={`strip-bar ${looks[mark]}`}
              aria-label={label}
              title={label}
              tabIndex={at === entry ? 0 : -1}
              onFocus={() => setWalked(at)}
              data-current={run.id === current || undefined}
            />
          </li>
        );
      })}
    </ul>
  );
  if (!isSummed || runs.length === 0) return strip;
  return (
    <div className="stack-small">
      {strip}
      <p className="small soft" aria-hidden="true">
        {summaryOf(runs)}
      </p>
    </div>
  );
}

/** `Last 30 runs: 27 success, 2 error, 1 missed`. */
function summaryOf(all: readonly StripRun[]): string {
  const runs = all.filter(({ other }) => other === undefined);
  const others = all.length - runs.length;
  const counts = new Map<string, number>();
  for (const run of runs) {
    const { word } = describeTask(run);
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const parts = [...counts].map(([word, count]) => `${count} ${word.toLowerCase()}`);
  const text = runs.length === 1 ? `Last run: ${parts.join()}` : `Last ${runs.length} runs: ${parts.join(", ")}`;
  return others === 0 ? text : `${runs.length === 0 ? "No backup" : text}; ${counted(others, "other run")} below`;
}
