import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { type Column, DataTable } from "../../components/data-table";
import { ListPage, useListSearch } from "../../components/list-page";
import { PermissionButton } from "../../components/permission-button";
import { SafeText } from "../../components/safe-text";
import { Snippet } from "../../components/snippets";
import { EmptyState } from "../../components/states";
import { TimeText } from "../../components/time-text";
import { UnitName } from "../../components/unit-name";
import { useUnits } from "../../data/names";
import { type Webhook, webhookState } from "../../data/notifications";
import { useClient } from "../../data/unit";
import { kindWords } from "../../texts/notification-words";
import { counted } from "../../texts/numbers";
import { NotificationForm } from "./notification-form";

export function NotificationsPage() {
  const client = useClient();
  const view = useListSearch([]);
  const [isCreating, setCreating] = useState(false);
  return (
    <>
      <ListPage
        title="Notifications"
        resource="webhooks"
        noun="notification"
        asked={{}}
        list={(page) => client.webhooks.list(page)}
        view={view}
        isLive
        actions={
          <PermissionButton permission="webhooks:write" onClick={() => setCreating(true)}>
            Create notification
          </PermissionButton>
        }
        empty={
          <EmptyState title="No one is notified yet" icon="notifications">
            <p className="soft">
              A notification tells a chat, a phone, people by mail, or a program of yours when a backup fails or does
              not come.
            </p>
            <Snippet
              text={`holdfast webhook create --name "Backups that fail" \\
  --kind slack --events task.failed,monitor.down \\
  --target https://hooks.slack.com/services/…`}
            />
          </EmptyState>
        }
      >
        {(webhooks, isBusy) => <NotificationTable webhooks={webhooks} isBusy={isBusy} />}
      </ListPage>
      {isCreating && <NotificationForm onClose={() => setCreating(false)} />}
    </>
  );
}

function NotificationTable({ webhooks, isBusy }: { webhooks: readonly Webhook[]; isBusy: boolean }) {
  const units = useUnits(webhooks.map((webhook) => webhook.organizational_unit_id));
  const columns: Column<Webhook>[] = [
    {
      title: "State",
      width: "116px",
      cell: (webhook) => {
        const { word, look } = webhookState(webhook);
        return <span className={`badge look-${look}`}>{word}</span>;
      },
    },
    {
      title: "Name",
      className: "strong",
      cell: ({ id, name }) => (
        <Link to="/administration/notifications/$id" params={{ id }} className="row-link clip-two">
          <SafeText text={name} />
        </Link>
      ),
    },
    { title: "Kind", width: "86px", className: "card-inline", cell: ({ kind }) => kindWords[kind] ?? kind },
    {
      title: "Sends to",
      width: "19%",
      cell: ({ url, recipient_user_ids }) => (
        <span className="clip soft">
          {url === null ? counted(recipient_user_ids.length, "person", "people") : <SafeText text={url} />}
        </span>
      ),
    },
    {
      title: "Last success",
      width: "118px",
      cardLabel: "Last success",
      cell: ({ last_success_timestamp: at }) =>
        at === null ? <span className="soft">never</span> : <TimeText at={at} />,
    },
    {
      title: "Failures",
      width: "16%",
      isBlank: ({ disabled_reason, failures_in_a_row }) => disabled_reason === null && failures_in_a_row === 0,
      cell: ({ disabled_reason, failures_in_a_row }) => (
        <span className="clip-two small" title={disabled_reason ?? undefined}>
          {disabled_reason === null ? (
            failures_in_a_row > 0 && `${failures_in_a_row} in a row`
          ) : (
            <SafeText text={disabled_reason} />
          )}
        </span>
      ),
    },
    ...(units.length > 1
      ? [
          {
            title: "Unit",
            width: "13%",
            cell: ({ organizational_unit_id: id }: Webhook) => <UnitName units={units} id={id} />,
          },
        ]
      : []),
  ];
  return <DataTable name="Notifications" columns={columns} items={webhooks} idOf={({ id }) => id} isBusy={isBusy} />;
}
