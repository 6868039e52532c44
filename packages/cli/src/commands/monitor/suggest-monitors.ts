import { suggestionConfidences } from "@holdfast/api/resources/suggestion-words";
import type { ItemOf } from "@holdfast/client";
import type { Command } from "commander";
import type { Connection } from "../../connection/connection";
import { parseWords } from "../../grammar/argument-parsers";
import { unitColumn } from "../../grammar/common-columns";
import { type ListFlags, listVerb, pageSize, withUnitNames } from "../../grammar/list-verb";
import { NeedsAttention } from "../../grammar/needs-attention";
import { unitNames } from "../../lookups/names";
import { duration } from "../../output/moments";
import type { OutputFormat } from "../../output/output-format";
import { type ItemShape, printItems } from "../../output/print-items";
import type { Column } from "../../output/table";
import { explain } from "../../output/write";
import type { Tone } from "../../terminal/colours";
import { scheduleOf } from "./monitor-facts";

type Suggestion = ItemOf<"monitors", "list-monitor-suggestions">;
type Result = ItemOf<"monitors", "create-monitors">["results"][number];

interface SuggestFlags extends ListFlags {
  create?: true;
  timeZone?: string;
  confidence?: string[];
}

const trusted = ["high", "medium"];
/** Number of monitors that one request creates. */
const maxBatchSize = 500;

const tones: Record<Suggestion["confidence"], Tone> = { high: "good", medium: "active", low: "warning" };

/** Suggests monitors for what nothing watches, and creates them. */
export function suggestMonitors(): Command {
  return listVerb<Suggestion, SuggestFlags, Suggestion>({
    name: "suggest",
    description:
      "Suggest monitors for what runs regularly and is not watched, from the times of its last runs. None of these would have been missed.",
    defaultLimit: "all",
    addOptions: (command) =>
      command
        .option("--create", "Create the monitors that are suggested. Runs count without a change of the jobs.")
        .option("--time-zone <zone>", "The time zone of times of day. (default: that of this machine)")
        .option(
          "--confidence <list>",
          `Only with this confidence: ${suggestionConfidences.join(", ")}. (default: ${trusted.join(",")})`,
          parseWords(suggestionConfidences),
        ),
    examples: [
      "holdfast monitor suggest",
      "holdfast monitor suggest --create",
      "holdfast monitor suggest --confidence high,medium,low --time-zone Europe/Berlin -o json",
    ],
    list: (client, flags) => client.monitors.suggestions(asked(flags)),
    rows: withUnitNames,
    shape: ({ units }) => ({
      id: ({ monitor }) => monitor.slug,
      columns: [...columns, unitColumn(units), reasonColumn],
    }),
    nothing: "Nothing that runs regularly is without a monitor.",
    async instead(connection, flags, format) {
      if (flags.confidence === undefined) await mentionOthers(connection, flags);
      if (!flags.create) return false;
      await createAll(connection, flags, format);
      return true;
    },
  });
}

function asked(flags: SuggestFlags) {
  const { confidence = trusted, timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone } = flags;
  return { limit: pageSize(flags, "all"), timeZone, filter: { confidence: { $in: confidence } } };
}

/** Says that there are more suggestions, which come from few or irregular runs. */
async function mentionOthers({ client }: Connection, { timeZone }: SuggestFlags): Promise<void> {
  const { total_count } = await client.monitors
    .suggestions({ timeZone, limit: 1, filter: { confidence: "low" } })
    .page();
  if (total_count === 0) return;
  const [have, them] = total_count === 1 ? ["has", "it"] : ["have", "them"];
  explain(
    `${total_count} more ${have} a low confidence. To see ${them}: --confidence ${suggestionConfidences.join(",")}`,
  );
}

/** Result of creating a suggested monitor. */
interface Created {
  suggestion: Suggestion;
  result: Result;
}

async function createAll({ client }: Connection, flags: SuggestFlags, format: OutputFormat): Promise<void> {
  const limit = flags.limit === undefined || flags.limit === "all" ? Number.POSITIVE_INFINITY : flags.limit;
  const suggestions = await client.monitors.suggestions(asked(flags)).first(limit);
  const created: Created[] = [];
  for (let from = 0; from < suggestions.length; from += maxBatchSize) {
    const some = suggestions.slice(from, from + maxBatchSize);
    const { results } = await client.monitors.createAll({ monitors: some.map(({ monitor }) => monitor) });
    for (const [index, suggestion] of some.entries()) {
      const result = results[index];
      if (result) created.push({ suggestion, result });
    }
  }
  const made = created.flatMap(({ result: { monitor } }) => monitor ?? []);
  const units = unitNames(client);
  if (format === "table") await units.load(made.map((monitor) => monitor.organizational_unit_id));
  await printItems(format, made, createdShape(units));
  const refused = created.filter(({ result }) => result.monitor === undefined);
  for (const { suggestion, result } of refused) {
    explain(`${suggestion.monitor.name}: ${result.errors?.map(({ error_message }) => error_message).join(" ")}`);
  }
  explain(`Created ${made.length} of ${created.length} monitors.`);
  if (refused.length > 0) throw new NeedsAttention();
}

type CreatedMonitor = NonNullable<Result["monitor"]>;

const createdShape = (units: ReturnType<typeof unitNames>): ItemShape<CreatedMonitor> => ({
  id: ({ id }) => id,
  columns: [
    { name: "name", title: "NAME", value: ({ name }) => name, canShrink: true },
    { name: "schedule", title: "EXPECTED", value: scheduleOf },
    unitColumn(units),
    { name: "id", title: "ID", value: ({ id }) => id },
  ],
});

const columns: Column<Suggestion>[] = [
  { name: "name", title: "ITEM", value: ({ primary_entity }) => primary_entity.value, canShrink: true },
  { name: "operation", title: "OPERATION", value: ({ operation }) => operation, canShrink: true },
  { name: "schedule", title: "EXPECTED", value: ({ monitor }) => scheduleOf(monitor) },
  {
    name: "grace_seconds",
    isExtra: true,
    title: "GRACE",
    value: ({ monitor }) => String(monitor.grace_seconds),
    text: ({ monitor }) => duration(monitor.grace_seconds * 1000),
  },
  {
    name: "confidence",
    title: "CONFIDENCE",
    value: ({ confidence }) => confidence,
    tone: ({ confidence }) => tones[confidence],
  },
  { name: "slug", title: "", value: ({ monitor }) => monitor.slug, isHidden: true },
];

const reasonColumn: Column<Suggestion> = {
  name: "reason",
  isExtra: true,
  title: "WHY",
  value: ({ reason }) => reason,
  canShrink: 30,
};
