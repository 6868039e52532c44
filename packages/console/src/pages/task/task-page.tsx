import type { Task } from "@holdfast/client";
import { Button, Tooltip } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { ShowApiCall } from "../../components/api-call";
import { Page, PageHeading, usePageTitle } from "../../components/page";
import { TaskProgress } from "../../components/progress";
import { SafeText } from "../../components/safe-text";
import { ErrorState, SkeletonRows } from "../../components/states";
import { StatusMark } from "../../components/status-mark";
import { Duration, TimeText, useNow } from "../../components/time-text";
import { unitName, useUnits } from "../../data/names";
import { queryKey } from "../../data/query-keys";
import { useMay } from "../../data/rights";
import { hasStatus } from "../../data/service";
import { useClient, useUnit } from "../../data/unit";
import { useWatchTasks } from "../../data/watch-tasks";
import { roughDuration } from "../../texts/durations";
import { describeTask, isUnfinished, livenessReasons, livenessWords, wordOf } from "../../texts/task-words";
import { taskTitle } from "../tasks/task-table";
import { AbortDialog } from "./abort-dialog";
import { OtherRuns } from "./other-runs";
import { TaskErrorPanel } from "./task-error";
import { TaskFacts } from "./task-facts";
import { TaskLog } from "./task-log";

export function TaskPage() {
  const { id = "" } = useParams({ strict: false });
  const client = useClient();
  const unit = useUnit();
  const queryClient = useQueryClient();
  const key = queryKey(unit, "read-task", id);
  const {
    data: task,
    error,
    refetch,
  } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => client.tasks.read(id, { signal }),
    refetchOnWindowFocus: false,
  });
  // A lost task may come back, so it stays watched; every other end is final.
  const isWatched = task !== undefined && (isUnfinished(task) || task.outcome === "lost");
  useWatchTasks({
    filter: { id },
    isOn: isWatched,
    snapshot: 1,
    onEvents: (events) => {
      for (const event of events) {
        if (event.event === "task" || event.event === "match") queryClient.setQueryData(key, event.item);
        if (event.event === "snapshot" && event.page.items[0]) queryClient.setQueryData(key, event.page.items[0]);
      }
    },
  });
  if (error && !task) return <NoTask error={error} onRetry={() => void refetch()} />;
  if (!task) return <SkeletonRows />;
  return <ShownTask task={task} />;
}

function NoTask({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const isMissing = hasStatus(error, 404);
  usePageTitle(isMissing ? "Not there, or not yours · Holdfast" : "Task · Holdfast");
  return (
    <div className="page">
      <p className="crumbs">
        <Link to="/tasks">Tasks</Link>
      </p>
      <PageHeading title={isMissing ? "Not there, or not yours" : "Task"} />
      {isMissing ? (
        <p className="soft">It was removed, never existed, or belongs to a unit in which you hold no role.</p>
      ) : (
        <ErrorState error={error} onRetry={onRetry} />
      )}
    </div>
  );
}

function ShownTask({ task }: { task: Task }) {
  const [isAborting, setAborting] = useState(false);
  const units = useUnits([task.organizational_unit_id]);
  const nameOfUnit = unitName(units, task.organizational_unit_id);
  return (
    <Page
      title={taskTitle(task)}
      above={
        <p className="crumbs">
          <Link to="/tasks">Tasks</Link> / <SafeText text={task.type} maxLength={60} />
        </p>
      }
      actions={
        <>
          {isUnfinished(task) && <AbortButton task={task} onAbort={() => setAborting(true)} />}
          <ShowApiCall resource="tasks" path={`/tasks/${encodeURIComponent(task.id)}`} />
        </>
      }
    >
      <div className="task-line" role="status" aria-label="State">
        <span className="task-state">
          <StatusMark {...describeTask(task)} />
        </span>
        {task.liveness && (
          <Tooltip label={livenessReasons[task.liveness]}>
            <span className="badge look-incomplete">{wordOf(livenessWords, task.liveness)}</span>
          </Tooltip>
        )}
        <span className="soft">
          <SafeText text={task.type} /> · <SafeText text={nameOfUnit} maxLength={60} /> ·{" "}
          <TimeText at={task.created_timestamp} isFull />
          {task.start_timestamp !== null && (
            <>
              {hasWaited(task.created_timestamp, task.start_timestamp) && (
                <>
                  {" · "}waited <Duration from={task.created_timestamp} to={task.start_timestamp} />
                </>
              )}
              {" · "}
              {task.end_timestamp === null ? "runs for" : "ran"}{" "}
              <Duration from={task.start_timestamp} to={task.end_timestamp} isAtLeast={task.outcome === "lost"} />
            </>
          )}
        </span>
        {task.status === "aborting" && <AbortAsked task={task} />}
      </div>
      {isUnfinished(task) && (
        <div className="panel">
          <TaskProgress task={task} isWide />
        </div>
      )}
      <div className="task-columns">
        <div className="stack">
          {task.error && <TaskErrorPanel task={task} error={task.error} />}
          <TaskLog task={task} />
        </div>
        <div className="stack">
          <OtherRuns task={task} />
          <TaskFacts task={task} unitName={nameOfUnit} />
        </div>
      </div>
      <AbortDialog task={task} isOpen={isAborting} onClose={() => setAborting(false)} />
    </Page>
  );
}

/** Asks for an abort. What the role or the task does not allow is said, not left to a refusal. */
function AbortButton({ task, onAbort }: { task: Task; onAbort: () => void }) {
  const mayAbort = useMay("tasks:abort");
  if (task.status === "aborting") return null;
  const reason = !mayAbort
    ? "Your role lacks the permission tasks:abort in this unit."
    : task.is_abortable
      ? undefined
      : "Its runner cannot be asked to stop it now.";
  if (reason === undefined) {
    return (
      <Button variant="default" className="danger" onClick={onAbort}>
        Abort task
      </Button>
    );
  }
  return (
    <Tooltip label={reason}>
      <span>
        <Button variant="default" disabled aria-describedby="abort-reason">
          Abort task
        </Button>
        <span id="abort-reason" className="visually-hidden">
          {reason}
        </span>
      </span>
    </Tooltip>
  );
}

function AbortAsked({ task }: { task: Task }) {
  const now = useNow();
  const asked = task.abort?.requested_timestamp;
  if (!asked) return null;
  return <span className="soft">asked {roughDuration(now - Date.parse(asked))} ago</span>;
}

/** True if a task stood in a queue for as long as a person would notice. */
function hasWaited(created: string, started: string): boolean {
  return Date.parse(started) - Date.parse(created) >= 1000;
}
