import type { EntityV1 } from "@holdfast/api/resources/entities";
import { formatMoment } from "./format-moment";
import { type Described, oneLine, titleOf } from "./message-texts";
import type { Payload } from "./payload";

/** Number of operations that are named. */
const maxNamed = 5;

/** Says which item has had no good backup for too long, and since when. */
export function describeStaleEntity(
  { timestamp, data: { organizational_unit: unit } }: Payload,
  entity: EntityV1,
  { baseUrl, timeZone, count }: { baseUrl: string; timeZone: string; count: number },
): Described {
  const stale = entity.operations.filter(({ state, is_retired }) => state === "stale" && !is_retired);
  const lines = stale.slice(0, maxNamed).map(({ operation, last_good_backup: good }) => {
    const since = good ? `, last good backup ${formatMoment(good.end_timestamp, timeZone)}` : "";
    return `Operation: ${oneLine(operation)}${since}`;
  });
  return {
    title: titleOf(entity.primary_entity.value, "has had no good backup for too long, and no monitor watches it"),
    lines: [
      ...(count > 1 ? [`And ${count - 1} more like it within a minute.`] : []),
      ...lines,
      ...(stale.length > maxNamed ? [`And ${stale.length - maxNamed} more operations.`] : []),
      "What to do: see whether its job still runs and reports. Create a monitor for it, or retire it if it is not used any more.",
      `Organizational unit: ${oneLine(unit.name)}`,
      `When: ${formatMoment(timestamp, timeZone)}`,
    ],
    link: `${baseUrl}/console/entities/${entity.id}`,
    weight: "bad",
  };
}
