import { brokenNames, viewPages } from "@holdfast/api/resources/view-pages";
import { Button, NativeSelect } from "@mantine/core";
import { useMemo, useState } from "react";
import { useBrokenNotice } from "../../components/broken-address";
import { type Column, DataTable } from "../../components/data-table";
import { Dialog } from "../../components/dialogs";
import { DownloadCsv, saveList } from "../../components/download-csv";
import { FilterBar } from "../../components/filter-bar";
import { ListPage, useListSearch } from "../../components/list-page";
import { PeriodSelect } from "../../components/period-select";
import { SafeText } from "../../components/safe-text";
import { EmptyState } from "../../components/states";
import { TimeText } from "../../components/time-text";
import { type AuditEvent, actorText, objectKind, objectName } from "../../data/audit-event";
import { useNamesOf } from "../../data/names";
import { commandName } from "../../data/page-facts";
import { useDiscovery } from "../../data/rights";
import { useClient, useUnit } from "../../data/unit";
import { thisMinute } from "../tasks/task-search";
import { EventDetail } from "./event-detail";
import { operationNames } from "./operation-names";

const auditEvents = viewPages["audit-events"];
const results = [
  { value: "", label: "Done and refused" },
  { value: "done", label: "Done" },
  { value: "refused", label: "Refused" },
];

const columnsWith = (names: ReadonlyMap<string, string>): Column<AuditEvent>[] => [
  { title: "When", width: "116px", cell: ({ created_timestamp }) => <TimeText at={created_timestamp} /> },
  {
    title: "Who",
    width: "170px",
    className: "strong",
    cell: ({ actor }) => (
      <span className="clip">
        <SafeText text={actorText(actor)} />
      </span>
    ),
  },
  { title: "What", className: "mono", cell: ({ operation }) => <span className="clip">{operation}</span> },
  {
    title: "To what",
    width: "26%",
    cell: (event) => (
      <span className="clip">
        <span className="soft">{objectKind(event)}</span> <SafeText text={objectName(event, names)} />
      </span>
    ),
  },
  {
    title: "Result",
    width: "104px",
    cell: ({ result, count }) => (
      <span className={result === "done" ? "badge look-good" : "badge look-error"}>
        {result === "done" ? "Done" : "Refused"}
        {count > 1 && ` × ${count}`}
      </span>
    ),
  },
];

export function AuditPage() {
  const client = useClient();
  const unit = useUnit();
  const { data: index } = useDiscovery();
  const view = useListSearch(auditEvents.names);
  const { search, change, isNarrowed } = view;
  const [showsExport, setShowsExport] = useState(false);
  useBrokenNotice(brokenNames(auditEvents, search), view.drop);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a relative period ends when it was chosen.
  const now = useMemo(thisMinute, [search.since, unit]);
  const filter = auditEvents.filterOf(search, { now });
  const download = () =>
    saveList(client.auditEvents.list({ filter, limit: 1000 }), {
      name: "audit.csv",
      noun: "event",
      columns: ["number", "created_timestamp", "actor", "operation", "object", "result", "reason"],
      rowOf: ({ number: place, created_timestamp, actor, operation, object, result: ended, reason }) => [
        String(place),
        created_timestamp,
        actorText(actor),
        operation,
        object?.name ?? object?.id,
        ended,
        reason,
      ],
    });
  return (
    <>
      <ListPage
        title="Audit trail"
        resource="audit-events"
        noun="event"
        asked={{ filter }}
        list={(page) => client.auditEvents.list({ filter, ...page })}
        view={view}
        filters={
          <>
            <NativeSelect
              aria-label="Operation"
              value={search.operation ?? ""}
              data={[{ value: "", label: "All operations" }, ...operationNames(index, search.operation)]}
              onChange={(event) => change({ operation: event.currentTarget.value || undefined })}
            />
            <NativeSelect
              aria-label="Result"
              value={search.result ?? ""}
              data={results}
              onChange={(event) => change({ result: event.currentTarget.value || undefined })}
            />
            <PeriodSelect value={search} onChange={({ since, from, to }) => change({ since, from, to })} />
            <FilterBar
              kinds={[
                { name: "actor", title: "Who, by id" },
                { name: "object", title: "To what, by id" },
              ]}
              values={{ actor: search.actor, object: search.object }}
              onChange={(name, value) => change({ [name]: value })}
            />
          </>
        }
        actions={
          <>
            <DownloadCsv onDownload={() => void download()} />
            <Button variant="default" onClick={() => setShowsExport(true)}>
              Verify and export
            </Button>
          </>
        }
        empty={<EmptyState title={isNarrowed ? "No event matches" : "Nothing has happened here yet"} />}
      >
        {(events, isBusy) => <EventTable events={events} isBusy={isBusy} />}
      </ListPage>
      <Dialog title="Verify and export" isOpen={showsExport} onClose={() => setShowsExport(false)}>
        <div className="stack">
          <p>
            Events form a chain that shows any tampering. On the machine that Holdfast runs on, these commands check it,
            and write it to a signed file:
          </p>
          <pre className="snippet">{`${commandName} audit verify\n${commandName} audit export > audit.ndjson`}</pre>
        </div>
      </Dialog>
    </>
  );
}

function EventTable({ events, isBusy }: { events: readonly AuditEvent[]; isBusy: boolean }) {
  const [open, setOpen] = useState<string>();
  const names = useNamesOf(events.flatMap(({ object }) => (object?.name === null && object.id ? [object.id] : [])));
  const details: Column<AuditEvent> = {
    title: "Details",
    width: "80px",
    isQuiet: true,
    cell: ({ id }) => (
      <button
        type="button"
        className="text-button"
        aria-expanded={open === id}
        onClick={() => setOpen(open === id ? undefined : id)}
      >
        Details
      </button>
    ),
  };
  return (
    <DataTable
      name="Events"
      columns={[...columnsWith(names), details]}
      items={events}
      idOf={({ id }) => id}
      isBusy={isBusy}
      below={(event) => open === event.id && <EventDetail event={event} />}
    />
  );
}
