import { brokenNames, viewPages } from "@holdfast/api/resources/view-pages";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useBrokenNotice } from "../../components/broken-address";
import { type Column, DataTable } from "../../components/data-table";
import { FilterBar } from "../../components/filter-bar";
import { LateBy } from "../../components/late-by";
import { ListPage, useListSearch } from "../../components/list-page";
import { OutcomeStrip } from "../../components/outcome-strip";
import { PermissionButton } from "../../components/permission-button";
import { SafeText } from "../../components/safe-text";
import { Snippet } from "../../components/snippets";
import { EmptyState } from "../../components/states";
import { StatusMark } from "../../components/status-mark";
import { TimeText } from "../../components/time-text";
import { type Monitor, stripRuns } from "../../data/protection";
import { useClient } from "../../data/unit";
import { scheduleText, scheduleWords, zoneWords } from "../../texts/schedule-text";
import { lookOf, monitorLooks } from "../../texts/state-words";
import { MonitorForm } from "./monitor-form";
import { PingKeys } from "./ping-keys";

const stateWords = Object.fromEntries(Object.entries(monitorLooks).map(([state, { word }]) => [state, word]));

export function MonitorsPage() {
  const client = useClient();
  const view = useListSearch(viewPages.monitors.names);
  const { search, change, isNarrowed } = view;
  const [isCreating, setCreating] = useState(false);
  useBrokenNotice(brokenNames(viewPages.monitors, search), view.drop);
  const filter = viewPages.monitors.filterOf(search, { now: 0 });
  return (
    <>
      <ListPage
        title="Monitors"
        resource="monitors"
        noun="monitor"
        asked={{ filter, sort: "state" }}
        list={(page) => client.monitors.list({ filter, sort: "state", ...page })}
        view={view}
        isLive
        hasSearch
        filters={
          <FilterBar
            kinds={[{ name: "state", title: "State", options: Object.keys(monitorLooks), words: stateWords }]}
            values={{ state: search.state }}
            onChange={(name, value, isSameStep) => change({ [name]: value }, isSameStep)}
          />
        }
        actions={
          <PermissionButton permission="monitors:write" onClick={() => setCreating(true)}>
            Create monitor
          </PermissionButton>
        }
        empty={
          <EmptyState
            title={isNarrowed ? "No monitor matches" : "Nothing is watched yet"}
            icon={isNarrowed ? "search" : "monitors"}
          >
            <p className="soft">A monitor knows when a run is due, and says so when it does not come.</p>
            {!isNarrowed && <Snippet text={`holdfast monitor create --name "Nightly backup" --cron "30 2 * * *"`} />}
          </EmptyState>
        }
        below={<PingKeys />}
      >
        {(monitors, isBusy) => (
          <DataTable name="Monitors" columns={columns} items={monitors} idOf={({ id }) => id} isBusy={isBusy} />
        )}
      </ListPage>
      {isCreating && <MonitorForm onClose={() => setCreating(false)} />}
    </>
  );
}

const columns: readonly Column<Monitor>[] = [
  {
    title: "State",
    width: "104px",
    cell: ({ state }) => <StatusMark {...lookOf(monitorLooks, state)} />,
  },
  {
    title: "Name",
    className: "strong",
    cell: ({ id, name }) => (
      <Link to="/monitors/$id" params={{ id }} className="row-link clip-two">
        <SafeText text={name} />
      </Link>
    ),
  },
  {
    title: "Now",
    width: "96px",
    cell: ({ is_running }) => is_running && <StatusMark mark="running" word="Running" />,
  },
  {
    title: "Expected",
    width: "20%",
    cell: ({ schedule }) => (
      <span className="clip-two" title={scheduleText(schedule)}>
        {scheduleWords(schedule)} <span className="soft">{zoneWords(schedule)}</span>
      </span>
    ),
  },
  {
    title: "Next run",
    width: "120px",
    cardLabel: "Next run",
    cell: ({ next_expected_timestamp: due }) => <NextRun due={due} />,
  },
  {
    title: "Runs",
    width: "196px",
    cell: ({ recent_outcomes }) => <OutcomeStrip runs={stripRuns(recent_outcomes.slice(-16))} />,
  },
];

/** When a run is due; how late it is once that has passed. */
function NextRun({ due }: { due: string | null }) {
  if (due === null) return <TimeText at={due} />;
  return <LateBy due={Date.parse(due)} otherwise={<TimeText at={due} />} />;
}
