import type { Task } from "@holdfast/client";
import { ItemLink } from "../../components/item-link";
import { MonitorLink } from "../../components/monitor-link";
import { Panel } from "../../components/panel";
import { TimeText } from "../../components/time-text";
import { Untrusted } from "../../components/untrusted";
import { categoryWords, wordOf } from "../../texts/task-words";

/** Everything else that is known of a task. */
export function TaskFacts({ task, unitName }: { task: Task; unitName: string }) {
  const { abort, late_report: late } = task;
  return (
    <Panel title="Facts">
      <dl className="facts">
        <dt>Category</dt>
        <dd>{wordOf(categoryWords, task.category)}</dd>
        {task.operation !== undefined && (
          <>
            <dt>Operation</dt>
            <dd>
              <Untrusted text={task.operation} />
            </dd>
          </>
        )}
        <dt>Unit</dt>
        <dd>
          <Untrusted text={unitName} />
        </dd>
        {task.primary_entity && (
          <>
            <dt>Item</dt>
            <dd>
              <ItemLink entity={task.primary_entity} unitId={task.organizational_unit_id} />
              <span className="soft">
                (<Untrusted text={task.primary_entity.type} />)
              </span>
            </dd>
          </>
        )}
        {task.monitor_id !== undefined && (
          <>
            <dt>Monitor</dt>
            <dd>
              <MonitorLink id={task.monitor_id} />
            </dd>
          </>
        )}
        <Moment name="Created" at={task.created_timestamp} />
        <Moment name="Started" at={task.start_timestamp} />
        <Moment name="Ended" at={task.end_timestamp} />
        <Moment name="Last heard of" at={task.last_heartbeat_timestamp} />
        <Moment name="First reported" at={task.received_timestamp ?? null} />
        <Moment name="Heard of again" at={task.revised_timestamp ?? null} />
        {task.runner && (
          <>
            <dt>Runner</dt>
            <dd>
              <Untrusted text={`${task.runner.host} · ${task.runner.version}`} />
            </dd>
          </>
        )}
        {task.attempt !== undefined && (
          <>
            <dt>Attempt</dt>
            <dd>{task.attempt}</dd>
          </>
        )}
        {abort && (
          <>
            <dt>Abort</dt>
            <dd>
              {abort.requested_timestamp ? "asked for" : "stopped on its host"}
              {abort.reason && (
                <>
                  : <Untrusted text={abort.reason} />
                </>
              )}
              {abort.signals && abort.signals.length > 0 && ` · signals ${abort.signals.join(", ")}`}
              {abort.process_tree_ended === false && " · processes of it may be left"}
            </dd>
          </>
        )}
        {late && (
          <>
            <dt>Late report</dt>
            <dd>
              Attempt {late.attempt} said "{late.status}" afterwards. It was not believed.
            </dd>
          </>
        )}
        <dt>Id</dt>
        <dd className="mono">
          <Untrusted text={task.id} />
        </dd>
      </dl>
    </Panel>
  );
}

function Moment({ name, at }: { name: string; at: string | null }) {
  if (at === null) return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <TimeText at={at} isFull />
      </dd>
    </>
  );
}
