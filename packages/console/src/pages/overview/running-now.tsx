import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { Panel } from "../../components/panel";
import { TaskProgress } from "../../components/progress";
import { SkeletonRows } from "../../components/states";
import { StatusMark } from "../../components/status-mark";
import { Untrusted } from "../../components/untrusted";
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
      {!now && <SkeletonRows count={4} />}
      {now?.tasks.length === 0 && <p className="soft">Nothing runs now.</p>}
      <ul className="plain-list stack-small">
        {now?.tasks.slice(0, shown).map((task) => (
          <li key={task.id} className="running-item">
            <div className="spread">
              <Link to="/tasks/$id" params={{ id: task.id }} className="clip running-name">
                <Untrusted text={taskTitle(task)} />
              </Link>
              <span className="small">
                <StatusMark {...describeTask(task)} />
              </span>
            </div>
            <div className="small soft clip">
              <Untrusted text={task.type} />
            </div>
            <TaskProgress task={task} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}
