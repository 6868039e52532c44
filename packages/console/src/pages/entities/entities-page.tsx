import { entityStates } from "@holdfast/api/resources/entity-words";
import { brokenNames, viewPages } from "@holdfast/api/resources/view-pages";
import { Button, NativeSelect } from "@mantine/core";
import { Link, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useBrokenNotice } from "../../components/broken-address";
import { type Column, DataTable } from "../../components/data-table";
import { DownloadCsv } from "../../components/download-csv";
import { FilterBar } from "../../components/filter-bar";
import { FirstTask } from "../../components/first-task";
import { ListPage, useListSearch } from "../../components/list-page";
import { OutcomeStrip } from "../../components/outcome-strip";
import { SafeText } from "../../components/safe-text";
import { EmptyState } from "../../components/states";
import { StatusMark } from "../../components/status-mark";
import { UnitName } from "../../components/unit-name";
import { useUnits } from "../../data/names";
import { backupsOf, type Entity } from "../../data/protection";
import { useClient } from "../../data/unit";
import { entityLooks, lookOf } from "../../texts/state-words";
import { AddHost } from "./add-host";
import { downloadEntities } from "./download-entities";
import { Evidence } from "./evidence";

const { entities } = viewPages;
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
  const client = useClient();
  const view = useListSearch(["q", "state", "type"]);
  const { search, change, isNarrowed } = view;
  const [isAdding, setAdding] = useState(false);
  const order: { sort?: string } = useSearch({ strict: false });
  useBrokenNotice(brokenNames(entities, { ...search, ...order }), view.drop);
  const filter = entities.filterOf(search, { now: 0 });
  const sort = entities.sortOf(order);
  return (
    <>
      <ListPage
        title="Protected items"
        resource="entities"
        noun="item"
        asked={{ filter, sort }}
        list={(page) => client.entities.list({ filter, sort, ...page })}
        view={view}
        isLive
        hasSearch
        filters={
          <>
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
          </>
        }
        actions={
          <>
            <DownloadCsv onDownload={() => void downloadEntities(client, filter, sort)} />
            <Button onClick={() => setAdding(true)}>Add a host</Button>
          </>
        }
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
        below={
          !isNarrowed && (
            <p className="soft small no-print">
              Items that are <Link {...withState("muted")}>muted</Link> or{" "}
              <Link {...withState("retired")}>retired</Link> need no attention, and are not in this list.
            </p>
          )
        }
      >
        {(entities, isBusy) => <EntityTable entities={entities} isBusy={isBusy} />}
      </ListPage>
      {isAdding && <AddHost onClose={() => setAdding(false)} />}
    </>
  );
}

function withState(state: string) {
  return { to: ".", search: (before: object) => ({ ...before, state, page: undefined }) } as const;
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
          <SafeText text={primary_entity.value} />
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
