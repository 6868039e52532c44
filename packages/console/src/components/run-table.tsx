import type { Task } from "@holdfast/client";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { describeTask, isUnfinished } from "../texts/task-words";
import { type Column, DataTable } from "./data-table";
import { TaskProgress } from "./progress";
import { StatusMark } from "./status-mark";
import { Duration, TimeText } from "./time-text";
import { Untrusted } from "./untrusted";

/** Number of runs that are shown at first: what is below them is to be found, too. */
const shownFirst = 8;

const columns: Column<Task>[] = [
  {
    title: "Outcome",
    width: "140px",
    className: "strong",
    cell: (task) => (
      <Link to="/tasks/$id" params={{ id: task.id }} className="row-link">
        <StatusMark {...describeTask(task)} />
      </Link>
    ),
  },
  { title: "Created", width: "130px", cell: ({ created_timestamp }) => <TimeText at={created_timestamp} /> },
  {
    title: "Took",
    width: "112px",
    cardLabel: "Took",
    isBlank: ({ start_timestamp }) => start_timestamp === null,
    cell: ({ start_timestamp, end_timestamp, outcome }) => (
      <Duration from={start_timestamp} to={end_timestamp} isAtLeast={outcome === "lost"} />
    ),
  },
  {
    title: "Details",
    isBlank: (task) => !isUnfinished(task) && !task.error?.message && !task.progress_message,
    cell: (task) =>
      isUnfinished(task) ? (
        <TaskProgress task={task} />
      ) : (
        <span className="clip soft">
          <Untrusted text={task.error?.message ?? task.progress_message ?? ""} />
        </span>
      ),
  },
];

const typeColumn: Column<Task> = {
  title: "Type",
  width: "20%",
  cell: ({ type }) => (
    <span className="clip">
      <Untrusted text={type} />
    </span>
  ),
};

export interface RunTableProps {
  runs: readonly Task[];
  isBusy: boolean;
  /** True if they can be of several types. */
  hasTypes?: boolean;
}

/** The last runs of one thing, newest first. */
export function RunTable({ runs, isBusy, hasTypes = false }: RunTableProps) {
  const [isWhole, setWhole] = useState(false);
  const [outcome, ...others] = columns;
  const all = outcome && hasTypes ? [outcome, typeColumn, ...others] : columns;
  return (
    <>
      <DataTable
        name="Runs"
        columns={all}
        items={isWhole ? runs : runs.slice(0, shownFirst)}
        idOf={({ id }) => id}
        isBusy={isBusy}
      />
      {!isWhole && runs.length > shownFirst && (
        <button type="button" className="text-button small more-runs" onClick={() => setWhole(true)}>
          Show {runs.length - shownFirst} more
        </button>
      )}
    </>
  );
}
