import {
  type ReminderInterval,
  reminderIntervals,
  type WebhookEvent,
  type WebhookKind,
  webhookKinds,
} from "@holdfast/api/resources/webhook-words";
import { Checkbox, Input, NativeSelect, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { ConfirmDialog, OnceDialog } from "../../components/dialogs";
import { EditConflict } from "../../components/edit-conflict";
import { UnitSelect } from "../../components/unit-select";
import { useApiForm } from "../../data/api-form";
import { useChange } from "../../data/change";
import { useConflictSafeSave } from "../../data/conflict-safe-save";
import { useNamesOfPeople } from "../../data/names";
import type { Webhook } from "../../data/notifications";
import { queryKey } from "../../data/query-keys";
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
  kind: WebhookKind;
  organizational_unit_id: string;
  name: string;
  url: string;
  /** The new value of the header; none is sent where this is empty. */
  authorization: string;
  recipient_user_ids: readonly string[];
  events: readonly WebhookEvent[];
  filter: string;
  /** Empty for the default of the kind. */
  remind_after: ReminderInterval | "";
}

const labels = {
  kind: "Kind",
  organizational_unit_id: "Organizational unit",
  name: "Name",
  url: "Address",
  authorization: "Authorization header",
  recipient_user_ids: "Recipients",
  events: "Events",
  filter: "Only tasks that match",
  remind_after: "Remind while something stays down",
};

function draftOf(webhook: Webhook | undefined, unitId: string): Draft {
  return {
    kind: webhook?.kind ?? "standard",
    organizational_unit_id: webhook?.organizational_unit_id ?? unitId,
    name: webhook?.name ?? "",
    url: webhook?.url ?? "",
    authorization: "",
    recipient_user_ids: webhook?.recipient_user_ids ?? [],
    events: webhook?.events ?? defaultEvents,
    filter: webhook?.filter ? JSON.stringify(webhook.filter) : "",
    remind_after: webhook?.remind_after ?? "",
  };
}

/** Body that a draft is sent as. */
function bodyOf({ kind, name, url, authorization, recipient_user_ids, events, filter, remind_after }: Draft) {
  return {
    name,
    events: [...events],
    filter: filter.trim() === "" ? null : filter.trim(),
    ...(kind === "mail" ? { recipient_user_ids: [...recipient_user_ids] } : { url }),
    ...(remind_after === "" ? {} : { remind_after }),
    ...(authorization === "" ? {} : { authorization }),
  };
}

/** Makes a notification, or edits one. */
export function NotificationForm({ webhook: given, onClose }: { webhook?: Webhook; onClose: () => void }) {
  // The page may read the webhook again. What the form began with is what another person may have changed.
  const [webhook] = useState(given);
  const client = useClient();
  const navigate = useNavigate();
  const here = useUnitId() ?? "";
  const [made, setMade] = useState<{ id: string; secret: string }>();
  const open = (id: string) => {
    onClose();
    void navigate({ to: "/administration/notifications/$id", params: { id } });
  };
  const create = useChange(
    (draft: Draft, idempotencyKey) => {
      const { kind, organizational_unit_id } = draft;
      return client.webhooks.create({ ...bodyOf(draft), kind, organizational_unit_id }, { idempotencyKey });
    },
    ({ id, secret }) => (secret === undefined ? open(id) : setMade({ id, secret })),
  );
  const saving = useConflictSafeSave({
    send: (draft: Draft, ifMatch) => client.webhooks.update(webhook?.id ?? "", bodyOf(draft), { ifMatch }),
    read: () => client.webhooks.read(webhook?.id ?? ""),
    key: queryKey(useUnit(), "read-webhook", webhook?.id),
    onSaved: onClose,
  });
  const form = useApiForm({ values: draftOf(webhook, here), labels, error: create.error ?? saving.error });
  const { kind, recipient_user_ids, events } = form.values;
  const people = useNamesOfPeople(
    saving.conflict ? [...recipient_user_ids, ...saving.conflict.theirs.recipient_user_ids] : [],
  );
  const factsOf = (version: Draft) => ({
    [labels.name]: version.name,
    ...(kind === "mail"
      ? { [labels.recipient_user_ids]: version.recipient_user_ids.map((id) => people.get(id) ?? id).join(", ") }
      : { [labels.url]: version.url }),
    [labels.events]: version.events.map(eventText).join(", "),
    [labels.filter]: version.filter,
    Reminders: reminderWords[version.remind_after || "never"],
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
  if (saving.conflict) {
    return (
      <EditConflict
        what="notification"
        saving={saving}
        factsOf={(theirs) => factsOf(draftOf(theirs, here))}
        mine={factsOf}
        onTake={onClose}
      />
    );
  }
  return (
    <ConfirmDialog
      title={webhook ? "Edit notification" : "Create notification"}
      isOpen
      onClose={onClose}
      size="lg"
      isDirty={form.isDirty}
      confirm="Save notification"
      isBusy={create.isPending || saving.isPending}
      isDisabled={events.length === 0 || (kind === "mail" && recipient_user_ids.length === 0)}
      error={form.rest}
      onConfirm={form.send((draft) => (webhook ? saving.save(draft, webhook) : create.mutate(draft)))}
    >
      <div className="form-pair">
        <TextInput {...form.field("name")} required data-autofocus maxLength={200} />
        <NativeSelect
          {...form.field("kind")}
          disabled={webhook !== undefined}
          data={webhookKinds.map((one) => ({ value: one, label: kindWords[one] }))}
        />
      </div>
      <p className="soft small">{hint}</p>
      {!webhook && <UnitSelect {...form.field("organizational_unit_id")} />}
      {kind === "mail" ? (
        <Recipients {...form.field("recipient_user_ids")} unitId={form.values.organizational_unit_id} />
      ) : (
        <TextInput {...form.field("url")} type="url" required placeholder={`for example ${example}`} maxLength={2048} />
      )}
      {(kind === "standard" || kind === "ntfy") && (
        <TextInput
          {...form.field("authorization")}
          description={
            webhook?.has_authorization
              ? "One is set, and never shown. Leave this empty to keep it."
              : "Only if the receiver requires one. It is never shown again."
          }
          placeholder="Bearer …"
          autoComplete="off"
          maxLength={1024}
        />
      )}
      <EventBoxes {...form.field("events")} />
      <TextInput
        {...form.field("filter")}
        description="A filter as the list of tasks takes it. Empty for all tasks of the unit and below."
        placeholder='for example {"category":"backup"}'
        classNames={{ input: "mono" }}
      />
      <NativeSelect
        {...form.field("remind_after")}
        description="One message for all monitors and items that are still down."
        value={form.values.remind_after || (kind === "standard" ? "never" : "daily")}
        data={reminderIntervals.map((one) => ({ value: one, label: reminderWords[one] }))}
      />
    </ConfirmDialog>
  );
}

interface EventBoxesProps {
  label?: string | undefined;
  value: readonly WebhookEvent[];
  error?: ReactNode;
  onChange: (events: readonly WebhookEvent[]) => void;
}

function EventBoxes({ label, value: chosen, error, onChange }: EventBoxesProps) {
  return (
    <fieldset className="event-boxes">
      <legend>{label}</legend>
      {error && <Input.Error className="whole-row">{error}</Input.Error>}
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
