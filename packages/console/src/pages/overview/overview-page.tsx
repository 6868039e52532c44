import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { OutcomeColumns } from "../../components/outcome-columns";
import { Page } from "../../components/page";
import { Panel } from "../../components/panel";
import { SafeText } from "../../components/safe-text";
import { ErrorState, SkeletonRows } from "../../components/states";
import { StatusMark } from "../../components/status-mark";
import { TimeText, useZone } from "../../components/time-text";
import { usePollInterval } from "../../data/idle-tracker";
import { useEntityCounts, useTroubledMonitors } from "../../data/protection";
import { queryKey } from "../../data/query-keys";
import { useClient, useUnit } from "../../data/unit";
import { needsAttention } from "../../texts/state-words";
import { describeTask, reasonOf } from "../../texts/task-words";
import { dayText, hourText, ownZone } from "../../texts/times";
import { thisMinute } from "../tasks/task-search";
import { taskTitle } from "../tasks/task-table";
import { ExpiringTokens } from "./expiring-tokens";
import { FirstSteps } from "./first-steps";
import { judgeLastDay, judgeProtection } from "./judge-protection";
import { LateMonitors } from "./late-monitors";
import { NeedsAttention } from "./needs-attention";
import { RunningNow } from "./running-now";
import { dayEdges, hourEdges } from "./time-edges";
import { Verdict } from "./verdict";

const isNeeding = (state: string) => needsAttention.some((one) => one === state);

const failures = ["error", "lost", "missed", "expired"] as const;

/** Can I sleep? How safe everything is, and what is busy, side by side. */
export function OverviewPage() {
  const zone = useZone();
  const hours = hourEdges(thisMinute(), 24);
  const days = dayEdges(thisMinute(), 30);
  const lastDay = useCounts("hour", hours);
  const lastMonth = useCounts("day", days);
  const latest = useLatestFailures();
  const items = useEntityCounts();
  const muted = useEntityCounts({ isMuted: true });
  // Items that need attention decide the verdict whatever monitors say.
  const troubled = useTroubledMonitors(items.data?.every(({ state }) => !isNeeding(state)) ?? false);
  const mutedCount = muted.data?.reduce((sum, { count }) => sum + count, 0) ?? 0;
  const seesItems = items.data !== undefined && items.data.length + mutedCount > 0;
  const verdict = seesItems
    ? judgeProtection({ counts: items.data, mutedCount, troubledMonitors: troubled.data ?? 0 })
    : lastDay.data && judgeLastDay(lastDay.data);
  // No verdict is better than one that leaves something out.
  const unread = [items, muted, troubled].find(({ data, error }) => error && data === undefined);
  useFavicon((verdict?.count ?? 0) > 0);
  const isEmpty = lastMonth.data?.length === 0 && lastDay.data?.length === 0 && !seesItems;
  if (isEmpty) {
    return (
      <Page title="Overview">
        <p className="soft">
          {/* An item stays when its tasks are old: without any, nothing was ever reported. */}
          {items.data ? "Nothing was reported here yet." : "Nothing was reported in the last 30 days."} These are the
          first steps:
        </p>
        <FirstSteps />
      </Page>
    );
  }
  // Content above moves the content below: nothing is drawn that would move a moment later.
  if (items.isLoading || muted.isLoading || troubled.isLoading) {
    return (
      <Page title="Overview">
        <SkeletonRows />
      </Page>
    );
  }
  return (
    <Page title="Overview" titlePrefix={verdict && verdict.count > 0 ? `(${verdict.count}) ` : ""}>
      {unread && <ErrorState error={unread.error} onRetry={() => void unread.refetch()} />}
      {verdict && !unread && <Verdict verdict={verdict} at={seesItems ? items.dataUpdatedAt : lastDay.dataUpdatedAt} />}
      <div className="overview-columns">
        <div className="stack">
          {verdict?.mark === "error" && verdict.list?.to === "/entities" && <NeedsAttention count={verdict.count} />}
          <Panel title="Last 24 hours">
            <Figure query={lastDay}>
              {(counts) => (
                <OutcomeColumns
                  label="Tasks of the last 24 hours by outcome"
                  counts={counts}
                  edges={hours}
                  nameOf={(start) => `${dayText(start, zone)}, ${hourText(start, zone)}`}
                  tickOf={(start) => hourText(start, zone)}
                />
              )}
            </Figure>
          </Panel>
          <Panel title="Last 30 days">
            <Figure query={lastMonth}>
              {(counts) => (
                <OutcomeColumns
                  label="Tasks of the last 30 days by outcome"
                  counts={counts}
                  edges={days}
                  nameOf={(start) => dayText(start, ownZone)}
                  tickOf={(start) => dayText(start, ownZone).replace(/ \d{4}$/, "")}
                />
              )}
            </Figure>
          </Panel>
        </div>
        <div className="stack">
          <RunningNow />
          <LateMonitors />
          <ExpiringTokens />
        </div>
      </div>
      <Panel
        title="Latest failures"
        aside={
          <Link to="/tasks" search={{ outcome: failures.join(","), since: "24h" }}>
            Show all of the last 24 hours
          </Link>
        }
      >
        {latest.error && !latest.data ? (
          <ErrorState error={latest.error} onRetry={() => void latest.refetch()} />
        ) : null}
        {latest.data?.items.length === 0 && <p className="soft">No task failed in the last 24 hours.</p>}
        <ul className="failures">
          {latest.data?.items.map((task) => (
            <li key={task.id}>
              <StatusMark {...describeTask(task)} />
              <Link to="/tasks/$id" params={{ id: task.id }} className="clip failure-item">
                <SafeText text={taskTitle(task)} />
              </Link>
              <span className="soft">
                <TimeText at={task.created_timestamp} />
              </span>
              <span className="failure-text">
                <span className="clip">
                  <SafeText text={reasonOf(task, zone)} />
                </span>
                <span className="clip soft">
                  <SafeText text={task.error?.remedy ?? ""} />
                </span>
              </span>
            </li>
          ))}
        </ul>
      </Panel>
    </Page>
  );
}

function Figure<Data>({
  query,
  children,
}: {
  query: { data: Data | undefined; error: unknown; refetch: () => unknown };
  children: (data: Data) => React.ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
  return query.error ? (
    <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  ) : (
    <div className="skeleton figure-skeleton" />
  );
}

function useCounts(interval: "hour" | "day", edges: readonly number[]) {
  const client = useClient();
  const unit = useUnit();
  const from = new Date(edges[0] ?? 0).toISOString();
  return useQuery({
    queryKey: queryKey(unit, "list-task-counts", { interval, from }),
    queryFn: async ({ signal }) => {
      const filter = { created_timestamp: { $gte: from } };
      return (await client.tasks.counts({ interval, timeZone: ownZone, filter, limit: 1000, signal }).page()).items;
    },
    refetchInterval: usePollInterval(30_000),
  });
}

function useLatestFailures() {
  const client = useClient();
  const unit = useUnit();
  return useQuery({
    queryKey: queryKey(unit, "list-tasks", "failures"),
    queryFn: ({ signal }) => {
      const since = new Date(thisMinute() - 86_400_000);
      const filter = { outcome: { $in: failures }, created_timestamp: { $gte: since } };
      return client.tasks.list({ filter, limit: 5, signal }).page();
    },
    refetchInterval: usePollInterval(30_000),
  });
}

/** Marks the icon of the tab while something needs attention. */
function useFavicon(needsAttention: boolean): void {
  useEffect(() => {
    const shown = document.querySelector<HTMLLinkElement>('link[data-favicon="calm"]');
    const marked = document.querySelector<HTMLLinkElement>('link[data-favicon="attention"]');
    if (!shown || !marked || !needsAttention) return;
    const calm = shown.href;
    shown.href = marked.href;
    return () => {
      shown.href = calm;
    };
  }, [needsAttention]);
}
