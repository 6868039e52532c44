import { taskCategories } from "@holdfast/api/resources/task-words";
import { Button, NativeSelect, Radio, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useDeferredValue, useState } from "react";
import { ChangedMeanwhile } from "../../components/changed-meanwhile";
import { Dialog } from "../../components/dialogs";
import { ErrorState } from "../../components/states";
import { UnitSelect } from "../../components/unit-select";
import { useChange } from "../../data/change";
import type { Monitor } from "../../data/protection";
import { queryKey } from "../../data/query-keys";
import { useSaving } from "../../data/saving";
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

/** Editable fields of a monitor. */
interface Draft {
  name: string;
  kind: "cron" | "period" | "none";
  cron: string;
  zone: string;
  period: string;
  grace: string;
  category: string;
  type: string;
  item: string;
  itemType: string;
}

/** An item that a new monitor is to watch. */
type WatchedItem = Monitor["primary_entity"];

function draftOf(monitor: Monitor | undefined, item: WatchedItem | undefined): Draft {
  const schedule = monitor?.schedule ?? null;
  const isCron = schedule !== null && "cron" in schedule;
  const isPeriod = schedule !== null && "period_seconds" in schedule;
  return {
    name: monitor?.name ?? item?.value ?? "",
    kind: monitor && schedule === null ? "none" : isPeriod ? "period" : "cron",
    cron: isCron ? schedule.cron : "30 2 * * *",
    zone: isCron ? schedule.time_zone : ownZone,
    period: isPeriod ? String(schedule.period_seconds) : "86400",
    grace: String(monitor?.grace_seconds ?? 3600),
    category: monitor?.category ?? "backup",
    type: monitor?.type ?? "",
    item: (monitor?.primary_entity ?? item)?.value ?? "",
    itemType: (monitor?.primary_entity ?? item)?.type ?? "host",
  };
}

function scheduleOf({ kind, cron, zone, period }: Draft): Monitor["schedule"] {
  if (kind === "none") return null;
  return kind === "cron" ? { cron: cron.trim(), time_zone: zone } : { period_seconds: Number(period) };
}

/** Request body of a draft. The watched item is sent only if it changed. */
function bodyOf(draft: Draft, known: WatchedItem | undefined) {
  const [value, type] = [draft.item.trim(), draft.itemType.trim() || "host"];
  const isKnown = known !== undefined && known.value === value && known.type === type;
  return {
    name: draft.name.trim(),
    schedule: scheduleOf(draft),
    grace_seconds: Number(draft.grace),
    category: taskCategories.find((one) => one === draft.category) ?? "backup",
    ...(draft.type.trim() === "" ? {} : { type: draft.type.trim() }),
    ...(value === "" ? {} : { primary_entity: isKnown ? known : { type, value } }),
  };
}

function factsOf(draft: Draft) {
  return {
    Name: draft.name,
    Expected: scheduleText(scheduleOf(draft)),
    "Grace period": roughDuration(Number(draft.grace) * 1000),
    Category: draft.category,
    Type: draft.type,
    Item: `${draft.item} (${draft.itemType})`,
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
  const [unitId, setUnitId] = useState(inUnit ?? here);
  const [draft, setDraft] = useState(() => draftOf(monitor, item));
  const set = (changes: Partial<Draft>) => setDraft({ ...draft, ...changes });
  const isDirty = JSON.stringify(draft) !== JSON.stringify(draftOf(monitor, item));
  const known = monitor?.primary_entity ?? item;
  const create = useChange(
    (_: undefined, idempotencyKey) =>
      client.monitors.create({ ...bodyOf(draft, known), organizational_unit_id: unitId }, { idempotencyKey }),
    ({ id }) => {
      onClose();
      void navigate({ to: "/monitors/$id", params: { id } });
    },
  );
  const saving = useSaving({
    send: (mine: Draft, ifMatch) => client.monitors.update(monitor?.id ?? "", bodyOf(mine, known), { ifMatch }),
    read: () => client.monitors.read(monitor?.id ?? ""),
    key: queryKey(useUnit(), "read-monitor", monitor?.id),
    onSaved: onClose,
  });
  const { conflict } = saving;
  if (conflict) {
    return (
      <ChangedMeanwhile
        what="monitor"
        theirs={factsOf(draftOf(conflict.theirs, undefined))}
        mine={factsOf(draft)}
        isBusy={saving.isPending}
        onTake={() => {
          saving.takeTheirs();
          onClose();
        }}
        onSave={() => saving.save(draft, conflict.theirs)}
        onClose={saving.forget}
      />
    );
  }
  const error = create.error ?? saving.error;
  return (
    <Dialog title={monitor ? "Edit monitor" : "Create monitor"} isOpen onClose={onClose} size="lg" isDirty={isDirty}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (monitor) saving.save(draft, monitor);
          else create.mutate(undefined);
        }}
      >
        <div className={monitor ? "" : "form-pair"}>
          <TextInput
            label="Name"
            required
            withAsterisk={false}
            data-autofocus
            maxLength={200}
            value={draft.name}
            onChange={(event) => set({ name: event.currentTarget.value })}
          />
          {!monitor && <UnitSelect label="Organizational unit" value={unitId} onChange={setUnitId} />}
        </div>
        <Radio.Group
          label="A run is expected by"
          value={draft.kind}
          onChange={(kind) => set({ kind: kind === "period" || kind === "none" ? kind : "cron" })}
        >
          <div className="row radio-row">
            <Radio value="cron" label="Cron expression" />
            <Radio value="period" label="Every" />
            <Radio value="none" label="Nothing" />
          </div>
        </Radio.Group>
        {draft.kind === "cron" && (
          <>
            <div className="form-pair">
              <TextInput
                label="Cron expression"
                classNames={{ input: "mono" }}
                value={draft.cron}
                onChange={(event) => set({ cron: event.currentTarget.value })}
              />
              <TextInput
                label="Time zone"
                list="time-zones"
                maxLength={64}
                value={draft.zone}
                onChange={(event) => set({ zone: event.currentTarget.value })}
              />
              <datalist id="time-zones">
                {zones.map((zone) => (
                  <option key={zone} value={zone} />
                ))}
              </datalist>
            </div>
            <NextRuns cron={draft.cron} zone={draft.zone} />
          </>
        )}
        {draft.kind === "period" && (
          <NativeSelect
            label="Period"
            value={draft.period}
            data={withKnown(periods, draft.period)}
            onChange={(event) => set({ period: event.currentTarget.value })}
          />
        )}
        <NativeSelect
          label="Grace period"
          description="How late a run may begin before it counts as missed."
          value={draft.grace}
          data={withKnown(graces, draft.grace)}
          onChange={(event) => set({ grace: event.currentTarget.value })}
        />
        <div className="form-pair">
          <NativeSelect
            label="Category"
            value={draft.category}
            data={taskCategories.map((one) => ({ value: one, label: categoryWords[one] }))}
            onChange={(event) => set({ category: event.currentTarget.value })}
          />
          <TextInput
            label="Type"
            placeholder="for example restic_backup"
            value={draft.type}
            onChange={(event) => set({ type: event.currentTarget.value })}
          />
        </div>
        <div className="form-pair">
          <TextInput
            label="Item"
            placeholder="for example web-01"
            value={draft.item}
            onChange={(event) => set({ item: event.currentTarget.value })}
          />
          <TextInput
            label="Item type"
            value={draft.itemType}
            onChange={(event) => set({ itemType: event.currentTarget.value })}
          />
        </div>
        {error && <ErrorState error={error} />}
        <div className="row-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending || saving.isPending}>
            Save monitor
          </Button>
        </div>
      </form>
    </Dialog>
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

/** The next runs of an expression, in its zone and in the viewer's. */
function NextRuns({ cron, zone }: { cron: string; zone: string }) {
  const client = useClient();
  const wanted = useDeferredValue(cron.trim());
  const isZone = zones.includes(zone) || zone === "UTC";
  const { data, error } = useQuery({
    queryKey: ["own", "preview-schedule", { wanted, zone }],
    queryFn: ({ signal }) => client.monitors.previewSchedule({ cron: wanted, timeZone: zone, signal }),
    enabled: wanted !== "" && isZone,
    placeholderData: (before) => before,
  });
  if (!isZone) return <p className="small soft">Choose one of the time zones, such as Europe/Berlin.</p>;
  if (error) return <ErrorState error={error} />;
  return (
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
  );
}
