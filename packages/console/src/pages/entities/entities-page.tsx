import { entityStates } from "@holdfast/api/resources/entity-words";
import { Button, NativeSelect } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useState } from "react";
import { ShowApiCall } from "../../components/api-call";
import { unknownWords, useBrokenNotice } from "../../components/broken-address";
import { type Column, DataTable } from "../../components/data-table";
import { DownloadCsv } from "../../components/download-csv";
import { FilterBar } from "../../components/filter-bar";
import { FirstTask } from "../../components/first-task";
import { OutcomeStrip } from "../../components/outcome-strip";
import { Page } from "../../components/page";
import { SearchBox } from "../../components/search-box";
import { ShownPage } from "../../components/shown-page";
import { EmptyState } from "../../components/states";
import { StatusMark } from "../../components/status-mark";
import { UnitName } from "../../components/unit-name";
import { Untrusted } from "../../components/untrusted";
import { usePollInterval } from "../../data/attention";
import { useUnits } from "../../data/names";
import { backupsOf, type Entity } from "../../data/protection";
import { queryKey } from "../../data/query-keys";
import { pageNumber } from "../../data/search-params";
import { useClient, useUnit } from "../../data/unit";
import { entityLooks, lookOf } from "../../texts/state-words";
import { AddHost } from "./add-host";
import { downloadEntities } from "./download-entities";
import { Evidence } from "./evidence";

interface EntitiesSearch {
  q?: string | undefined;
  state?: string | undefined;
  type?: string | undefined;
  sort?: string | undefined;
  page?: string | undefined;
}

const limit = 50;
/** States to filter by: the state of an item, or the reason why it needs no attention. */
const shownStates: readonly string[] = [...entityStates, "muted", "retired"];
const stateWords = {
  ...Object.fromEntries(entityStates.map((state) => [state, entityLooks[state].word])),
  muted: "Muted",
  retired: "Retired",
};
const sorts = [
  { value: "state", label: "What needs attention first" },
  { value: "value", label: "By name" },
  { value: "last_good_backup", label: "Oldest good backup first" },
] as const;

export function EntitiesPage() {
  const search: EntitiesSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const client = useClient();
  const unit = useUnit();
  const [isAdding, setAdding] = useState(false);
  const filter = filterOf(search);
  const sort = sorts.find(({ value }) => value === search.sort)?.value ?? "state";
  const number = pageNumber(search.page);
  const query = useQuery({
    queryKey: queryKey(unit, "list-entities", { filter, sort, number }),
    queryFn: ({ signal }) => client.entities.list({ filter, sort, limit, start: number, signal }).page(),
    placeholderData: keepPreviousData,
    refetchInterval: usePollInterval(30_000),
  });
  const change = useCallback(
    (changes: EntitiesSearch, replace = false) =>
      void navigate({
        to: ".",
        search: (before: EntitiesSearch) => ({ ...before, ...changes, page: undefined }),
        replace,
      }),
    [navigate],
  );
  const onSearch = useCallback((q: string | undefined) => change({ q }, true), [change]);
  const drop = useCallback((changes: EntitiesSearch) => change(changes, true), [change]);
  useBrokenNotice(unknownWords({ ...search }, { state: shownStates }), drop);
  const isNarrowed = [search.q, search.state, search.type].some((value) => value !== undefined);
  return (
    <Page
      title="Protected items"
      actions={
        <>
          <ShowApiCall resource="entities" path="/entities" query={{ sort, filter: JSON.stringify(filter) }} />
          <DownloadCsv onDownload={() => void downloadEntities(client, filter, sort)} />
          <Button onClick={() => setAdding(true)}>Add a host</Button>
        </>
      }
    >
      <div className="filters">
        <SearchBox label="Search by name" value={search.q} onSearch={onSearch} />
        <NativeSelect
          aria-label="Order"
          data={[...sorts]}
          value={sort}
          onChange={({ currentTarget: { value } }) => change({ sort: value === "state" ? undefined : value })}
        />
        <FilterBar
          kinds={[
            { name: "state", title: "State", options: shownStates, words: stateWords },
            { name: "type", title: "Type" },
          ]}
          values={{ state: search.state, type: search.type }}
          onChange={(name, value, isSameStep) => change({ [name]: value }, isSameStep)}
        />
        {isNarrowed && (
          <Button variant="subtle" onClick={() => change({ q: undefined, state: undefined, type: undefined })}>
            Clear filters
          </Button>
        )}
      </div>
      <ShownPage
        query={query}
        number={number}
        noun="item"
        empty={
          <EmptyState
            title={isNarrowed ? "No item matches" : "Nothing is protected yet"}
            icon={isNarrowed ? "search" : "items"}
          >
            <p className="soft">
              A host, a database or a volume is listed here once its first task is reported, with the time of its last
              good backup.
            </p>
            {!isNarrowed && <FirstTask />}
          </EmptyState>
        }
      >
        {(page) => <EntityTable entities={page.items} isBusy={query.isFetching} />}
      </ShownPage>
      {query.data && !isNarrowed && (
        <p className="soft small no-print">
          Items that are{" "}
          <Link to="." search={{ ...search, state: "muted" }}>
            muted
          </Link>{" "}
          or{" "}
          <Link to="." search={{ ...search, state: "retired" }}>
            retired
          </Link>{" "}
          need no attention, and are not in this list.
        </p>
      )}
      {isAdding && <AddHost onClose={() => setAdding(false)} />}
    </Page>
  );
}

/**
 * The filter that an address asks for. What is muted or retired is left out, as it is from the verdict, unless it is asked
 * for, or looked for by its name.
 */
function filterOf({ q, state, type }: EntitiesSearch) {
  const wanted = state?.split(",") ?? [];
  const states = wanted.filter((one) => one in entityLooks);
  const [muted, retired] = [wanted.includes("muted"), wanted.includes("retired")];
  const attention =
    muted || retired
      ? { ...(muted ? { is_muted: true } : {}), ...(retired ? { is_retired: true } : {}) }
      : { is_muted: false, is_retired: false };
  const findsAll = q !== undefined && state === undefined;
  return {
    ...(q ? { "primary_entity.value": { $contains: q } } : {}),
    ...(states.length > 0 ? { state: { $in: states } } : {}),
    ...(type ? { "primary_entity.type": { $in: type.split(",") } } : {}),
    ...(findsAll ? {} : attention),
  };
}

function EntityTable({ entities, isBusy }: { entities: readonly Entity[]; isBusy: boolean }) {
  const units = useUnits(entities.map((entity) => entity.organizational_unit_id));
  const columns: Column<Entity>[] = [
    { title: "State", width: "116px", cell: (entity) => <EntityState entity={entity} /> },
    {
      title: "Item",
      className: "strong",
      cell: ({ id, primary_entity }) => (
        <Link to="/entities/$id" params={{ id }} className="row-link clip">
          <Untrusted text={primary_entity.value} />
        </Link>
      ),
    },
    {
      title: "Last good backup",
      width: "142px",
      cardLabel: "Last good backup",
      cell: ({ last_good_backup }) => <Evidence evidence={last_good_backup} />,
    },
    {
      title: "Last run",
      width: "118px",
      cardLabel: "Last run",
      cell: ({ last_run }) => <Evidence evidence={last_run} />,
    },
    {
      title: "Last restore",
      width: "118px",
      cardLabel: "Last restore",
      cell: ({ last_restore }) => <Evidence evidence={last_restore} saysOutcome />,
    },
    {
      title: "Runs",
      width: "140px",
      cell: (entity) => <OutcomeStrip runs={backupsOf(entity).slice(-12)} />,
    },
    ...(units.length > 1
      ? [
          {
            title: "Unit",
            width: "11%",
            cell: ({ organizational_unit_id: id }: Entity) => <UnitName units={units} id={id} />,
          },
        ]
      : []),
  ];
  return <DataTable name="Protected items" columns={columns} items={entities} idOf={({ id }) => id} isBusy={isBusy} />;
}

/** The state of an item; muted and retired ones say so. */
export function EntityState({ entity }: { entity: Entity }) {
  if (entity.is_retired) return <StatusMark mark="cancelled" word="Retired" />;
  if (entity.muted_until !== null) return <StatusMark mark="cancelled" word="Muted" />;
  return <StatusMark {...lookOf(entityLooks, entity.state)} />;
}
