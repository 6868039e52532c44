import { entityStates } from "@holdfast/api/resources/entity-words";
import type { Names } from "../../lookups/names";
import { ago, minute } from "../../output/moments";
import { outcomeTones, wordOf } from "../../output/outcome-marks";
import { stdoutStyle } from "../../output/print-items";
import { formatTable, type TableStyle } from "../../output/table";
import { writeLine } from "../../output/write";
import { visible } from "../../terminal/visible";
import { entityTones } from "../entity/entity-tones";
import { monitorTones } from "../monitor/monitor-tones";
import { type Status, troubled } from "./read-status";

/** Draws one screen: the answer first, then what needs attention, then how everything else stands. */
export async function drawStatus(status: Status, units: Names): Promise<void> {
  const style = stdoutStyle();
  const { paint } = style;
  await units.load([...status.attention, ...status.monitors_in_trouble].map((one) => one.organizational_unit_id));
  const items = entityStates
    .filter((state) => status.entities[state] > 0)
    .map((state) => paint(`${status.entities[state]} ${state}`, entityTones[state]));
  const quiet = [
    ...(status.muted_count > 0 ? [`${status.muted_count} muted`] : []),
    ...(status.retired_count > 0 ? [`${status.retired_count} retired`] : []),
  ];
  const ended = Object.entries(status.last_day).map(([outcome, count]) => {
    const tones: Record<string, (typeof outcomeTones)["success"]> = outcomeTones;
    return paint(`${count} ${wordOf(outcome)}`, tones[outcome]);
  });
  const lines = [
    `${markOf(status, style)} ${paint(visible(status.verdict), "strong")}`,
    ...attentionLines(status, units, style),
    ...monitorLines(status, units, style),
    "",
    ...incompleteLine(status),
    ...tokenLine(status, style),
    `Items       ${[...items, ...quiet.map((one) => paint(one, "quiet"))].join(", ") || "none"}`,
    `Last 24 h   ${ended.join(", ") || "no tasks"}`,
    `Running     ${status.running_count}, queued ${status.queued_count}`,
    `Asked       ${visible(status.url)}, ${minute(status.timestamp)} UTC`,
  ];
  for (const line of lines) await writeLine(line);
}

function markOf({ is_protected, needs_attention }: Status, { paint }: TableStyle): string {
  if (needs_attention) return paint("✗", "bad");
  return is_protected ? paint("✓", "good") : paint("!", "warning");
}

function attentionLines(status: Status, units: Names, style: TableStyle): string[] {
  if (status.attention.length === 0) return [];
  const now = Date.parse(status.timestamp);
  const table = formatTable(
    [
      { name: "name", title: "NEEDS ATTENTION", value: ({ primary_entity }) => primary_entity.value, canShrink: true },
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
  );
  const more = status.attention_count - status.attention.length;
  const states = status.attention_states.filter((state) => status.entities[state] > 0).join(",");
  return ["", ...table, ...moreLine(more, `holdfast entity --state ${states}`)];
}

function monitorLines(status: Status, units: Names, style: TableStyle): string[] {
  if (status.monitors_in_trouble.length === 0) return [];
  const table = formatTable(
    [
      { name: "name", title: "MONITOR IN TROUBLE", value: ({ name }) => name, canShrink: true },
      { name: "state", title: "STATE", value: ({ state }) => state, tone: ({ state }) => monitorTones[state] },
      { name: "expected", isExtra: true, title: "EXPECTED (UTC)", value: (one) => minute(expectedAt(one)) },
      { name: "unit", title: "UNIT", value: (one) => units.of(one.organizational_unit_id), canShrink: true },
    ],
    status.monitors_in_trouble,
    style,
  );
  const more = status.monitors_in_trouble_count - status.monitors_in_trouble.length;
  return ["", ...table, ...moreLine(more, `holdfast monitor --state ${troubled.join(",")}`)];
}

/** When the run was expected that has not come; for others, when the next one is. */
function expectedAt(monitor: Status["monitors_in_trouble"][number]): string | null {
  const { state, recent_outcomes, grace_seconds, next_expected_timestamp } = monitor;
  const miss = state === "missed" ? recent_outcomes.findLast(({ outcome }) => outcome === "missed") : undefined;
  if (!miss) return next_expected_timestamp;
  // The task of a miss is made when the grace is over.
  return new Date(Date.parse(miss.created_timestamp) - grace_seconds * 1000).toISOString();
}

function incompleteLine({ incomplete, entities }: Status): string[] {
  if (incomplete.length === 0) return [];
  const names = incomplete.map(({ primary_entity }) => visible(primary_entity.value)).join(", ");
  const more = entities.incomplete - incomplete.length;
  return [
    `Incomplete  ${names}`,
    ...moreLine(more, "holdfast entity --state incomplete").map((line) => `${" ".repeat(12)}${line}`),
  ];
}

/** Warns of tokens that expire: backups would continue, but nobody would hear of them. */
function tokenLine({ expiring_tokens: tokens, expiring_token_count: count, timestamp }: Status, { paint }: TableStyle) {
  if (count === 0) return [];
  const now = Date.parse(timestamp);
  const names = tokens.map(({ name, expires_timestamp }) => `${visible(name)} ${ago(expires_timestamp, now)}`);
  return [
    paint(`Expiring    ${names.join(", ")}`, "warning"),
    ...moreLine(count - tokens.length, "holdfast token list --sort expires_timestamp --active"),
    `${" ".repeat(12)}Renew them where they are used: holdfast token renew`,
  ];
}

function moreLine(count: number, command: string): string[] {
  return count > 0 ? [`and ${count} more: ${command}`] : [];
}
