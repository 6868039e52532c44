import type { Task } from "@holdfast/client";
import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { Panel } from "../../components/panel";
import { TaskProgress } from "../../components/progress";
import { SafeText } from "../../components/safe-text";
import { StatusMark } from "../../components/status-mark";
import { type Running, runningNow } from "../../data/running-now";
import { useStore } from "../../data/store";
import { useUnit } from "../../data/unit";
import { useWatchTasks } from "../../data/watch-tasks";
import { countText } from "../../texts/numbers";
import { describeTask } from "../../texts/task-words";
import { taskTitle } from "../tasks/task-table";

const shown = 5;
/** More are known than are shown, so that others can take the place of those that end. */
const kept = 30;
const running = { status: { $in: ["queued", "in_progress", "aborting"] } };

/** Running tasks, as the stream reports them. */
export function RunningNow() {
  const now = useStore(runningNow);
  const unit = useUnit();
  const [slots, setSlots] = useState<readonly (Task | undefined)[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another unit has other tasks.
  useEffect(() => () => runningNow.write(undefined), [unit]);
  useWatchTasks({
    filter: running,
    isOn: true,
    snapshot: kept,
    onEvents: (events) => {
      let { tasks, total }: Running = runningNow.read() ?? { tasks: [], total: 0 };
      for (const event of events) {
        if (event.event === "snapshot") ({ tasks, total } = { tasks: event.page.items, total: event.page.total_count });
        else if (event.event === "task") tasks = tasks.map((task) => (task.id === event.item.id ? event.item : task));
        else if (event.event === "match") {
          total += 1;
          tasks = [event.item, ...tasks.filter(({ id }) => id !== event.item.id)].slice(0, kept);
        } else if (event.event === "gone") {
          total = Math.max(0, total - 1);
          tasks = tasks.filter(({ id }) => id !== event.id);
        }
      }
      runningNow.write({ tasks, total });
      setSlots((before) => fillSlots(before, tasks));
    },
  });
  return (
    <Panel
      title={now ? `Running now · ${countText(now.total)}` : "Running now"}
      aside={
        <Link to="/tasks" search={{ status: "queued,in_progress,aborting" }}>
          Show all
        </Link>
      }
    >
      <ul className="plain-list running-list" aria-busy={!now}>
        {now?.tasks.length === 0 && <li className="soft">Nothing runs now.</li>}
        {now !== undefined && now.total > 0 && slots.map((task, at) => <Slot key={task?.id ?? at} task={task} />)}
      </ul>
    </Panel>
  );
}

/** A place for a task. What is in the others stays where it is when one begins or ends. */
function Slot({ task }: { task: Task | undefined }) {
  if (!task) return <li className="running-item" aria-hidden="true" />;
  return (
    <li className="running-item">
      <div className="spread">
        <Link to="/tasks/$id" params={{ id: task.id }} className="clip running-name">
          <SafeText text={taskTitle(task)} />
        </Link>
        <span className="small">
          <StatusMark {...describeTask(task)} />
        </span>
      </div>
      <div className="running-line small">
        <span className="soft clip">
          <SafeText text={task.type} />
        </span>
        <TaskProgress task={task} />
      </div>
    </li>
  );
}

/** The places with what runs now: who has one keeps it, and others take those that are free. */
function fillSlots(before: readonly (Task | undefined)[], tasks: readonly Task[]): (Task | undefined)[] {
  const known = new Map(tasks.map((task) => [task.id, task]));
  const kept = Array.from({ length: shown }, (_, at) => known.get(before[at]?.id ?? ""));
  const waiting = tasks.filter((task) => !kept.includes(task));
  return kept.map((task) => task ?? waiting.shift());
}
