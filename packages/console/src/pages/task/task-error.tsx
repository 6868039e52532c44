import type { Task } from "@holdfast/client";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { MonitorLink } from "../../components/monitor-link";
import { SafeText, SafeTextBlock } from "../../components/safe-text";
import { useZone } from "../../components/time-text";
import { queryKey } from "../../data/query-keys";
import { useClient, useUnit } from "../../data/unit";
import { counted } from "../../texts/numbers";
import { reasonOf } from "../../texts/task-words";

type TaskError = NonNullable<Task["error"]>;

/** The heading and the colour follow the outcome: red is for errors. */
function lookOf(outcome: Task["outcome"]) {
  if (outcome === "warning") return { title: "What is incomplete", look: "incomplete" };
  if (outcome === "missed" || outcome === "expired") return { title: "What was missed", look: "missed" };
  if (outcome === "cancelled") return { title: "Why it was stopped", look: "neutral" };
  return { title: "What went wrong", look: "error" };
}

/** Why a task did not succeed, what to do about it, and how many others ended alike. A missed run names the monitor that expected it. */
export function TaskErrorPanel({ task, error }: { task: Task; error: TaskError }) {
  const { title, look } = lookOf(task.outcome);
  const zone = useZone();
  const client = useClient();
  const unit = useUnit();
  const { data: alike } = useQuery({
    queryKey: queryKey(unit, "list-tasks", { alike: error.code }),
    queryFn: async ({ signal }) => {
      const since = new Date(Math.floor(Date.now() / 60_000) * 60_000 - 7 * 86_400_000);
      const filter = { "error.code": error.code, created_timestamp: { $gte: since } };
      return (await client.tasks.list({ filter, limit: 1, signal }).page()).total_count;
    },
    enabled: error.code !== "",
  });
  return (
    <section className={`notice look-${look} wrong`} aria-label={title}>
      <div className="spread">
        <h2>{title}</h2>
        <span className="row small">
          {error.code && <code>{error.code}</code>}
          {alike !== undefined && alike > 1 && (
            <Link to="/tasks" search={{ error: error.code, since: "7d" }}>
              {counted(alike, "task")} with this error in the last 7 days
            </Link>
          )}
        </span>
      </div>
      <div className="ink">
        <SafeTextBlock text={reasonOf(task, zone)} />
      </div>
      {task.outcome === "missed" && task.monitor_id !== undefined && (
        <p className="ink">
          It was expected by <MonitorLink id={task.monitor_id} />.
        </p>
      )}
      {error.remedy && (
        <p className="ink">
          <strong>What to do: </strong>
          <SafeText text={error.remedy} maxLength={2000} />
        </p>
      )}
    </section>
  );
}
