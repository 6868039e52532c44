import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { ShowApiCall } from "../../components/api-call";
import { ConfirmDialog, OnceDialog } from "../../components/dialogs";
import { Facts } from "../../components/facts";
import { Page } from "../../components/page";
import { Panel } from "../../components/panel";
import { PermissionButton } from "../../components/permission-button";
import { SafeText } from "../../components/safe-text";
import { ErrorState, SkeletonRows } from "../../components/states";
import { TimeText } from "../../components/time-text";
import { useChange } from "../../data/change";
import { unitName, useNamesOfPeople, useUnits } from "../../data/names";
import { lastAttemptText, type Webhook, webhookState } from "../../data/notifications";
import { queryKey } from "../../data/query-keys";
import { useMay } from "../../data/rights";
import { useClient, useUnit } from "../../data/unit";
import { eventText, filterText, kindWords, reminderWords } from "../../texts/notification-words";
import { Deliveries } from "./deliveries";
import { NotificationForm } from "./notification-form";

export function NotificationPage() {
  const { id = "" } = useParams({ strict: false });
  const client = useClient();
  const unit = useUnit();
  const {
    data: webhook,
    error,
    refetch,
  } = useQuery({
    queryKey: queryKey(unit, "read-webhook", id),
    queryFn: ({ signal }) => client.webhooks.read(id, { signal }),
    // The ETag belongs to the very answer.
    structuralSharing: false,
  });
  if (error && !webhook) {
    return (
      <Page title="Notification">
        <ErrorState error={error} onRetry={() => void refetch()} />
      </Page>
    );
  }
  return webhook ? <ShownNotification webhook={webhook} /> : <SkeletonRows />;
}

function ShownNotification({ webhook }: { webhook: Webhook }) {
  const client = useClient();
  const navigate = useNavigate();
  const mayWrite = useMay("webhooks:write");
  const [open, setOpen] = useState<"edit" | "rotate" | "delete">();
  const [secret, setSecret] = useState<string>();
  const close = () => setOpen(undefined);
  const test = useChange((_: undefined, idempotencyKey) => client.webhooks.test(webhook.id, { idempotencyKey }));
  // To switch is a whole wish by itself: what else was changed meanwhile stays.
  const toggle = useChange((is_enabled: boolean) => client.webhooks.update(webhook.id, { is_enabled }));
  const rotate = useChange(
    (_: undefined, idempotencyKey) => client.webhooks.rotateSecret(webhook.id, { idempotencyKey }),
    (made) => {
      close();
      setSecret(made.secret ?? "");
    },
  );
  const remove = useChange(
    () => client.webhooks.delete(webhook.id),
    () => void navigate({ to: "/administration/notifications" }),
  );
  const { word, look } = webhookState(webhook);
  const isOn = webhook.is_enabled && webhook.disabled_reason === null;
  return (
    <Page
      title={webhook.name}
      above={
        <p className="crumbs">
          <Link to="/administration/notifications">Notifications</Link> / {kindWords[webhook.kind] ?? webhook.kind}
        </p>
      }
      actions={
        <>
          <ShowApiCall resource="webhooks" path={`/webhooks/${webhook.id}`} />
          <PermissionButton
            permission="webhooks:write"
            variant="default"
            loading={toggle.isPending}
            onClick={() => toggle.mutate(!isOn)}
          >
            {isOn ? "Switch off" : "Switch on"}
          </PermissionButton>
          <PermissionButton permission="webhooks:write" variant="default" onClick={() => setOpen("edit")}>
            Edit
          </PermissionButton>
          <PermissionButton permission="webhooks:write" loading={test.isPending} onClick={() => test.mutate(undefined)}>
            Send test
          </PermissionButton>
        </>
      }
    >
      <p className="task-line">
        <span className={`badge look-${look}`}>{word}</span>
        <span className="soft">
          {webhook.last_success_timestamp === null ? (
            "nothing was delivered yet"
          ) : (
            <>
              last delivered <TimeText at={webhook.last_success_timestamp} />
            </>
          )}
          {webhook.failures_in_a_row > 0 && ` · ${webhook.failures_in_a_row} failed attempts in a row`}
        </span>
      </p>
      {webhook.disabled_reason !== null && (
        <p role="alert" className="notice look-error">
          <span>
            Holdfast switched this notification off. <SafeText text={webhook.disabled_reason} />
          </span>
          <span>A test shows whether the receiver answers.</span>
        </p>
      )}
      {[test.error, toggle.error].map((error) => error && <ErrorState key={error.message} error={error} />)}
      {test.data && <TestResult attempts={test.data.attempts} isDelivered={test.data.state === "delivered"} />}
      <Deliveries webhookId={webhook.id} />
      <NotificationFacts webhook={webhook} />
      {mayWrite && (
        <div className="row">
          {webhook.kind === "standard" && (
            <Button variant="default" onClick={() => setOpen("rotate")}>
              Replace secret
            </Button>
          )}
          <Button variant="default" className="danger" onClick={() => setOpen("delete")}>
            Delete notification
          </Button>
        </div>
      )}
      {open === "edit" && <NotificationForm webhook={webhook} onClose={close} />}
      <ConfirmDialog
        title="Replace the secret?"
        isOpen={open === "rotate"}
        onClose={close}
        confirm="Replace secret"
        isBusy={rotate.isPending}
        error={rotate.error}
        onConfirm={() => rotate.mutate(undefined)}
      >
        <p>For 24 hours messages are signed with both, so that you can change it where it is checked.</p>
      </ConfirmDialog>
      <ConfirmDialog
        title="Delete this notification?"
        isOpen={open === "delete"}
        onClose={close}
        confirm="Delete notification"
        isDangerous
        isBusy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate(undefined)}
      >
        <p>What waits to be sent is not sent any more. This cannot be undone.</p>
      </ConfirmDialog>
      {secret !== undefined && (
        <OnceDialog
          title="Secret replaced"
          label="Secret"
          value={secret}
          copyButton="Copy secret"
          stored="I have stored this secret"
          onDone={() => setSecret(undefined)}
        />
      )}
    </Page>
  );
}

function TestResult({
  attempts,
  isDelivered,
}: {
  attempts: Parameters<typeof lastAttemptText>[0]["attempts"];
  isDelivered: boolean;
}) {
  const text = lastAttemptText({ attempts });
  return (
    <p role="status" aria-label="Test" className={`notice look-${isDelivered ? "neutral" : "error"}`}>
      <span>
        {isDelivered ? "The test was delivered: " : "The test was not delivered: "}
        <SafeText text={text} />
      </span>
    </p>
  );
}

function NotificationFacts({ webhook }: { webhook: Webhook }) {
  const units = useUnits([webhook.organizational_unit_id]);
  const people = useNamesOfPeople(webhook.recipient_user_ids);
  return (
    <Panel title="Facts">
      <Facts
        facts={{
          Recipients: webhook.url === null && (
            <SafeText text={webhook.recipient_user_ids.map((id) => people.get(id) ?? id).join(", ")} maxLength={4000} />
          ),
          Address: webhook.url !== null && (
            <>
              <SafeText text={webhook.url} />
              {webhook.has_authorization && <span className="soft"> (with an Authorization header)</span>}
            </>
          ),
          Events: webhook.events.map(eventText).join(" · "),
          Tasks: <FilteredTasks filter={webhook.filter} />,
          Reminders: reminderWords[webhook.remind_after],
          Unit: (
            <>
              <SafeText text={unitName(units, webhook.organizational_unit_id)} /> and below
            </>
          ),
          Created: <TimeText at={webhook.created_timestamp} isFull />,
        }}
      />
    </Panel>
  );
}

/** Which tasks it is about; in words where the filter is a simple one. */
function FilteredTasks({ filter }: { filter: Webhook["filter"] }) {
  if (filter === null) return "all";
  const words = filterText(filter);
  if (words !== undefined) return <SafeText text={`those whose ${words}`} maxLength={4000} />;
  return (
    <>
      those that match{" "}
      <code>
        <SafeText text={JSON.stringify(filter)} maxLength={4000} />
      </code>
    </>
  );
}
