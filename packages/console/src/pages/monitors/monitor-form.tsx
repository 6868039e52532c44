import { taskCategories } from "@holdfast/api/resources/task-words";
import { etagOf } from "@holdfast/client";
import { Button, NativeSelect, Radio, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useDeferredValue, useState } from "react";
import { Dialog } from "../../components/dialogs";
import { ErrorState } from "../../components/states";
import { UnitSelect } from "../../components/unit-select";
import { useChange } from "../../data/change";
import type { Monitor } from "../../data/protection";
import { useClient, useUnitId } from "../../data/unit";
import { categoryWords } from "../../texts/task-words";
import { fullTime, ownZone } from "../../texts/times";

const zones = Intl.supportedValuesOf("timeZone");
const periods = [
  { value: "3600", label: "hour" },
  { value: "21600", label: "6 hours" },
  { value: "43200", label: "12 hours" },
  { value: "86400", label: "day" },
  { value: "604800", label: "week" },
  { value: "2592000", label: "30 days" },
];
const graces = [
  { value: "300", label: "5 minutes" },
  { value: "1800", label: "30 minutes" },
  { value: "3600", label: "1 hour" },
  { value: "21600", label: "6 hours" },
  { value: "86400", label: "1 day" },
];

/** Makes a monitor, or edits one. */
export function MonitorForm({ monitor, onClose }: { monitor?: Monitor; onClose: () => void }) {
  const client = useClient();
  const navigate = useNavigate();
  const here = useUnitId() ?? "";
  const known = monitor?.schedule ?? null;
  const [name, setName] = useState(monitor?.name ?? "");
  const [kind, setKind] = useState(known && "period_seconds" in known ? "period" : "cron");
  const [cron, setCron] = useState(known && "cron" in known ? known.cron : "30 2 * * *");
  const [zone, setZone] = useState(known && "cron" in known ? known.time_zone : ownZone);
  const [period, setPeriod] = useState(known && "period_seconds" in known ? String(known.period_seconds) : "86400");
  const [grace, setGrace] = useState(String(monitor?.grace_seconds ?? 3600));
  const [category, setCategory] = useState<string>(monitor?.category ?? "backup");
  const [type, setType] = useState(monitor?.type ?? "");
  const [item, setItem] = useState(monitor?.primary_entity.value ?? "");
  const [itemType, setItemType] = useState(monitor?.primary_entity.type ?? "host");
  const [unitId, setUnitId] = useState(here);
  const save = useChange(
    (_: undefined, idempotencyKey) => {
      const schedule = kind === "cron" ? { cron: cron.trim(), time_zone: zone } : { period_seconds: Number(period) };
      const body = {
        name: name.trim(),
        schedule,
        grace_seconds: Number(grace),
        category: taskCategories.find((one) => one === category) ?? "backup",
        ...(type.trim() === "" ? {} : { type: type.trim() }),
        ...(item.trim() === "" ? {} : { primary_entity: { type: itemType.trim() || "host", value: item.trim() } }),
      };
      return monitor
        ? client.monitors.update(monitor.id, body, { ifMatch: etagOf(monitor) })
        : client.monitors.create({ ...body, organizational_unit_id: unitId }, { idempotencyKey });
    },
    ({ id }) => {
      onClose();
      if (!monitor) void navigate({ to: "/monitors/$id", params: { id } });
    },
  );
  return (
    <Dialog title={monitor ? "Edit monitor" : "Create monitor"} isOpen onClose={onClose} size="lg">
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate(undefined);
        }}
      >
        <TextInput
          label="Name"
          required
          withAsterisk={false}
          data-autofocus
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {!monitor && <UnitSelect label="Organizational unit" value={unitId} onChange={setUnitId} />}
        <Radio.Group label="A run is expected by" value={kind} onChange={setKind}>
          <div className="row radio-row">
            <Radio value="cron" label="Cron expression" />
            <Radio value="period" label="Every" />
          </div>
        </Radio.Group>
        {kind === "cron" ? (
          <>
            <div className="form-pair">
              <TextInput
                label="Cron expression"
                className="mono"
                value={cron}
                onChange={(event) => setCron(event.currentTarget.value)}
              />
              <NativeSelect
                label="Time zone"
                value={zone}
                data={zones.includes(zone) ? zones : [zone, ...zones]}
                onChange={(event) => setZone(event.currentTarget.value)}
              />
            </div>
            <NextRuns cron={cron} zone={zone} />
          </>
        ) : (
          <NativeSelect
            label="Period"
            value={period}
            data={withKnown(periods, period)}
            onChange={(event) => setPeriod(event.currentTarget.value)}
          />
        )}
        <NativeSelect
          label="Grace period"
          description="How late a run may begin before it counts as missed."
          value={grace}
          data={withKnown(graces, grace)}
          onChange={(event) => setGrace(event.currentTarget.value)}
        />
        <div className="form-pair">
          <NativeSelect
            label="Category"
            value={category}
            data={taskCategories.map((one) => ({ value: one, label: categoryWords[one] }))}
            onChange={(event) => setCategory(event.currentTarget.value)}
          />
          <TextInput
            label="Type"
            placeholder="restic_backup"
            value={type}
            onChange={(event) => setType(event.currentTarget.value)}
          />
        </div>
        <div className="form-pair">
          <TextInput
            label="Item"
            placeholder="web-01"
            value={item}
            onChange={(event) => setItem(event.currentTarget.value)}
          />
          <TextInput label="Item type" value={itemType} onChange={(event) => setItemType(event.currentTarget.value)} />
        </div>
        {save.error && <ErrorState error={save.error} />}
        <div className="row-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending}>
            Save monitor
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** The choices, and the value that is set where it is none of them. */
function withKnown(choices: { value: string; label: string }[], value: string) {
  return choices.some((one) => one.value === value) ? choices : [...choices, { value, label: `${value} seconds` }];
}

/** The next runs of an expression, in its zone and in the viewer's. */
function NextRuns({ cron, zone }: { cron: string; zone: string }) {
  const client = useClient();
  const wanted = useDeferredValue(cron.trim());
  const { data, error } = useQuery({
    queryKey: ["own", "preview-schedule", { wanted, zone }],
    queryFn: ({ signal }) => client.monitors.previewSchedule(wanted, zone, { signal }),
    enabled: wanted !== "",
    placeholderData: (before) => before,
  });
  if (error) return <ErrorState error={error} />;
  return (
    <div>
      <p className="small soft">Next runs{zone === ownZone ? "" : `, in ${zone} and here`}</p>
      <ol className="plain-list small" aria-label="Next runs">
        {data?.runs.map(({ timestamp, local, clock_change }) => (
          <li key={timestamp}>
            {local.slice(0, 16).replace("T", " ")}
            {zone !== ownZone && ` · ${fullTime(Date.parse(timestamp), ownZone)}`}
            {clock_change && ` · the clock goes ${clock_change}`}
          </li>
        ))}
      </ol>
    </div>
  );
}
