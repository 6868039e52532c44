import type { Task } from "@holdfast/client";
import { Facts } from "../../components/facts";
import { ItemLink } from "../../components/item-link";
import { MonitorLink } from "../../components/monitor-link";
import { Panel } from "../../components/panel";
import { SafeText } from "../../components/safe-text";
import { TimeText } from "../../components/time-text";
import { categoryWords, wordOf } from "../../texts/task-words";

/** Everything else that is known of a task. */
export function TaskFacts({ task, unitName }: { task: Task; unitName: string }) {
  const { abort, late_report: late } = task;
  return (
    <Panel title="Facts">
      <Facts
        facts={{
          Category: wordOf(categoryWords, task.category),
          Operation: task.operation !== undefined && <SafeText text={task.operation} />,
          Unit: <SafeText text={unitName} />,
          Item: task.primary_entity && (
            <>
              <ItemLink entity={task.primary_entity} unitId={task.organizational_unit_id} />
              <span className="soft">
                (<SafeText text={task.primary_entity.type} />)
              </span>
            </>
          ),
          Monitor: task.monitor_id !== undefined && <MonitorLink id={task.monitor_id} />,
          Created: moment(task.created_timestamp),
          Started: moment(task.start_timestamp),
          Ended: moment(task.end_timestamp),
          "Last heard of": moment(task.last_heartbeat_timestamp),
          "First reported": moment(task.received_timestamp),
          "Heard of again": moment(task.revised_timestamp),
          Runner: task.runner && <SafeText text={`${task.runner.host} · ${task.runner.version}`} />,
          Attempt: task.attempt,
          Abort: abort && (
            <>
              {abort.requested_timestamp ? "asked for" : "stopped on its host"}
              {abort.reason && (
                <>
                  : <SafeText text={abort.reason} />
                </>
              )}
              {abort.signals && abort.signals.length > 0 && ` · signals ${abort.signals.join(", ")}`}
              {abort.process_tree_ended === false && " · processes of it may be left"}
            </>
          ),
          "Late report": late && `Attempt ${late.attempt} said "${late.status}" afterwards. It was not believed.`,
          Id: (
            <span className="mono">
              <SafeText text={task.id} />
            </span>
          ),
        }}
      />
    </Panel>
  );
}

function moment(at: string | null | undefined) {
  return at && <TimeText at={at} isFull />;
}
