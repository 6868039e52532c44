import {
  type ReminderInterval,
  reminderIntervals,
  type WebhookEvent,
  type WebhookKind,
  webhookKinds,
} from "@holdfast/api/resources/webhook-words";
import { Button, Checkbox, NativeSelect, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { ChangedMeanwhile } from "../../components/changed-meanwhile";
import { Dialog, OnceDialog } from "../../components/dialogs";
import { ErrorState } from "../../components/states";
import { UnitSelect } from "../../components/unit-select";
import { useChange } from "../../data/change";
import { useNamesOfPeople, type Webhook } from "../../data/notifications";
import { queryKey } from "../../data/query-keys";
import { useSaving } from "../../data/saving";
import { useClient, useUnit, useUnitId } from "../../data/unit";
import {
  defaultEvents,
  eventGroups,
  eventText,
  kindHints,
  kindWords,
  reminderWords,
} from "../../texts/notification-words";
import { Recipients } from "./recipients";

/** Editable fields of a notification. */
interface Draft {
  name: string;
  url: string;
  /** The new value of the header; none is sent where this is empty. */
  authorization: string;
  recipients: readonly string[];
  events: readonly WebhookEvent[];
  filter: string;
  /** Undefined for the default of the kind. */
  reminders: ReminderInterval | undefined;
}

function draftOf(webhook: Webhook | undefined): Draft {
  return {
    name: webhook?.name ?? "",
    url: webhook?.url ?? "",
    authorization: "",
    recipients: webhook?.recipient_user_ids ?? [],
    events: webhook?.events ?? defaultEvents,
    filter: webhook?.filter ? JSON.stringify(webhook.filter) : "",
    reminders: webhook?.remind_after,
  };
}

/** Request body of a draft. */
function bodyOf(draft: Draft, kind: WebhookKind) {
  const isMail = kind === "mail";
  return {
    name: draft.name.trim(),
    events: [...draft.events],
    filter: draft.filter.trim() === "" ? null : draft.filter.trim(),
    ...(isMail ? { recipient_user_ids: [...draft.recipients] } : { url: draft.url.trim() }),
    ...(draft.reminders === undefined ? {} : { remind_after: draft.reminders }),
    ...(draft.authorization === "" ? {} : { authorization: draft.authorization }),
  };
}

/** Makes a notification, or edits one. */
export function NotificationForm({ webhook: given, onClose }: { webhook?: Webhook; onClose: () => void }) {
  // The page may read the webhook again. What the form began with is what another person may have changed.
  const [webhook] = useState(given);
  const client = useClient();
  const navigate = useNavigate();
  const here = useUnitId() ?? "";
  const [kind, setKind] = useState<WebhookKind>(webhook?.kind ?? "standard");
  const [unitId, setUnitId] = useState(webhook?.organizational_unit_id ?? here);
  const [draft, setDraft] = useState(() => draftOf(webhook));
  const [made, setMade] = useState<{ id: string; secret: string }>();
  const set = (changes: Partial<Draft>) => setDraft({ ...draft, ...changes });
  const isDirty = JSON.stringify(draft) !== JSON.stringify(draftOf(webhook));
  const open = (id: string) => {
    onClose();
    void navigate({ to: "/administration/notifications/$id", params: { id } });
  };
  const create = useChange(
    (_: undefined, idempotencyKey) => {
      const body = { ...bodyOf(draft, kind), kind, organizational_unit_id: unitId };
      return client.webhooks.create(body, { idempotencyKey });
    },
    ({ id, secret }) => (secret === undefined ? open(id) : setMade({ id, secret })),
  );
  const saving = useSaving({
    send: (mine: Draft, ifMatch) => client.webhooks.update(webhook?.id ?? "", bodyOf(mine, kind), { ifMatch }),
    read: () => client.webhooks.read(webhook?.id ?? ""),
    key: queryKey(useUnit(), "read-webhook", webhook?.id),
    onSaved: onClose,
  });
  const people = useNamesOfPeople(
    saving.conflict ? [...draft.recipients, ...saving.conflict.theirs.recipient_user_ids] : [],
  );
  const factsOf = (version: Draft) => ({
    Name: version.name,
    ...(kind === "mail"
      ? { Recipients: version.recipients.map((id) => people.get(id) ?? id).join(", ") }
      : { Address: version.url }),
    Events: version.events.map(eventText).join(", "),
    "Only tasks that match": version.filter,
    Reminders: reminderWords[version.reminders ?? "never"],
  });
  if (made) {
    return (
      <OnceDialog
        title="Notification created"
        label="Secret"
        value={made.secret}
        copyButton="Copy secret"
        stored="I have stored this secret"
        onDone={() => open(made.id)}
      >
        <p className="soft">
          Messages are signed with it, as Standard Webhooks describes. Your program checks the header{" "}
          <code>webhook-signature</code>.
        </p>
      </OnceDialog>
    );
  }
  const { hint, example } = kindHints[kind];
  const error = create.error ?? saving.error;
  return (
    <>
      <Dialog
        title={webhook ? "Edit notification" : "Create notification"}
        isOpen={saving.conflict === undefined}
        onClose={onClose}
        size="lg"
        isDirty={isDirty}
      >
        <form
          className="stack"
          onSubmit={(event) => {
            event.preventDefault();
            if (webhook) saving.save(draft, webhook);
            else create.mutate(undefined);
          }}
        >
          <div className="form-pair">
            <TextInput
              label="Name"
              required
              withAsterisk={false}
              data-autofocus
              maxLength={200}
              value={draft.name}
              onChange={(event) => set({ name: event.currentTarget.value })}
            />
            <NativeSelect
              label="Kind"
              value={kind}
              disabled={webhook !== undefined}
              data={webhookKinds.map((one) => ({ value: one, label: kindWords[one] }))}
              onChange={({ currentTarget: { value } }) =>
                setKind(webhookKinds.find((one) => one === value) ?? "standard")
              }
            />
          </div>
          <p className="soft small">{hint}</p>
          {!webhook && <UnitSelect label="Organizational unit" value={unitId} onChange={setUnitId} />}
          {kind === "mail" ? (
            <Recipients unitId={unitId} chosen={draft.recipients} onChange={(recipients) => set({ recipients })} />
          ) : (
            <TextInput
              label="Address"
              type="url"
              required
              withAsterisk={false}
              placeholder={`for example ${example}`}
              maxLength={2048}
              value={draft.url}
              onChange={(event) => set({ url: event.currentTarget.value })}
            />
          )}
          {(kind === "standard" || kind === "ntfy") && (
            <TextInput
              label="Authorization header"
              description={
                webhook?.has_authorization
                  ? "One is set, and never shown. Leave this empty to keep it."
                  : "Only if the receiver requires one. It is never shown again."
              }
              placeholder="Bearer …"
              autoComplete="off"
              maxLength={1024}
              value={draft.authorization}
              onChange={(event) => set({ authorization: event.currentTarget.value })}
            />
          )}
          <EventBoxes chosen={draft.events} onChange={(events) => set({ events })} />
          <TextInput
            label="Only tasks that match"
            description="A filter as the list of tasks takes it. Empty for all tasks of the unit and below."
            placeholder='for example {"category":"backup"}'
            classNames={{ input: "mono" }}
            value={draft.filter}
            onChange={(event) => set({ filter: event.currentTarget.value })}
          />
          <NativeSelect
            label="Remind while something stays down"
            description="One message for all monitors and items that are still down."
            value={draft.reminders ?? (kind === "standard" ? "never" : "daily")}
            data={reminderIntervals.map((one) => ({ value: one, label: reminderWords[one] }))}
            onChange={({ currentTarget: { value } }) =>
              set({ reminders: reminderIntervals.find((one) => one === value) })
            }
          />
          {error && <ErrorState error={error} />}
          <div className="row-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button
              type="submit"
              loading={create.isPending || saving.isPending}
              disabled={draft.events.length === 0 || (kind === "mail" && draft.recipients.length === 0)}
            >
              Save notification
            </Button>
          </div>
        </form>
      </Dialog>
      {saving.conflict && (
        <ChangedMeanwhile
          what="notification"
          theirs={factsOf(draftOf(saving.conflict.theirs))}
          mine={factsOf(draft)}
          isBusy={saving.isPending}
          onTake={() => {
            saving.takeTheirs();
            onClose();
          }}
          onSave={() => saving.conflict && saving.save(draft, saving.conflict.theirs)}
          onClose={saving.forget}
        />
      )}
    </>
  );
}

function EventBoxes({
  chosen,
  onChange,
}: {
  chosen: readonly WebhookEvent[];
  onChange: (events: readonly WebhookEvent[]) => void;
}) {
  return (
    <fieldset className="event-boxes">
      <legend>Events</legend>
      {eventGroups.flatMap(({ title, events }) => [
        <p key={title} className="event-group">
          {title}
        </p>,
        ...events.map((event) => (
          <Checkbox
            key={event}
            label={eventText(event)}
            checked={chosen.includes(event)}
            onChange={({ currentTarget: { checked } }) =>
              onChange(checked ? [...chosen, event] : chosen.filter((one) => one !== event))
            }
          />
        )),
      ])}
    </fieldset>
  );
}
