import type { ItemOf } from "@holdfast/client";
import { Button, Checkbox, NativeSelect, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Column, DataTable } from "../../components/data-table";
import { ConfirmDialog, OnceDialog } from "../../components/dialogs";
import { Panel } from "../../components/panel";
import { RowMenu } from "../../components/row-menu";
import { SafeText } from "../../components/safe-text";
import { Snippet } from "../../components/snippets";
import { ErrorState } from "../../components/states";
import { TimeText } from "../../components/time-text";
import { UnitSelect } from "../../components/unit-select";
import { useApiForm } from "../../data/api-form";
import { useChange } from "../../data/change";
import { unitName, useUnits } from "../../data/names";
import { publicUrl } from "../../data/page-facts";
import { queryKey } from "../../data/query-keys";
import { offers, useDiscovery } from "../../data/rights";
import { useClient, useUnit, useUnitId } from "../../data/unit";
import { everyText } from "../../texts/durations";

type PingKey = ItemOf<"ping-keys", "read-ping-key">;

const maxKeys = 100;

/** Keys that ping monitors by their names, and can make them: for many hosts with one line. */
export function PingKeys() {
  const client = useClient();
  const unit = useUnit();
  const { data: index } = useDiscovery();
  const isOffered = offers(index, "ping-keys", "list-ping-keys");
  const [open, setOpen] = useState<"create" | PingKey>();
  const { data: page, error } = useQuery({
    queryKey: queryKey(unit, "list-ping-keys"),
    queryFn: ({ signal }) => client.pingKeys.list({ limit: maxKeys, signal }).page(),
    enabled: isOffered,
  });
  if (!isOffered) return null;
  const close = () => setOpen(undefined);
  return (
    <Panel
      title="Ping keys"
      aside={
        <Button variant="default" onClick={() => setOpen("create")}>
          Create ping key
        </Button>
      }
    >
      {error && <ErrorState error={error} />}
      {page?.items.length === 0 && (
        <p className="soft">
          One key pings all monitors of a unit by their names, and can create those that do not exist yet.
        </p>
      )}
      {page && page.items.length > 0 && <KeyTable keys={page.items} onDelete={setOpen} />}
      {open === "create" && <CreatePingKey onClose={close} />}
      {open !== undefined && open !== "create" && <DeletePingKey pingKey={open} onClose={close} />}
    </Panel>
  );
}

function KeyTable({ keys, onDelete }: { keys: readonly PingKey[]; onDelete: (key: PingKey) => void }) {
  const units = useUnits(keys.map((key) => key.organizational_unit_id));
  const columns: Column<PingKey>[] = [
    {
      title: "Name",
      className: "strong",
      cell: ({ name }) => (
        <span className="clip">
          <SafeText text={name} />
        </span>
      ),
    },
    {
      title: "New monitors",
      width: "32%",
      cardLabel: "New monitors",
      cell: ({ may_create, default_period_seconds: period }) => (
        <span className="clip soft">{newMonitorsText(may_create, period)}</span>
      ),
    },
    {
      title: "Unit",
      width: "20%",
      cell: ({ organizational_unit_id }) => (
        <span className="clip soft">
          <SafeText text={unitName(units, organizational_unit_id)} />
        </span>
      ),
    },
    {
      title: "Created",
      width: "120px",
      cardLabel: "Created",
      cell: ({ created_timestamp }) => <TimeText at={created_timestamp} />,
    },
    {
      title: "Actions",
      width: "56px",
      isQuiet: true,
      className: "card-corner",
      cell: (key) => (
        <RowMenu of={key.name} actions={[{ name: "Delete", isDangerous: true, act: () => onDelete(key) }]} />
      ),
    },
  ];
  return <DataTable name="Ping keys" columns={columns} items={keys} idOf={({ id }) => id} />;
}

function newMonitorsText(mayCreate: boolean, period: number | null): string {
  if (!mayCreate) return "not created by pings";
  return period === null ? "created, without an expected run" : `created, expecting a run ${everyText(period)}`;
}

const periods = [
  { value: "3600", label: "every hour" },
  { value: "86400", label: "every day" },
  { value: "604800", label: "every week" },
  { value: "", label: "at no time" },
];

const labels = {
  name: "Name",
  organizational_unit_id: "Organizational unit",
  may_create: "A ping may create a monitor that does not exist",
  default_period_seconds: "New monitors expect a run",
  type: "Type",
};

function CreatePingKey({ onClose }: { onClose: () => void }) {
  const client = useClient();
  const here = useUnitId() ?? "";
  const [key, setKey] = useState<string>();
  const values = {
    name: "",
    organizational_unit_id: here,
    may_create: true,
    default_period_seconds: "86400",
    type: "",
  };
  const create = useChange(
    ({ default_period_seconds: period, type, ...body }: typeof values, idempotencyKey) => {
      const chosen = type.trim() === "" ? {} : { type: type.trim() };
      const default_period_seconds = period === "" ? null : Number(period);
      return client.pingKeys.create({ ...body, ...chosen, default_period_seconds }, { idempotencyKey });
    },
    (made) => setKey(made.key ?? ""),
  );
  const form = useApiForm({ values, labels, error: create.error });
  const { may_create: mayCreate } = form.values;
  if (key !== undefined) {
    return (
      <OnceDialog
        title="Ping key created"
        label="Ping key"
        value={key}
        copyButton="Copy ping key"
        stored="I have stored this key"
        onDone={onClose}
      >
        <p className="soft">Put the name of the job in place of my-backup:</p>
        <Snippet
          text={`curl -fsS -m 10 --retry 5 '${publicUrl}/ping/${key}/my-backup${mayCreate ? "?create=1" : ""}'`}
        />
      </OnceDialog>
    );
  }
  return (
    <ConfirmDialog
      title="Create ping key"
      isOpen
      onClose={onClose}
      isDirty={form.isDirty}
      confirm="Create ping key"
      isBusy={create.isPending}
      error={form.rest}
      onConfirm={form.send(create.mutate)}
    >
      <TextInput {...form.field("name")} required data-autofocus maxLength={200} />
      <UnitSelect {...form.field("organizational_unit_id")} />
      <Checkbox {...form.box("may_create")} />
      {mayCreate && (
        <div className="form-pair">
          <NativeSelect {...form.field("default_period_seconds")} data={periods} />
          <TextInput {...form.field("type")} placeholder="for example restic_backup" />
        </div>
      )}
    </ConfirmDialog>
  );
}

function DeletePingKey({ pingKey, onClose }: { pingKey: PingKey; onClose: () => void }) {
  const client = useClient();
  const remove = useChange(() => client.pingKeys.delete(pingKey.id), onClose);
  return (
    <ConfirmDialog
      title="Delete this ping key?"
      isOpen
      onClose={onClose}
      confirm="Delete ping key"
      isDangerous
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(undefined)}
    >
      <p>
        Pings with <SafeText text={pingKey.name} /> are refused at once. Monitors that it made stay, with their own ping
        URLs.
      </p>
    </ConfirmDialog>
  );
}
