import { entityStates } from "@holdfast/api/resources/entity-words";
import type { Names } from "../../lookups/names";
import { ago, minute } from "../../output/moments";
import { stdoutStyle } from "../../output/print-items";
import { formatTable } from "../../output/table";
import { writeLine } from "../../output/write";
import { visible } from "../../terminal/visible";
import { entityTones } from "../entity/entity-tones";
import { monitorTones } from "../monitor/monitor-tones";
import { outcomeTones } from "../task/outcome-marks";
import type { Status } from "./read-status";

/** Draws one screen: the answer first, then what needs attention, then how everything else stands. */
export async function drawStatus(status: Status, units: Names): Promise<void> {
  const style = stdoutStyle();
  const { paint } = style;
  const now = Date.parse(status.timestamp);
  await units.load([...status.attention, ...status.monitors_in_trouble].map((one) => one.organizational_unit_id));
  const mark = status.is_protected ? paint("✓", "good") : paint("✗", "bad");
  const lines = [`${mark} ${paint(visible(status.verdict), "strong")}`];
  if (status.attention.length > 0) {
    lines.push(
      "",
      ...formatTable(
        [
          {
            name: "name",
            title: "NEEDS ATTENTION",
            value: ({ primary_entity }) => primary_entity.value,
            canShrink: true,
          },
          { name: "type", isExtra: true, title: "TYPE", value: ({ primary_entity }) => primary_entity.type },
          { name: "state", title: "STATE", value: ({ state }) => state, tone: ({ state }) => entityTones[state] },
          { name: "last", title: "LAST GOOD BACKUP", value: (one) => ago(one.last_good_backup?.end_timestamp, now) },
          {
            name: "unit",
            isExtra: true,
            title: "UNIT",
            value: (one) => units.of(one.organizational_unit_id),
            canShrink: true,
          },
        ],
        status.attention,
        style,
      ),
    );
  }
  if (status.monitors_in_trouble.length > 0) {
    lines.push(
      "",
      ...formatTable(
        [
          { name: "name", title: "MONITOR IN TROUBLE", value: ({ name }) => name, canShrink: true },
          { name: "state", title: "STATE", value: ({ state }) => state, tone: ({ state }) => monitorTones[state] },
          { name: "next", isExtra: true, title: "EXPECTED (UTC)", value: (one) => minute(one.next_expected_timestamp) },
          { name: "unit", title: "UNIT", value: (one) => units.of(one.organizational_unit_id), canShrink: true },
        ],
        status.monitors_in_trouble,
        style,
      ),
    );
  }
  const items = entityStates
    .filter((state) => status.entities[state] > 0)
    .map((state) => paint(`${status.entities[state]} ${state}`, entityTones[state]));
  const quiet = [
    ...(status.muted_count > 0 ? [`${status.muted_count} muted`] : []),
    ...(status.retired_count > 0 ? [`${status.retired_count} retired`] : []),
  ];
  const ended = Object.entries(status.last_day).map(([outcome, count]) => {
    const tones: Record<string, (typeof outcomeTones)["success"]> = outcomeTones;
    return paint(`${count} ${outcome.replace("_", " ")}`, tones[outcome]);
  });
  lines.push(
    "",
    `Items      ${[...items, ...quiet.map((one) => paint(one, "quiet"))].join(", ") || "none"}`,
    `Last 24 h  ${ended.join(", ") || "no tasks"}`,
    `Running    ${status.running_count}`,
    `Asked      ${visible(status.url)}, ${minute(status.timestamp)} UTC`,
  );
  for (const line of lines) await writeLine(line);
}
