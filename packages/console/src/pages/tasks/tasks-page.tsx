import { brokenNames, viewPages } from "@holdfast/api/resources/view-pages";
import { Button, Switch } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useRouter, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo, useState } from "react";
import { ShowApiCall } from "../../components/api-call";
import { useBrokenNotice } from "../../components/broken-address";
import { DownloadCsv } from "../../components/download-csv";
import { FirstTask } from "../../components/first-task";
import { Page } from "../../components/page";
import { EmptyPage, Pager } from "../../components/pager";
import { PeriodSelect } from "../../components/period-select";
import { SearchBox } from "../../components/search-box";
import { EmptyState, ErrorState, SkeletonRows } from "../../components/states";
import { pageNumber } from "../../data/search-params";
import { useClient, useUnit, useUnitId } from "../../data/unit";
import { useWatchTasks } from "../../data/watch-tasks";
import { counted } from "../../texts/numbers";
import { downloadTasks } from "./download-tasks";
import { type LivePage, takeEvents } from "./live-page";
import { QuickViews } from "./quick-views";
import { TaskFilters } from "./task-filters";
import { type AskedTasks, tasksKey, useTasks, useViewCounts } from "./task-queries";
import { isNarrowed, isUuid, sizeOf, type TaskSearch, thisMinute } from "./task-search";
import { TaskTable } from "./task-table";

const { tasks } = viewPages;

export function TasksPage() {
  const search: TaskSearch = useSearch({ strict: false });
  const { history } = useRouter();
  // Read together with the number of the page, to which it belongs: the router announces the two one after the other.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another search is another page.
  const cursor = useMemo(() => history.location.state.cursor, [history, search]);
  const navigate = useNavigate();
  const unit = useUnit();
  const unitId = useUnitId();
  const client = useClient();
  const queryClient = useQueryClient();
  const [isLive, setLive] = useState(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a relative period ends when it was chosen.
  const now = useMemo(thisMinute, [search.since, unit]);
  const filter = useMemo(() => tasks.filterOf(search, { now, unitId }), [search, now, unitId]);
  const number = pageNumber(search.page);
  const asked: AskedTasks = { filter, limit: sizeOf(search), number, cursor: number === 1 ? undefined : cursor };
  const { data: page, error, dataUpdatedAt, isPlaceholderData, isFetching, refetch } = useTasks(asked);
  const otherFilters = ["q", "status", "outcome", "item", "item_id", "id", "error", "unit_only", "monitor"] as const;
  const showsCounts = otherFilters.every((name) => search[name] === undefined);
  const counts = useViewCounts(filter, showsCounts);

  const key = tasksKey(unit, asked);
  const keyText = JSON.stringify(key);
  const [news, setNews] = useState<Omit<LivePage, "page"> & { keyText: string }>(noNews(keyText));
  const current = news.keyText === keyText ? news : noNews(keyText);
  const stream = useWatchTasks({
    filter,
    isOn: isLive && page !== undefined && !isPlaceholderData,
    // It begins with the first page as it is then: nothing is missed between the list and the stream.
    snapshot: number === 1 ? asked.limit : undefined,
    onEvents: (events) => {
      const known = queryClient.getQueryData<LivePage["page"]>(key);
      if (!known) return;
      const { page: changed, ...rest } = takeEvents({ page: known, ...current }, events);
      if (changed !== known) queryClient.setQueryData(key, changed);
      setNews({ ...rest, keyText });
      if (rest.isOutdated) void show();
    },
  });

  const change = useCallback(
    (changes: TaskSearch, isSameStep = false) => {
      void navigate({
        to: ".",
        search: (before: TaskSearch) => ({ ...before, ...changes, page: undefined }),
        replace: isSameStep,
      });
    },
    [navigate],
  );
  const clear = () => change(Object.fromEntries(tasks.names.map((name) => [name, undefined])));
  const show = async () => {
    setNews(noNews(keyText));
    if (number !== 1) await navigate({ to: ".", search: (before: TaskSearch) => ({ ...before, page: undefined }) });
    await Promise.all([refetch(), counts.refetch()]);
  };
  const drop = useCallback((changes: TaskSearch) => change(changes, true), [change]);
  useBrokenNotice(brokenNames(tasks, search), drop);
  const onSearch = useCallback((q: string | undefined) => change({ q }, true), [change]);
  const freshCount = current.fresh.size;
  const { q: _, page: __, ...others } = search;

  return (
    <Page
      title="Tasks"
      views="tasks"
      actions={
        <>
          <Switch
            label="Live updates"
            checked={isLive}
            onChange={(event) => setLive(event.currentTarget.checked)}
            data-stream={stream}
          />
          <ShowApiCall
            resource="tasks"
            path="/tasks"
            query={{ limit: String(asked.limit), filter: filterText(filter) }}
          />
          <DownloadCsv onDownload={() => void downloadTasks(client, filter)} />
        </>
      }
    >
      <div className="spread">
        <QuickViews search={search} counts={showsCounts ? counts.data : undefined} />
        <PeriodSelect value={search} onChange={({ since, from, to }) => change({ since, from, to })} />
      </div>
      <div className="filters">
        <SearchBox label="Search by name" value={search.q} onSearch={onSearch} />
        <TaskFilters search={search} onChange={change} />
        {isNarrowed(search) && page?.items.length !== 0 && (
          <Button variant="subtle" onClick={clear}>
            Clear filters
          </Button>
        )}
      </div>
      {search.q !== undefined && isUuid(search.q) && (
        <p className="notice look-neutral">
          <span>
            That looks like an id. Search for it as the{" "}
            <Link to="." search={{ ...others, id: search.q }}>
              task id
            </Link>{" "}
            or as the{" "}
            <Link to="." search={{ ...others, item_id: search.q }}>
              item id
            </Link>{" "}
            instead.
          </span>
        </p>
      )}
      {freshCount > 0 && (
        <div className="centred">
          <Button variant="light" onClick={() => void show()}>
            Show {counted(freshCount, "new task")}
          </Button>
        </div>
      )}
      {error && !page && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!page && !error && <SkeletonRows count={12} />}
      {page && page.items.length > 0 && (
        <>
          <TaskTable page={page} isBusy={isFetching} changed={current.changed} />
          <Pager page={page} number={number} noun="task" fetchedAt={stream === "open" ? undefined : dataUpdatedAt} />
        </>
      )}
      {page && page.items.length === 0 && (
        <EmptyPage page={page} number={number}>
          {isNarrowed(search) ? (
            <EmptyState title="No task matches" icon="search">
              <p className="soft">No task in this unit or below it matches the filters.</p>
              <Button variant="default" onClick={clear}>
                Clear filters
              </Button>
            </EmptyState>
          ) : (
            <EmptyState title="No task was reported yet">
              <p className="soft">Every backup, restore and check that runs is a task, and is listed here.</p>
              <FirstTask />
              <Link to="/">See the first steps</Link>
            </EmptyState>
          )}
        </EmptyPage>
      )}
    </Page>
  );
}

function noNews(keyText: string) {
  return { fresh: new Set<string>(), changed: new Set<string>(), isOutdated: false, keyText };
}

function filterText(filter: object): string | undefined {
  return Object.keys(filter).length === 0 ? undefined : JSON.stringify(filter);
}
