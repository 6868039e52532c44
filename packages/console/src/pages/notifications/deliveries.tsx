import { Button } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { type Column, DataTable } from "../../components/data-table";
import { PaginatedList } from "../../components/paginated-list";
import { Panel } from "../../components/panel";
import { SafeText } from "../../components/safe-text";
import { ErrorState } from "../../components/states";
import { StatusMark } from "../../components/status-mark";
import { TimeText } from "../../components/time-text";
import { useChange } from "../../data/change";
import { usePollInterval } from "../../data/idle-tracker";
import { type Delivery, lastAttemptText } from "../../data/notifications";
import { queryKey } from "../../data/query-keys";
import { useMay } from "../../data/rights";
import { pageNumber } from "../../data/search-params";
import { useClient, useUnit } from "../../data/unit";
import { visibleText } from "../../texts/foreign-text";
import { deliveryLook, eventText } from "../../texts/notification-words";

const limit = 25;

/** True if a delivery changes within seconds. */
function isUnderWay({ state, next_attempt_timestamp: next }: Delivery): boolean {
  return state === "sending" || (next !== null && Date.parse(next) < Date.now() + 10_000);
}

/** Deliveries of a notification, sent and waiting, newest first. */
export function Deliveries({ webhookId }: { webhookId: string }) {
  const search: { page?: string } = useSearch({ strict: false });
  const client = useClient();
  const unit = useUnit();
  const number = pageNumber(search.page);
  const [soon, later] = [usePollInterval(2_000), usePollInterval(15_000)];
  const query = useQuery({
    queryKey: queryKey(unit, "list-webhook-deliveries", { webhookId, number }),
    queryFn: ({ signal }) =>
      client.webhookDeliveries.list({ filter: { webhook_id: webhookId }, limit, start: number, signal }).page(),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.items.some(isUnderWay) ? soon : later),
  });
  return (
    <Panel title="Deliveries" aside={<span className="soft small">kept for 30 days</span>}>
      <div className="stack">
        <PaginatedList
          query={query}
          number={number}
          noun="delivery"
          nouns="deliveries"
          skeletons={4}
          empty={<p className="soft">Nothing was sent yet.</p>}
        >
          {(page) => <DeliveryTable deliveries={page.items} isBusy={query.isFetching} />}
        </PaginatedList>
      </div>
    </Panel>
  );
}

function DeliveryTable({ deliveries, isBusy }: { deliveries: readonly Delivery[]; isBusy: boolean }) {
  const client = useClient();
  const maySend = useMay("webhooks:write");
  const retry = useChange((id: string, idempotencyKey) => client.webhookDeliveries.retry(id, { idempotencyKey }));
  const columns: Column<Delivery>[] = [
    { title: "State", width: "116px", cell: ({ state }) => <StatusMark {...deliveryLook(state)} /> },
    {
      title: "Event",
      width: "164px",
      className: "strong",
      cell: ({ event, task_id, event_count }) => (
        <span className="clip">
          {task_id === null ? (
            eventText(event)
          ) : (
            <Link to="/tasks/$id" params={{ id: task_id }} className="row-link">
              {eventText(event)}
            </Link>
          )}
          {event_count > 1 && <span className="soft"> × {event_count}</span>}
        </span>
      ),
    },
    { title: "When", width: "118px", cell: ({ created_timestamp }) => <TimeText at={created_timestamp} /> },
    {
      title: "Last attempt",
      cell: (delivery) => (
        <span className="clip-two" title={visibleText(lastAttemptText(delivery))}>
          <SafeText text={lastAttemptText(delivery)} />
        </span>
      ),
    },
    {
      title: "Attempts",
      width: "86px",
      className: "card-inline",
      cardLabel: "Attempts",
      cell: ({ attempt_count }) => attempt_count,
    },
    {
      title: "Next try",
      width: "96px",
      className: "card-inline",
      isBlank: ({ next_attempt_timestamp }) => next_attempt_timestamp === null,
      cardLabel: "Next try",
      cell: ({ next_attempt_timestamp }) => <TimeText at={next_attempt_timestamp} />,
    },
    {
      title: "Actions",
      width: "116px",
      isQuiet: true,
      cell: ({ id, state }) =>
        maySend &&
        state !== "sending" && (
          <Button variant="subtle" size="compact-sm" disabled={retry.isPending} onClick={() => retry.mutate(id)}>
            Send again
          </Button>
        ),
    },
  ];
  return (
    <>
      {retry.error && <ErrorState error={retry.error} />}
      <DataTable name="Deliveries" columns={columns} items={deliveries} idOf={({ id }) => id} isBusy={isBusy} />
    </>
  );
}
