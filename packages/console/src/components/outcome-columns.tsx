import type { TaskCount } from "@holdfast/client";
import { Link } from "@tanstack/react-router";
import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from "react";
import { counted, countText } from "../texts/numbers";

/** Groups of outcomes that are counted together: name, look, and the filter of links. Those that are not well have a scale of their own. */
const groups = [
  { name: "Success", look: "good", outcomes: ["success"], isWell: true },
  { name: "Cancelled", look: "cancelled", outcomes: ["cancelled"], isWell: true },
  { name: "Running", look: "running", outcomes: [null], isWell: true },
  { name: "Incomplete", look: "incomplete", outcomes: ["warning"], isWell: false },
  { name: "Error", look: "error", outcomes: ["error", "lost"], isWell: false },
  { name: "Missed", look: "missed", outcomes: ["missed", "expired"], isWell: false },
] as const;

type Group = (typeof groups)[number];

/** A stretch of time and how many tasks it has. */
interface Column {
  start: number;
  end: number;
  counts: Map<Group, number>;
}

export interface OutcomeColumnsProps {
  /** Title of the figure: `Tasks of the last 30 days by outcome`. */
  label: string;
  counts: readonly TaskCount[];
  /** The beginnings of all stretches, oldest first, and the end of the last one. */
  edges: readonly number[];
  /** The name of a stretch, for its link. */
  nameOf: (start: number) => string;
  /** Labels below some of the columns, as many as there is room for. */
  tickOf: (start: number) => string;
}

/** The places of the figure, from above: the line of the highest value, the line of 0, that of the most failures, and the ends of the texts. */
const [top, zero, bottom, bottomText, tickText] = [16, 112, 160, 173, 188];
/** The least height of a part: it has to be seen. */
const leastPart = 3;
/** Ticks need so much room each, in pixels. */
const tickRoom = 64;
const tickWidth = 38;

/** Columns of tasks by time and outcome: upwards what went well, downwards the rest. Each part is a link to the tasks that it counts. */
export function OutcomeColumns({ label, counts, edges, nameOf, tickOf }: OutcomeColumnsProps) {
  const [isTable, setTable] = useState(false);
  const [focused, setFocused] = useState(0);
  const [pointed, setPointed] = useState<Column>();
  const figure = useRef<HTMLElement>(null);
  const patterns = useId();
  const columns = columnsOf(counts, edges);
  const scales = {
    well: niceMost(columns.map((column) => totalOf(column, true))),
    unwell: niceMost(columns.map((column) => totalOf(column, false))),
  };
  const width = Math.max(200, useWidth(figure));
  const pitch = width / Math.max(1, columns.length);
  let number = 0;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") setPointed(undefined);
    const move = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    if (move === undefined) return;
    event.preventDefault();
    const links = figure.current?.querySelectorAll<SVGAElement>("svg a");
    const to = Math.min((links?.length ?? 1) - 1, Math.max(0, focused + move));
    setFocused(to);
    links?.[to]?.focus();
  };
  return (
    <figure ref={figure} aria-label={label} className="columns-figure">
      <Patterns id={patterns} />
      <Legend columns={columns} edges={edges} patterns={patterns} />
      {isTable ? (
        <CountTable columns={columns} nameOf={nameOf} label={label} />
      ) : (
        <svg
          className="columns"
          viewBox={`0 0 ${width} ${tickText + 4}`}
          onKeyDown={onKeyDown}
          onMouseMove={({ clientX, currentTarget }) =>
            setPointed(columns[Math.floor((clientX - currentTarget.getBoundingClientRect().left) / pitch)])
          }
          onMouseLeave={() => setPointed(undefined)}
        >
          <title>{label}</title>
          <line x1="0" x2={width} y1={top - 0.5} y2={top - 0.5} className="columns-line columns-most" />
          <text x="0" y={top - 5}>
            {counted(scales.well, "task")}
          </text>
          <line x1="0" x2={width} y1={zero + 0.5} y2={zero + 0.5} className="columns-line" />
          <line x1="0" x2={width} y1={bottom + 0.5} y2={bottom + 0.5} className="columns-line columns-most" />
          <text x="0" y={bottomText}>
            {scales.unwell === 0
              ? "nothing incomplete, failed or missed"
              : `${countText(scales.unwell)} incomplete, failed or missed`}
          </text>
          {columns.map((column, at) => {
            const ends = { well: zero, unwell: zero + 1 };
            return (
              <g key={column.start}>
                <rect className="column-hit" x={at * pitch} y={0} width={pitch} height={bottom} />
                {groups.map((group) => {
                  const count = column.counts.get(group) ?? 0;
                  if (count === 0) return null;
                  const side = group.isWell ? "well" : "unwell";
                  const room = group.isWell ? zero - top : bottom - zero;
                  const tall = partHeight(count, column, group, { maxLength: scales[side], room });
                  if (group.isWell) ends.well -= tall;
                  const y = ends[side];
                  if (!group.isWell) ends.unwell += tall;
                  const mine = number++;
                  return (
                    <Link
                      key={group.name}
                      to="/tasks"
                      search={searchOf(group, column)}
                      tabIndex={mine === focused ? 0 : -1}
                      aria-label={`${nameOf(column.start)}: ${countText(count)} ${group.name.toLowerCase()}`}
                      onFocus={() => {
                        setFocused(mine);
                        setPointed(column);
                      }}
                      onBlur={() => setPointed(undefined)}
                    >
                      <rect
                        className="column-part"
                        fill={fillOf(patterns, group)}
                        x={at * pitch + pitch * 0.14}
                        y={y}
                        width={pitch * 0.72}
                        height={Math.max(1, tall - 1)}
                        rx="1"
                      />
                    </Link>
                  );
                })}
                <text x={Math.min(at * pitch + pitch * 0.14, width - tickWidth)} y={tickText}>
                  {at % Math.ceil(tickRoom / pitch) === 0 ? tickOf(column.start) : ""}
                </text>
              </g>
            );
          })}
        </svg>
      )}
      {pointed && !isTable && (
        <ColumnTip
          column={pointed}
          name={nameOf(pointed.start)}
          place={(columns.findIndex(({ start }) => start === pointed.start) + 0.5) / columns.length}
          patterns={patterns}
        />
      )}
      <button type="button" className="text-button small" onClick={() => setTable(!isTable)}>
        {isTable ? "Show as columns" : "Show as table"}
      </button>
    </figure>
  );
}

/** Counts of a column, beside it while it is pointed at or has the focus. Its links say the same by themselves. */
function ColumnTip({
  column,
  name,
  place,
  patterns,
}: {
  column: Column;
  name: string;
  place: number;
  patterns: string;
}) {
  return (
    <div
      role="tooltip"
      className="column-tip"
      // It stands on the other side of the figure's middle, so that it covers no neighbour that comes next.
      style={
        place < 0.5
          ? { insetInlineStart: `calc(${place * 100}% + 16px)` }
          : { insetInlineEnd: `calc(${(1 - place) * 100}% + 16px)` }
      }
    >
      <strong>{name}</strong>
      {groups.map(
        (group) =>
          column.counts.has(group) && (
            <span key={group.name}>
              <GroupMark group={group} patterns={patterns} /> {countText(column.counts.get(group) ?? 0)}{" "}
              {group.name.toLowerCase()}
            </span>
          ),
      )}
      {column.counts.size === 0 && <span>no task</span>}
    </div>
  );
}

/** The pattern of each group: colour alone says nothing to many people. */
function Patterns({ id }: { id: string }) {
  return (
    <svg className="visually-hidden" aria-hidden="true">
      {groups.map(({ look }) => (
        <pattern key={look} id={`${id}-${look}`} width="6" height="6" patternUnits="userSpaceOnUse">
          <rect width="6" height="6" className={`column-fill look-${look}`} />
          <path d={marks[look]} className={`column-pattern pattern-${look}`} />
        </pattern>
      ))}
    </svg>
  );
}

/** Lines that are cut out of the colour of a group, on a grid of 6. */
const marks: Readonly<Record<Group["look"], string>> = {
  good: "",
  cancelled: "M0 3H6",
  running: "M3 0V6",
  incomplete: "M-1 1 1-1M0 6 6 0M5 7 7 5",
  error: "M0 0 6 6M0 6 6 0",
  missed: "M3 3h.01",
};

function fillOf(patterns: string, { look }: Group): string {
  return `url(#${patterns}-${look})`;
}

function GroupMark({ group, patterns }: { group: Group; patterns: string }) {
  return (
    <svg width="14" height="14" aria-hidden="true" className="legend-mark">
      <rect width="14" height="14" rx="2" fill={fillOf(patterns, group)} />
    </svg>
  );
}

/** The height of a part: at least so much that it is seen, and no column higher than its side of the figure. */
function partHeight(
  count: number,
  column: Column,
  { isWell }: Group,
  { maxLength: maxCount, room }: { maxLength: number; room: number },
): number {
  const total = totalOf(column, isWell);
  const parts = [...column.counts.keys()].filter((group) => group.isWell === isWell).length;
  const whole = Math.max((total / maxCount) * room, parts * leastPart);
  return leastPart + (count / total) * (whole - parts * leastPart);
}

/** A round number that is as high as the highest one, or a little higher. */
function niceMost(values: readonly number[]): number {
  const maxCount = Math.max(0, ...values);
  const power = 10 ** Math.floor(Math.log10(Math.max(1, maxCount)));
  return maxCount === 0
    ? 0
    : ([1, 1.5, 2, 3, 4, 5, 6, 8, 10].map((one) => one * power).find((one) => one >= maxCount) ?? maxCount);
}

/** Width of an element, in pixels: letters keep their size on every screen. */
function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(720);
  useEffect(() => {
    if (!element.current) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.round(entry?.contentRect.width ?? 720)));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}

function Legend({
  columns,
  edges,
  patterns,
}: {
  columns: readonly Column[];
  edges: readonly number[];
  patterns: string;
}) {
  const all = { start: edges[0] ?? 0, end: edges.at(-1) ?? 0 };
  return (
    <ul className="legend">
      {groups.map((group) => {
        const count = columns.reduce((sum, { counts }) => sum + (counts.get(group) ?? 0), 0);
        if (count === 0) return null;
        return (
          <li key={group.name}>
            <GroupMark group={group} patterns={patterns} />
            <Link to="/tasks" search={searchOf(group, all)}>
              {countText(count)} {group.name.toLowerCase()}
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

function CountTable({
  columns,
  nameOf,
  label,
}: {
  columns: readonly Column[];
  nameOf: (start: number) => string;
  label: string;
}) {
  const used = groups.filter((group) => columns.some(({ counts }) => counts.has(group)));
  return (
    <div className="count-table">
      <table className="table" aria-label={label}>
        <thead>
          <tr>
            <th scope="col">Time</th>
            {used.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {columns.toReversed().map((column) => (
            <tr key={column.start}>
              <th scope="row">{nameOf(column.start)}</th>
              {used.map((group) => (
                <td key={group.name}>
                  {column.counts.has(group) ? (
                    <Link to="/tasks" search={searchOf(group, column)}>
                      {countText(column.counts.get(group) ?? 0)}
                    </Link>
                  ) : (
                    <span className="soft">0</span>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The list behind a part: its total equals the figure. */
function searchOf({ outcomes }: Group, { start, end }: { start: number; end: number }) {
  const time = { from: isoOf(start), to: isoOf(end) };
  const [first] = outcomes;
  return first === null ? { ...time, status: "queued,in_progress,aborting" } : { ...time, outcome: outcomes.join(",") };
}

function isoOf(at: number): string {
  return new Date(at).toISOString().replace(".000Z", "Z");
}

function columnsOf(counts: readonly TaskCount[], edges: readonly number[]): Column[] {
  const columns = edges
    .slice(0, -1)
    .map((start, at): Column => ({ start, end: edges[at + 1] ?? start, counts: new Map() }));
  for (const { start_timestamp, outcome = null, count } of counts) {
    const column = columns.find(({ start }) => start === Date.parse(start_timestamp));
    const group = groups.find(({ outcomes }) => outcomes.some((one) => one === outcome));
    if (column && group) column.counts.set(group, (column.counts.get(group) ?? 0) + count);
  }
  return columns;
}

/** Number of tasks that a column has on one side. */
function totalOf({ counts }: Column, isWell: boolean): number {
  return [...counts].reduce((sum, [group, count]) => (group.isWell === isWell ? sum + count : sum), 0);
}
