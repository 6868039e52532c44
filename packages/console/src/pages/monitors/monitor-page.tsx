import type { Page as ListPage, Task, WatchEvent } from "@holdfast/client";
import { Button, NativeSelect } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { ShowApiCall } from "../../components/api-call";
import { CopyField } from "../../components/copy";
import { ConfirmDialog } from "../../components/dialogs";
import { EditConflict } from "../../components/edit-conflict";
import { Facts } from "../../components/facts";
import { ItemLink } from "../../components/item-link";
import { LastChange } from "../../components/last-change";
import { LateBy } from "../../components/late-by";
import { OutcomeStrip } from "../../components/outcome-strip";
import { Page } from "../../components/page";
import { Panel } from "../../components/panel";
import { PermissionButton } from "../../components/permission-button";
import { PingSnippets } from "../../components/ping-snippets";
import { SafeText } from "../../components/safe-text";
import { ErrorState, SkeletonRows } from "../../components/states";
import { StatusMark } from "../../components/status-mark";
import { TimeText, useZone, wholeTime } from "../../components/time-text";
import { useChange } from "../../data/change";
import { useConflictSafeSave } from "../../data/conflict-safe-save";
import { type Monitor, stripRuns } from "../../data/protection";
import { queryKey } from "../../data/query-keys";
import { useClient, useUnit } from "../../data/unit";
import { useWatchTasks } from "../../data/watch-tasks";
import { roughDuration } from "../../texts/durations";
import { scheduleText, scheduleWords, zoneWords } from "../../texts/schedule-text";
import { lookOf, monitorLooks } from "../../texts/state-words";
import { MonitorForm } from "./monitor-form";
import { MonitorRuns, runsKey } from "./monitor-runs";
import { NotifiedPeople } from "./notified-people";

const day = 86_400_000;
const overlaps = [
  { value: "0", label: "no time: it ends at once" },
  { value: "3600", label: "1 hour" },
  { value: "86400", label: "1 day" },
  { value: "604800", label: "7 days" },
];

function pauseFacts(paused_until: string | null, zone: string) {
  return { "Paused until": paused_until === null ? "not paused" : wholeTime(Date.parse(paused_until), zone) };
}

export function MonitorPage() {
  const { id = "" } = useParams({ strict: false });
  const client = useClient();
  const unit = useUnit();
  const queryClient = useQueryClient();
  const {
    data: monitor,
    error,
    refetch,
  } = useQuery({
    queryKey: queryKey(unit, "read-monitor", id),
    queryFn: ({ signal }) => client.monitors.read(id, { signal }),
    structuralSharing: false,
  });
  useWatchTasks({
    filter: { monitor_id: id },
    isOn: monitor !== undefined,
    snapshot: 1,
    onEvents: (events) => {
      const newest = queryClient.getQueryData<ListPage<Task>>(runsKey(unit, id));
      if (newest && events.every((event) => isKnown(event, newest.items[0]))) return;
      void queryClient.invalidateQueries({ queryKey: queryKey(unit, "read-monitor", id) });
      void queryClient.invalidateQueries({ queryKey: runsKey(unit, id) });
    },
  });
  if (error && !monitor) {
    return (
      <Page title="Monitor">
        <ErrorState error={error} onRetry={() => void refetch()} />
      </Page>
    );
  }
  return monitor ? <ShownMonitor monitor={monitor} /> : <SkeletonRows />;
}

function ShownMonitor({ monitor }: { monitor: Monitor }) {
  const client = useClient();
  const navigate = useNavigate();
  const [open, setOpen] = useState<"edit" | "replace" | "delete">();
  const close = () => setOpen(undefined);
  const pause = useConflictSafeSave({
    send: (paused_until: string | null, ifMatch) => client.monitors.update(monitor.id, { paused_until }, { ifMatch }),
    read: () => client.monitors.read(monitor.id),
    key: queryKey(useUnit(), "read-monitor", monitor.id),
  });
  const zone = useZone();
  const [overlap, setOverlap] = useState("86400");
  const replace = useChange(
    (_: undefined, idempotencyKey) =>
      client.monitors.rotateUrl(monitor.id, { overlap_seconds: Number(overlap) }, { idempotencyKey }),
    close,
  );
  const remove = useChange(
    () => client.monitors.delete(monitor.id),
    () => void navigate({ to: "/monitors" }),
  );
  const isPaused = monitor.state === "paused";
  // Where no run was heard of yet, how to report one is what the page is for.
  const isFirst = monitor.last_ping_timestamp === null && monitor.recent_outcomes.length === 0;
  const reports = monitor.ping_url !== undefined && (
    <Panel title="Where runs are reported">
      <CopyField label="Ping URL" value={monitor.ping_url} button="Copy ping URL" />
      <PingSnippets url={monitor.ping_url} slug={monitor.slug} type={monitor.type} schedule={monitor.schedule} />
    </Panel>
  );
  return (
    <Page
      title={monitor.name}
      above={
        <p className="crumbs">
          <Link to="/monitors">Monitors</Link>
        </p>
      }
      actions={
        <>
          <ShowApiCall resource="monitors" path={`/monitors/${monitor.id}`} />
          <PermissionButton permission="monitors:write" variant="default" onClick={() => setOpen("edit")}>
            Edit
          </PermissionButton>
          <PermissionButton
            permission="monitors:write"
            variant="default"
            loading={pause.isPending}
            onClick={() => pause.save(isPaused ? null : new Date(Date.now() + 7 * day).toISOString(), monitor)}
          >
            {isPaused ? "Resume" : "Pause"}
          </PermissionButton>
        </>
      }
    >
      {pause.error && <ErrorState error={pause.error} />}
      <EditConflict
        what="monitor"
        saving={pause}
        factsOf={({ paused_until }) => pauseFacts(paused_until, zone)}
        mine={(paused_until) => pauseFacts(paused_until, zone)}
      />
      <div className="task-line" role="status" aria-label="State">
        <span className="task-state">
          <StatusMark {...lookOf(monitorLooks, monitor.state)} />
        </span>
        {monitor.is_running && <StatusMark mark="running" word="Running" />}
        {monitor.next_expected_timestamp !== null && <LateBy due={Date.parse(monitor.next_expected_timestamp)} />}
        {isPaused && (
          <span className="soft">
            until <TimeText at={monitor.paused_until} isFull />
          </span>
        )}
      </div>
      {isFirst && reports}
      <Panel
        title="Last runs"
        aside={
          monitor.last_task_id && (
            <Link to="/tasks" search={{ monitor: monitor.id }}>
              Show all tasks
            </Link>
          )
        }
      >
        {monitor.recent_outcomes.length === 0 ? (
          <p className="soft">No run has ended yet.</p>
        ) : (
          <OutcomeStrip runs={stripRuns(monitor.recent_outcomes)} isSummed />
        )}
        <MonitorRuns monitorId={monitor.id} />
      </Panel>
      {!isFirst && reports}
      <Panel title="Facts">
        <Facts
          facts={{
            Expected: (
              <span title={scheduleText(monitor.schedule)}>
                {scheduleWords(monitor.schedule)} <span className="soft">{zoneWords(monitor.schedule)}</span>
              </span>
            ),
            "Next run": <TimeText at={monitor.next_expected_timestamp} isFull />,
            "Grace period": roughDuration(monitor.grace_seconds * 1000),
            "Last ping":
              monitor.last_ping_timestamp === null ? (
                <span className="soft">never</span>
              ) : (
                <TimeText at={monitor.last_ping_timestamp} isFull />
              ),
            Slug: <span className="mono">{monitor.slug}</span>,
            Item: (
              <>
                <ItemLink entity={monitor.primary_entity} unitId={monitor.organizational_unit_id} />
                <span className="soft">
                  (<SafeText text={monitor.primary_entity.type} />)
                </span>
              </>
            ),
            Type: <SafeText text={monitor.type} />,
          }}
        />
        <LastChange kind="monitor" id={monitor.id} />
      </Panel>
      <NotifiedPeople />
      {monitor.ping_url !== undefined && (
        <div className="row">
          <Button variant="default" onClick={() => setOpen("replace")}>
            Replace ping URL
          </Button>
          <Button variant="default" className="danger" onClick={() => setOpen("delete")}>
            Delete monitor
          </Button>
        </div>
      )}
      {open === "edit" && <MonitorForm monitor={monitor} onClose={close} />}
      <ConfirmDialog
        title="Replace the ping URL?"
        isOpen={open === "replace"}
        onClose={close}
        confirm="Replace ping URL"
        isBusy={replace.isPending}
        error={replace.error}
        onConfirm={() => replace.mutate(undefined)}
      >
        <p>Change it where it is used while both are good.</p>
        <NativeSelect
          label="The old one stays good for"
          value={overlap}
          data={overlaps}
          onChange={(event) => setOverlap(event.currentTarget.value)}
        />
      </ConfirmDialog>
      <ConfirmDialog
        title="Delete this monitor?"
        isOpen={open === "delete"}
        onClose={close}
        confirm="Delete monitor"
        isDangerous
        isBusy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate(undefined)}
      >
        <p>Nothing is expected any more, and its ping URL stops working. Its tasks stay.</p>
      </ConfirmDialog>
    </Page>
  );
}

/** True if an event is the beginning of the stream, with a newest run that is shown already. */
function isKnown(event: WatchEvent<Task>, shown: Task | undefined): boolean {
  if (event.event !== "snapshot") return false;
  const [run] = event.page.items;
  return run?.id === shown?.id && run?.status === shown?.status;
}
