import type { Page, Task } from "@holdfast/client";
import { Link } from "@tanstack/react-router";
import { type Column, DataTable } from "../../components/data-table";
import { TaskProgress } from "../../components/progress";
import { SafeText } from "../../components/safe-text";
import { StatusMark } from "../../components/status-mark";
import { Duration, TimeText, useZone } from "../../components/time-text";
import { UnitName } from "../../components/unit-name";
import { useUnits } from "../../data/names";
import { describeTask, isUnfinished, livenessReasons, livenessWords, reasonOf, wordOf } from "../../texts/task-words";

/** Title of a task in lists: what it protects, else its own name. */
export function taskTitle(task: Pick<Task, "primary_entity" | "name" | "type">): string {
  return task.primary_entity?.value || task.name || task.type;
}

export interface TaskTableProps {
  page: Page<Task>;
  isBusy: boolean;
  changed: ReadonlySet<string>;
}

/** The tasks of a page. */
export function TaskTable({ page, isBusy, changed }: TaskTableProps) {
  const units = useUnits(page.items.map((task) => task.organizational_unit_id));
  const columns: Column<Task>[] = [
    { title: "Outcome", width: "116px", cell: (task) => <StatusMark {...describeTask(task)} /> },
    {
      title: "Item",
      width: "25%",
      className: "strong",
      cell: (task) => (
        <Link to="/tasks/$id" params={{ id: task.id }} className="row-link clip">
          <SafeText text={taskTitle(task)} />
        </Link>
      ),
    },
    {
      title: "Type",
      width: "14%",
      className: "card-inline",
      cell: ({ type }) => (
        <span className="clip">
          <SafeText text={type} />
        </span>
      ),
    },
    ...(units.length > 1
      ? [
          {
            title: "Unit",
            width: "11%",
            className: "card-inline",
            cell: ({ organizational_unit_id: id }: Task) => <UnitName units={units} id={id} />,
          },
        ]
      : []),
    {
      title: "Created",
      width: "118px",
      className: "card-inline",
      cell: ({ created_timestamp }) => <TimeText at={created_timestamp} />,
    },
    {
      title: "Took",
      width: "106px",
      className: "card-inline",
      cardLabel: "Took",
      isBlank: ({ start_timestamp }) => start_timestamp === null,
      cell: ({ start_timestamp, end_timestamp, outcome }) => (
        <Duration from={start_timestamp} to={end_timestamp} isAtLeast={outcome === "lost"} />
      ),
    },
    { title: "Details", cell: (task) => <Details task={task} isChanged={changed.has(task.id)} /> },
  ];
  return (
    <DataTable
      name="Tasks"
      columns={columns}
      items={page.items}
      idOf={({ id }) => id}
      isBusy={isBusy}
      isChanged={({ id }) => changed.has(id)}
    />
  );
}

function Details({ task, isChanged }: { task: Task; isChanged: boolean }) {
  const { liveness } = task;
  const zone = useZone();
  return (
    <span className="progress-line">
      {isChanged && <span className="badge look-neutral">changed</span>}
      {liveness && (
        <span className="badge look-incomplete" title={livenessReasons[liveness]}>
          {wordOf(livenessWords, liveness)}
        </span>
      )}
      {isUnfinished(task) ? (
        <TaskProgress task={task} />
      ) : (
        <span className="clip-two small soft">
          <SafeText text={reasonOf(task, zone)} />
        </span>
      )}
    </span>
  );
}
