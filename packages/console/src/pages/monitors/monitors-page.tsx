import { Button } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useState } from "react";
import { ShowApiCall } from "../../components/api-call";
import { unknownWords, useBrokenNotice } from "../../components/broken-address";
import { type Column, DataTable } from "../../components/data-table";
import { FilterBar } from "../../components/filter-bar";
import { GatedButton } from "../../components/gated";
import { LateBy } from "../../components/late-by";
import { OutcomeStrip } from "../../components/outcome-strip";
import { Page } from "../../components/page";
import { SearchBox } from "../../components/search-box";
import { ShownPage } from "../../components/shown-page";
import { Snippet } from "../../components/snippets";
import { EmptyState } from "../../components/states";
import { StatusMark } from "../../components/status-mark";
import { TimeText } from "../../components/time-text";
import { Untrusted } from "../../components/untrusted";
import { usePollInterval } from "../../data/attention";
import { type Monitor, stripRuns } from "../../data/protection";
import { queryKey } from "../../data/query-keys";
import { pageNumber } from "../../data/search-params";
import { useClient, useUnit } from "../../data/unit";
import { scheduleText, scheduleWords, zoneWords } from "../../texts/schedule-text";
import { lookOf, monitorLooks } from "../../texts/state-words";
import { MonitorForm } from "./monitor-form";
import { PingKeys } from "./ping-keys";

interface MonitorsSearch {
  q?: string | undefined;
  state?: string | undefined;
  page?: string | undefined;
}

const limit = 50;
const stateWords = Object.fromEntries(Object.entries(monitorLooks).map(([state, { word }]) => [state, word]));

export function MonitorsPage() {
  const search: MonitorsSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const client = useClient();
  const unit = useUnit();
  const [isCreating, setCreating] = useState(false);
  const states = search.state?.split(",").filter((one) => one in monitorLooks) ?? [];
  const filter = {
    ...(search.q ? { name: { $contains: search.q } } : {}),
    ...(states.length > 0 ? { state: { $in: states } } : {}),
  };
  const number = pageNumber(search.page);
  const query = useQuery({
    queryKey: queryKey(unit, "list-monitors", { filter, number }),
    queryFn: ({ signal }) => client.monitors.list({ filter, sort: "state", limit, start: number, signal }).page(),
    placeholderData: keepPreviousData,
    refetchInterval: usePollInterval(30_000),
  });
  const change = useCallback(
    (changes: MonitorsSearch, replace = false) =>
      void navigate({
        to: ".",
        search: (before: MonitorsSearch) => ({ ...before, ...changes, page: undefined }),
        replace,
      }),
    [navigate],
  );
  const onSearch = useCallback((q: string | undefined) => change({ q }, true), [change]);
  const drop = useCallback((changes: MonitorsSearch) => change(changes, true), [change]);
  useBrokenNotice(unknownWords({ ...search }, { state: Object.keys(monitorLooks) }), drop);
  const isNarrowed = Object.keys(filter).length > 0;
  const create = (
    <GatedButton permission="monitors:write" onClick={() => setCreating(true)}>
      Create monitor
    </GatedButton>
  );
  return (
    <Page
      title="Monitors"
      actions={
        <>
          <ShowApiCall
            resource="monitors"
            path="/monitors"
            query={{ sort: "state", filter: isNarrowed ? JSON.stringify(filter) : undefined }}
          />
          {create}
        </>
      }
    >
      <div className="filters">
        <SearchBox label="Search by name" value={search.q} onSearch={onSearch} />
        <FilterBar
          kinds={[{ name: "state", title: "State", options: Object.keys(monitorLooks), words: stateWords }]}
          values={{ state: search.state }}
          onChange={(name, value, isSameStep) => change({ [name]: value }, isSameStep)}
        />
        {isNarrowed && (
          <Button variant="subtle" onClick={() => change({ q: undefined, state: undefined })}>
            Clear filters
          </Button>
        )}
      </div>
      <ShownPage
        query={query}
        number={number}
        noun="monitor"
        empty={
          <EmptyState
            title={isNarrowed ? "No monitor matches" : "Nothing is watched yet"}
            icon={isNarrowed ? "search" : "monitors"}
          >
            <p className="soft">A monitor knows when a run is due, and says so when it does not come.</p>
            {!isNarrowed && <Snippet text={`holdfast monitor create --name "Nightly backup" --cron "30 2 * * *"`} />}
          </EmptyState>
        }
      >
        {(page) => <MonitorTable monitors={page.items} isBusy={query.isFetching} />}
      </ShownPage>
      {(query.data || query.error) && <PingKeys />}
      {isCreating && <MonitorForm onClose={() => setCreating(false)} />}
    </Page>
  );
}

function MonitorTable({ monitors, isBusy }: { monitors: readonly Monitor[]; isBusy: boolean }) {
  const columns: Column<Monitor>[] = [
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
          <Untrusted text={name} />
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
  return <DataTable name="Monitors" columns={columns} items={monitors} idOf={({ id }) => id} isBusy={isBusy} />;
}

/** When a run is due; how late it is once that has passed. */
function NextRun({ due }: { due: string | null }) {
  if (due === null) return <TimeText at={due} />;
  return <LateBy due={Date.parse(due)} otherwise={<TimeText at={due} />} />;
}
