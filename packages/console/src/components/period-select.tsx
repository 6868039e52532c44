import { NativeSelect, TextInput } from "@mantine/core";

export interface PeriodValue {
  since?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

const choices = [
  { value: "24h", label: "Last 24 hours" },
  { value: "7d", label: "Last 7 days" },
  { value: "30d", label: "Last 30 days" },
  { value: "", label: "All" },
  { value: "custom", label: "Custom" },
];

/** Which time a list is about. */
export function PeriodSelect({ value, onChange }: { value: PeriodValue; onChange: (value: PeriodValue) => void }) {
  const { since, from, to } = value;
  const isCustom = from !== undefined || to !== undefined;
  return (
    <div className="row">
      <span className="soft small" aria-hidden="true">
        Period
      </span>
      <NativeSelect
        aria-label="Period"
        data={choices}
        value={isCustom ? "custom" : (since ?? "")}
        onChange={(event) => {
          const chosen = event.currentTarget.value;
          if (chosen === "custom")
            onChange({ from: `${new Date(Date.now() - 86_400_000).toISOString().slice(0, 16)}Z` });
          else onChange(chosen === "" ? {} : { since: chosen });
        }}
      />
      {isCustom && (
        <>
          <TextInput
            type="datetime-local"
            aria-label="From"
            value={localText(from)}
            onChange={(event) => onChange({ to, from: utcOf(event.currentTarget.value) })}
          />
          <TextInput
            type="datetime-local"
            aria-label="To"
            value={localText(to)}
            onChange={(event) => onChange({ from, to: utcOf(event.currentTarget.value) })}
          />
        </>
      )}
    </div>
  );
}

/** A moment as the field writes it, in the viewer's zone. */
function localText(text: string | undefined): string {
  if (text === undefined) return "";
  const moment = new Date(text);
  if (Number.isNaN(moment.getTime())) return "";
  return new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function utcOf(local: string): string | undefined {
  const moment = new Date(local);
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString().replace(/\.000Z$/, "Z");
}
