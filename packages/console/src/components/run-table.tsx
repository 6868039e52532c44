import type { Task } from "@holdfast/client";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { describeTask, isUnfinished, reasonOf } from "../texts/task-words";
import { type Column, DataTable } from "./data-table";
import { TaskProgress } from "./progress";
import { SafeText } from "./safe-text";
import { StatusMark } from "./status-mark";
import { Duration, TimeText, useZone } from "./time-text";

/** Number of runs that are shown at first: what is below them is to be found, too. */
const shownFirst = 8;

const columnsIn = (zone: string): Column<Task>[] => [
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
    isBlank: (task) => !isUnfinished(task) && !task.error?.message,
    cell: (task) =>
      isUnfinished(task) ? (
        <TaskProgress task={task} />
      ) : (
        <span className="clip soft">
          <SafeText text={reasonOf(task, zone)} />
        </span>
      ),
  },
];

const typeColumn: Column<Task> = {
  title: "Type",
  width: "20%",
  cell: ({ type }) => (
    <span className="clip">
      <SafeText text={type} />
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
  const columns = columnsIn(useZone());
  const all = hasTypes ? columns.toSpliced(1, 0, typeColumn) : columns;
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
