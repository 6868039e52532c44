import { Popover } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "@tanstack/react-router";
import { useState } from "react";
import { TaskProgress } from "../components/progress";
import { SafeText } from "../components/safe-text";
import { MarkShape } from "../components/status-mark";
import { usePollInterval } from "../data/idle-tracker";
import { queryKey } from "../data/query-keys";
import { offers, useDiscovery } from "../data/rights";
import { runningNow } from "../data/running-now";
import { useStore } from "../data/store";
import { useClient, useUnit } from "../data/unit";
import { countText } from "../texts/numbers";
import { describeTask } from "../texts/task-words";

const howMany = 5;

/** Number of running tasks, and the newest of them. Not there where none does. */
export function RunningTasks() {
  const client = useClient();
  const unit = useUnit();
  const { data: index } = useDiscovery();
  const [isOpen, setOpen] = useState(false);
  const refetchInterval = usePollInterval(30_000);
  const { pathname } = useLocation();
  const streamed = useStore(runningNow);
  const isOverview = pathname === "/";
  const { data: page } = useQuery({
    queryKey: queryKey(unit, "list-tasks", "running"),
    queryFn: ({ signal }) =>
      client.tasks
        .list({ filter: { status: { $in: ["queued", "in_progress", "aborting"] } }, limit: howMany, signal })
        .page(),
    // The overview reads a stream of exactly this.
    enabled: !isOverview && offers(index, "tasks", "list-tasks"),
    refetchInterval,
  });
  const running = isOverview ? streamed : page && { tasks: page.items, total: page.total_count };
  if (!running || running.total === 0) return null;
  const count = countText(running.total);
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" width={340} trapFocus>
      <Popover.Target>
        <button
          type="button"
          className="header-button header-button-outlined"
          aria-label={`Running tasks: ${count}`}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <MarkShape mark="running" />
          <span className="only-wide">Running tasks:</span> {count}
        </button>
      </Popover.Target>
      <Popover.Dropdown>
        <ul className="plain-list stack-small">
          {running.tasks.slice(0, howMany).map((task) => (
            <li key={task.id} className="running-item">
              <Link
                to="/tasks/$id"
                params={{ id: task.id }}
                className="clip running-name"
                onClick={() => setOpen(false)}
              >
                <SafeText text={task.primary_entity?.value ?? task.name ?? task.type} />
              </Link>
              <span className="small soft clip">
                {describeTask(task).word} · <SafeText text={task.type} />
              </span>
              <TaskProgress task={task} />
            </li>
          ))}
        </ul>
        <Link to="/tasks" search={{ status: "queued,in_progress,aborting" }} onClick={() => setOpen(false)}>
          Show all running tasks
        </Link>
      </Popover.Dropdown>
    </Popover>
  );
}
