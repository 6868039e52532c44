import { Button, NativeSelect } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Fragment, useState } from "react";
import { ShowApiCall } from "../../components/api-call";
import { Dialog } from "../../components/dialogs";
import { DownloadCsv, saveList } from "../../components/download-csv";
import { FilterBar } from "../../components/filter-bar";
import { Page } from "../../components/page";
import { EmptyPage, Pager } from "../../components/pager";
import { PeriodSelect } from "../../components/period-select";
import { EmptyState, ErrorState, SkeletonRows } from "../../components/states";
import { TimeText } from "../../components/time-text";
import { Untrusted } from "../../components/untrusted";
import { actorText, objectKind, objectName } from "../../data/audit-event";
import { commandName } from "../../data/page-facts";
import { queryKey } from "../../data/query-keys";
import { useDiscovery } from "../../data/rights";
import { pageNumber } from "../../data/search-params";
import { useClient, useUnit } from "../../data/unit";
import { EventDetail } from "./event-detail";
import { operationNames } from "./operation-names";

interface AuditSearch {
  actor?: string | undefined;
  operation?: string | undefined;
  object?: string | undefined;
  result?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  since?: string | undefined;
  page?: string | undefined;
}

const limit = 50;
const results = [
  { value: "", label: "Done and refused" },
  { value: "done", label: "Done" },
  { value: "refused", label: "Refused" },
];

export function AuditPage() {
  const search: AuditSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const client = useClient();
  const unit = useUnit();
  const { data: index } = useDiscovery();
  const [open, setOpen] = useState<string>();
  const [showsExport, setShowsExport] = useState(false);
  const time = { ...(search.from ? { $gte: search.from } : {}), ...(search.to ? { $lt: search.to } : {}) };
  const filter = {
    ...(search.operation ? { operation: search.operation } : {}),
    ...(search.result ? { result: search.result } : {}),
    ...(search.actor ? { actor_id: search.actor } : {}),
    ...(search.object ? { object_id: search.object } : {}),
    ...(Object.keys(time).length > 0 ? { created_timestamp: time } : {}),
  };
  const number = pageNumber(search.page);
  const {
    data: page,
    error,
    dataUpdatedAt,
    isFetching,
    refetch,
  } = useQuery({
    queryKey: queryKey(unit, "list-audit-events", { filter, number }),
    queryFn: ({ signal }) => client.auditEvents.list({ filter, limit, start: number, signal }).page(),
    placeholderData: keepPreviousData,
  });
  const change = (changes: AuditSearch) =>
    void navigate({ to: ".", search: (before: AuditSearch) => ({ ...before, ...changes, page: undefined }) });
  const isNarrowed = Object.keys(filter).length > 0;
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
    <Page
      title="Audit trail"
      actions={
        <>
          <ShowApiCall
            resource="audit-events"
            path="/audit-events"
            query={{ filter: isNarrowed ? JSON.stringify(filter) : undefined }}
          />
          <DownloadCsv onDownload={() => void download()} />
          <Button variant="default" onClick={() => setShowsExport(true)}>
            Verify and export
          </Button>
        </>
      }
    >
      <div className="filters">
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
        <PeriodSelect
          value={{ from: search.from, to: search.to }}
          onChange={({ since, from, to }) => {
            const hours = { "24h": 24, "7d": 168, "30d": 720 }[since ?? ""];
            change({
              from: hours ? new Date(Date.now() - hours * 3_600_000).toISOString().slice(0, 16).concat("Z") : from,
              to,
            });
          }}
        />
        <FilterBar
          kinds={[
            { name: "actor", title: "Who, by id" },
            { name: "object", title: "To what, by id" },
          ]}
          values={{ actor: search.actor, object: search.object }}
          onChange={(name, value) => change({ [name]: value })}
        />
        {isNarrowed && (
          <Button
            variant="subtle"
            onClick={() =>
              change({
                operation: undefined,
                result: undefined,
                actor: undefined,
                object: undefined,
                from: undefined,
                to: undefined,
              })
            }
          >
            Clear filters
          </Button>
        )}
      </div>
      {error && !page ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {!page && !error && <SkeletonRows />}
      {page?.items.length === 0 && (
        <EmptyPage page={page} number={number}>
          <EmptyState title={isNarrowed ? "No event matches" : "Nothing has happened here yet"} />
        </EmptyPage>
      )}
      {page && page.items.length > 0 && (
        <>
          <div className="table-frame">
            <table className="table table-cards" aria-label="Events" aria-busy={isFetching}>
              <colgroup>
                <col style={{ inlineSize: "116px" }} />
                <col style={{ inlineSize: "170px" }} />
                <col />
                <col style={{ inlineSize: "26%" }} />
                <col style={{ inlineSize: "104px" }} />
                <col style={{ inlineSize: "80px" }} />
              </colgroup>
              <thead>
                <tr>
                  <th scope="col">When</th>
                  <th scope="col">Who</th>
                  <th scope="col">What</th>
                  <th scope="col">To what</th>
                  <th scope="col">Result</th>
                  <th scope="col">
                    <span className="visually-hidden">Details</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {page.items.map((event) => (
                  <Fragment key={event.id}>
                    <tr>
                      <td>
                        <TimeText at={event.created_timestamp} />
                      </td>
                      <td className="strong">
                        <span className="clip">
                          <Untrusted text={actorText(event.actor)} />
                        </span>
                      </td>
                      <td className="mono">
                        <span className="clip">{event.operation}</span>
                      </td>
                      <td>
                        <span className="clip">
                          <span className="soft">{objectKind(event)}</span> <Untrusted text={objectName(event)} />
                        </span>
                      </td>
                      <td>
                        <span className={event.result === "done" ? "badge badge-good" : "badge badge-error"}>
                          {event.result === "done" ? "Done" : "Refused"}
                          {event.count > 1 && ` × ${event.count}`}
                        </span>
                      </td>
                      <td>
                        <button
                          type="button"
                          className="text-button"
                          aria-expanded={open === event.id}
                          onClick={() => setOpen(open === event.id ? undefined : event.id)}
                        >
                          Details
                        </button>
                      </td>
                    </tr>
                    {open === event.id && (
                      <tr>
                        <td colSpan={6} className="wrap-cell">
                          <EventDetail event={event} />
                        </td>
                      </tr>
                    )}
                  </Fragment>
                ))}
              </tbody>
            </table>
          </div>
          <Pager page={page} number={number} noun="event" fetchedAt={dataUpdatedAt} />
        </>
      )}
      <Dialog title="Verify and export" isOpen={showsExport} onClose={() => setShowsExport(false)}>
        <div className="stack">
          <p>
            Events form a chain that shows any tampering. On the machine that Holdfast runs on, these commands check it,
            and write it to a signed file:
          </p>
          <pre className="snippet">{`${commandName} audit verify\n${commandName} audit export > audit.ndjson`}</pre>
        </div>
      </Dialog>
    </Page>
  );
}
