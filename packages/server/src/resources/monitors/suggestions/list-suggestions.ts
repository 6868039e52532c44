import { quote } from "@holdfast/api/conventions/api-error";
import type { Filter } from "@holdfast/api/conventions/filter";
import {
  type MonitorSuggestionFilterField,
  type MonitorSuggestionV1,
  monitorSuggestionFilters,
  monitorSuggestionParameters,
} from "@holdfast/api/resources/monitor-suggestions";
import type { ListPlace } from "../../../lists/keyset";
import type { ListScope, ListSource, Placed, Slice, Snapshot } from "../../../lists/list-source";
import { compileFilter, fieldReader } from "../../../lists/match-filter";
import { implementParameterizedList, type OwnParameters } from "../../../operations/parameterized-list";
import { findTimeZone } from "../../tasks/counts/time-zone";
import { type SuggestionOptions, suggestMonitors } from "./suggest-monitors";

interface PlacedSuggestion extends Placed {
  suggestion: MonitorSuggestionV1;
}

type SuggestionFilter = Filter<MonitorSuggestionFilterField>;

const fieldsOf = fieldReader<MonitorSuggestionV1, MonitorSuggestionFilterField>(monitorSuggestionFilters);

/** A list of suggestions. They are made once for each moment of the database that is looked at, not once for each slice. */
function createSource(options: SuggestionOptions): ListSource<PlacedSuggestion, MonitorSuggestionFilterField> {
  const made = new WeakMap<object, Promise<PlacedSuggestion[]>>();
  async function find(snapshot: Snapshot, scope: ListScope, filter: SuggestionFilter): Promise<PlacedSuggestion[]> {
    const known = made.get(snapshot.db) ?? suggestMonitors(snapshot, scope, options).then(place);
    made.set(snapshot.db, known);
    const isMatch = compileFilter(filter, monitorSuggestionFilters);
    return (await known).filter(({ suggestion }) => isMatch(fieldsOf(suggestion)));
  }
  return {
    async listSnapshot(snapshot, scope, filter) {
      return { total: (await find(snapshot, scope, filter)).length, watermark: 0, furthest: null };
    },
    async read(snapshot, scope, filter, { from, count }) {
      const all = await find(snapshot, scope, filter);
      if ("skip" in from) return all.slice(from.skip, from.skip + count);
      const beyond = all.filter((row) => isBeyond(row, from));
      return ("before" in from ? beyond.toReversed() : beyond).slice(0, count);
    },
  };
}

/** Orders suggestions by the names of what they are for. */
function place(suggestions: readonly MonitorSuggestionV1[]): PlacedSuggestion[] {
  return suggestions
    .map((suggestion) => {
      const { primary_entity, entity_id, operation } = suggestion;
      return { suggestion, place: { key: primary_entity.value.toLowerCase(), id: `${entity_id} ${operation}` } };
    })
    .sort((one, other) => compare(one.place, other.place));
}

function compare(one: ListPlace, other: ListPlace): number {
  const [first, second] = [one, other].map(({ key, id }) => [String(key), id]);
  for (const [index, text = ""] of (first ?? []).entries()) {
    const against = second?.[index] ?? "";
    if (text !== against) return text < against ? -1 : 1;
  }
  return 0;
}

function isBeyond(row: PlacedSuggestion, from: Exclude<Slice["from"], { skip: number }>): boolean {
  return "after" in from ? compare(row.place, from.after) > 0 : compare(row.place, from.before) < 0;
}

/** The time zone that suggestions are asked for in, and the list that follows. */
const suggestionList: OwnParameters<PlacedSuggestion, MonitorSuggestionFilterField> = {
  names: Object.keys(monitorSuggestionParameters),
  read(parameters, faults) {
    const timeZone = parameters.get("time_zone") ?? "UTC";
    if (!findTimeZone(timeZone)) {
      const message = `There is no time zone ${quote(timeZone)}. Give a name of the IANA database, such as Europe/Berlin.`;
      faults.push({ name: "parameterInvalid", field: "time_zone", message });
    }
    return (_, now) => createSource({ timeZone, now });
  },
};

export const listSuggestions = implementParameterizedList(suggestionList, monitorSuggestionFilters, {
  1: ({ suggestion }) => JSON.stringify(suggestion),
});
