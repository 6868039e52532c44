import type { Task } from "@holdfast/client";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type Column, DataTable } from "../../components/data-table";
import { TaskProgress } from "../../components/progress";
import { StatusMark } from "../../components/status-mark";
import { Duration, TimeText } from "../../components/time-text";
import { Untrusted } from "../../components/untrusted";
import { queryKey } from "../../data/query-keys";
import { useClient, useUnit } from "../../data/unit";
import { describeTask, isUnfinished } from "../../texts/task-words";

const howMany = 30;

/** What the runs of a monitor are kept under. */
export function runsKey(unit: string | undefined, monitorId: string) {
  return queryKey(unit, "list-tasks", { monitorId });
}

const columns: Column<Task>[] = [
  {
    title: "Outcome",
    width: "124px",
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
    width: "100px",
    cardLabel: "took",
    cell: ({ start_timestamp, end_timestamp }) => <Duration from={start_timestamp} to={end_timestamp} />,
  },
  {
    title: "Details",
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

/** The last runs of a monitor, newest first. */
export function MonitorRuns({ monitorId }: { monitorId: string }) {
  const client = useClient();
  const unit = useUnit();
  const { data: page, isFetching } = useQuery({
    queryKey: runsKey(unit, monitorId),
    queryFn: ({ signal }) => client.tasks.list({ filter: { monitor_id: monitorId }, limit: howMany, signal }).page(),
  });
  if (!page || page.items.length === 0) return null;
  return <DataTable name="Runs" columns={columns} items={page.items} idOf={({ id }) => id} isBusy={isFetching} />;
}
