import { taskCategories } from "@holdfast/api/resources/task-words";
import { NativeSelect, Radio, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useDeferredValue, useState } from "react";
import { ConfirmDialog } from "../../components/dialogs";
import { EditConflict } from "../../components/edit-conflict";
import { ErrorState } from "../../components/states";
import { UnitSelect } from "../../components/unit-select";
import { type ApiForm, useApiForm } from "../../data/api-form";
import { useChange } from "../../data/change";
import { useConflictSafeSave } from "../../data/conflict-safe-save";
import type { Monitor } from "../../data/protection";
import { queryKey } from "../../data/query-keys";
import { splitFaults } from "../../data/split-faults";
import { useClient, useUnit, useUnitId } from "../../data/unit";
import { roughDuration } from "../../texts/durations";
import { scheduleText } from "../../texts/schedule-text";
import { categoryWords } from "../../texts/task-words";
import { hourText, ownZone, weekdayText } from "../../texts/times";

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

/** Part of a monitor that can be edited. Fields that the API has, too, are where it has them. */
interface Draft {
  name: string;
  organizational_unit_id: string;
  expectedBy: "cron" | "period" | "none";
  schedule: { cron: string; time_zone: string; period_seconds: string };
  grace_seconds: string;
  category: string;
  type: string;
  primary_entity: { value: string; type: string };
}

const labels = {
  name: "Name",
  organizational_unit_id: "Organizational unit",
  expectedBy: "A run is expected by",
  "schedule.cron": "Cron expression",
  "schedule.time_zone": "Time zone",
  "schedule.period_seconds": "Period",
  grace_seconds: "Grace period",
  category: "Category",
  type: "Type",
  "primary_entity.value": "Item",
  "primary_entity.type": "Item type",
};

/** An item that a new monitor is to watch. */
type WatchedItem = Monitor["primary_entity"];

function draftOf(monitor: Monitor | undefined, item: WatchedItem | undefined, unitId: string): Draft {
  const schedule = monitor?.schedule ?? null;
  const isCron = schedule !== null && "cron" in schedule;
  const isPeriod = schedule !== null && "period_seconds" in schedule;
  const watched = monitor?.primary_entity ?? item;
  return {
    name: monitor?.name ?? item?.value ?? "",
    organizational_unit_id: unitId,
    expectedBy: monitor && schedule === null ? "none" : isPeriod ? "period" : "cron",
    schedule: {
      cron: isCron ? schedule.cron : "30 2 * * *",
      time_zone: isCron ? schedule.time_zone : ownZone,
      period_seconds: isPeriod ? String(schedule.period_seconds) : "86400",
    },
    grace_seconds: String(monitor?.grace_seconds ?? 3600),
    category: monitor?.category ?? "backup",
    type: monitor?.type ?? "",
    primary_entity: { value: watched?.value ?? "", type: watched?.type ?? "host" },
  };
}

function scheduleOf({ expectedBy, schedule: { cron, time_zone, period_seconds } }: Draft): Monitor["schedule"] {
  if (expectedBy === "none") return null;
  return expectedBy === "cron" ? { cron: cron.trim(), time_zone } : { period_seconds: Number(period_seconds) };
}

/** Request body of a draft. The watched item is sent only if it changed. */
function bodyOf(draft: Draft, known: WatchedItem | undefined) {
  const [value, type] = [draft.primary_entity.value.trim(), draft.primary_entity.type.trim() || "host"];
  const isKnown = known !== undefined && known.value === value && known.type === type;
  return {
    name: draft.name,
    schedule: scheduleOf(draft),
    grace_seconds: Number(draft.grace_seconds),
    category: taskCategories.find((one) => one === draft.category) ?? "backup",
    ...(draft.type.trim() === "" ? {} : { type: draft.type.trim() }),
    ...(value === "" ? {} : { primary_entity: isKnown ? known : { type, value } }),
  };
}

function factsOf(draft: Draft) {
  return {
    Name: draft.name,
    Expected: scheduleText(scheduleOf(draft)),
    "Grace period": roughDuration(Number(draft.grace_seconds) * 1000),
    Category: draft.category,
    Type: draft.type,
    Item: `${draft.primary_entity.value} (${draft.primary_entity.type})`,
  };
}

export interface MonitorFormProps {
  /** The monitor to edit; a new one is made where it is missing. */
  monitor?: Monitor;
  /** Item for a new monitor to watch. */
  item?: WatchedItem;
  /** The unit of a new one. */
  inUnit?: string;
  onClose: () => void;
}

/** Makes a monitor, or edits one. */
export function MonitorForm({ monitor: given, item, inUnit, onClose }: MonitorFormProps) {
  // The page reads the monitor again at every run. What the form began with is what another person may have changed.
  const [monitor] = useState(given);
  const client = useClient();
  const navigate = useNavigate();
  const here = useUnitId() ?? "";
  const known = monitor?.primary_entity ?? item;
  const create = useChange(
    (draft: Draft, idempotencyKey) => {
      const { organizational_unit_id } = draft;
      return client.monitors.create({ ...bodyOf(draft, known), organizational_unit_id }, { idempotencyKey });
    },
    ({ id }) => {
      onClose();
      void navigate({ to: "/monitors/$id", params: { id } });
    },
  );
  const saving = useConflictSafeSave({
    send: (draft: Draft, ifMatch) => client.monitors.update(monitor?.id ?? "", bodyOf(draft, known), { ifMatch }),
    read: () => client.monitors.read(monitor?.id ?? ""),
    key: queryKey(useUnit(), "read-monitor", monitor?.id),
    onSaved: onClose,
  });
  const values = draftOf(monitor, item, inUnit ?? here);
  const form = useApiForm({ values, labels, error: create.error ?? saving.error });
  if (saving.conflict) {
    return (
      <EditConflict
        what="monitor"
        saving={saving}
        factsOf={(theirs) => factsOf(draftOf(theirs, undefined, here))}
        mine={factsOf}
        onTake={onClose}
      />
    );
  }
  const { expectedBy, schedule, grace_seconds } = form.values;
  return (
    <ConfirmDialog
      title={monitor ? "Edit monitor" : "Create monitor"}
      isOpen
      onClose={onClose}
      size="lg"
      isDirty={form.isDirty}
      confirm="Save monitor"
      isBusy={create.isPending || saving.isPending}
      error={form.rest}
      onConfirm={form.send((draft) => (monitor ? saving.save(draft, monitor) : create.mutate(draft)))}
    >
      <div className={monitor ? "" : "form-pair"}>
        <TextInput {...form.field("name")} required data-autofocus maxLength={200} />
        {!monitor && <UnitSelect {...form.field("organizational_unit_id")} />}
      </div>
      <Radio.Group {...form.field("expectedBy")}>
        <div className="row radio-row">
          <Radio value="cron" label="Cron expression" />
          <Radio value="period" label="Every" />
          <Radio value="none" label="Nothing" />
        </div>
      </Radio.Group>
      {expectedBy === "cron" && <CronFields form={form} />}
      {expectedBy === "period" && (
        <NativeSelect {...form.field("schedule.period_seconds")} data={withKnown(periods, schedule.period_seconds)} />
      )}
      <NativeSelect
        {...form.field("grace_seconds")}
        description="How late a run may begin before it counts as missed."
        data={withKnown(graces, grace_seconds)}
      />
      <div className="form-pair">
        <NativeSelect
          {...form.field("category")}
          data={taskCategories.map((one) => ({ value: one, label: categoryWords[one] }))}
        />
        <TextInput {...form.field("type")} placeholder="for example restic_backup" />
      </div>
      <div className="form-pair">
        <TextInput {...form.field("primary_entity.value")} placeholder="for example web-01" />
        <TextInput {...form.field("primary_entity.type")} />
      </div>
    </ConfirmDialog>
  );
}

/** The choices, and the value that is set where it is none of them. */
function withKnown(choices: { value: string; label: string }[], value: string) {
  return choices.some((one) => one.value === value)
    ? choices
    : [...choices, { value, label: roughDuration(Number(value) * 1000) }];
}

/** A time of a zone by the viewer's clock, with the day where that is another one. */
function timeHere(at: number, zone: string): string {
  const time = hourText(at, ownZone);
  return weekdayText(at, ownZone) === weekdayText(at, zone) ? time : weekdayText(at, ownZone, time);
}

/** A cron expression in a time zone, and its next runs. */
function CronFields({ form }: { form: ApiForm<Draft> }) {
  const client = useClient();
  const { cron, time_zone: zone } = form.values.schedule;
  const wanted = useDeferredValue(cron.trim());
  const isZone = zones.includes(zone) || zone === "UTC";
  const { data, error } = useQuery({
    queryKey: ["own", "preview-schedule", { wanted, zone }],
    queryFn: ({ signal }) => client.monitors.previewSchedule({ cron: wanted, timeZone: zone, signal }),
    enabled: wanted !== "" && isZone,
    placeholderData: (before) => before,
  });
  const { errors, rest } = splitFaults(error, { cron: labels["schedule.cron"] });
  return (
    <>
      <div className="form-pair">
        <TextInput
          {...form.field("schedule.cron")}
          error={form.errors["schedule.cron"] ?? errors.cron}
          classNames={{ input: "mono" }}
        />
        <TextInput
          {...form.field("schedule.time_zone")}
          error={
            form.errors["schedule.time_zone"] ?? (!isZone && "Choose one of the time zones, such as Europe/Berlin.")
          }
          list="time-zones"
          maxLength={64}
        />
        <datalist id="time-zones">
          {zones.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      </div>
      {rest ? <ErrorState error={rest} /> : null}
      {isZone && !error && (
        <div>
          <p className="small soft">Next runs{zone === ownZone ? "" : `, by the clock of ${zone} and by yours`}</p>
          <ol className="next-runs" aria-label="Next runs">
            {data?.runs.map(({ timestamp, local, clock_change }) => (
              <li key={timestamp} className="next-run">
                <span>{weekdayText(Date.parse(timestamp), zone)}</span> <span>{local.slice(11, 16)}</span>{" "}
                {zone !== ownZone && <span className="soft">{timeHere(Date.parse(timestamp), zone)}</span>}
                {clock_change && <span className="soft">the clock goes {clock_change}</span>}
              </li>
            ))}
          </ol>
        </div>
      )}
    </>
  );
}
