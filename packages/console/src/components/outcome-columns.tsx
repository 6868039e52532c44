import type { TaskCount } from "@holdfast/client";
import { Link } from "@tanstack/react-router";
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";
import { countText } from "../texts/numbers";

/** Groups that are counted together, from below: its name, its look, and what a link to it filters by. */
const groups = [
  { name: "Success", look: "good", outcomes: ["success"] },
  { name: "Incomplete", look: "incomplete", outcomes: ["warning"] },
  { name: "Error", look: "error", outcomes: ["error", "lost"] },
  { name: "Missed", look: "missed", outcomes: ["missed", "expired"] },
  { name: "Cancelled", look: "cancelled", outcomes: ["cancelled"] },
  { name: "Running", look: "running", outcomes: [null] },
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

const [height, step] = [120, 16];
/** Ticks need so much room each, in pixels. */
const tickRoom = 64;
const tickWidth = 38;

/** Columns of tasks by time and outcome. Each part is a link to the tasks that it counts. */
export function OutcomeColumns({ label, counts, edges, nameOf, tickOf }: OutcomeColumnsProps) {
  const [isTable, setTable] = useState(false);
  const [focused, setFocused] = useState(0);
  const figure = useRef<HTMLElement>(null);
  const columns = columnsOf(counts, edges);
  const most = Math.max(1, ...columns.map(totalOf));
  const width = Math.max(200, useWidth(figure));
  const pitch = width / Math.max(1, columns.length);
  let number = 0;
  const onKeyDown = (event: KeyboardEvent) => {
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
      <Legend columns={columns} edges={edges} />
      {isTable ? (
        <CountTable columns={columns} nameOf={nameOf} label={label} />
      ) : (
        <svg className="columns" viewBox={`0 0 ${width} ${height + step + 4}`} onKeyDown={onKeyDown}>
          <title>{label}</title>
          <line x1="0" x2={width} y1={height + 0.5} y2={height + 0.5} className="columns-line" />
          <line x1="0" x2={width} y1={8.5} y2={8.5} className="columns-line columns-most" />
          <text x={width} y={4} textAnchor="end">
            {countText(most)}
          </text>
          {columns.map((column, at) => {
            let top = height;
            return (
              <g key={column.start}>
                {groups.map((group) => {
                  const count = column.counts.get(group) ?? 0;
                  if (count === 0) return null;
                  const tall = partHeight(count, totalOf(column), column.counts.size, most);
                  top -= tall;
                  const mine = number++;
                  return (
                    <Link
                      key={group.name}
                      to="/tasks"
                      search={searchOf(group, column)}
                      tabIndex={mine === focused ? 0 : -1}
                      aria-label={`${nameOf(column.start)}: ${countText(count)} ${group.name.toLowerCase()}`}
                      onFocus={() => setFocused(mine)}
                    >
                      <rect
                        className="column-hit"
                        x={at * pitch + 1}
                        y={top}
                        width={Math.max(2, pitch - 2)}
                        height={tall}
                      />
                      <rect
                        className={`fill-${group.look}`}
                        x={at * pitch + pitch * 0.14}
                        y={top}
                        width={pitch * 0.72}
                        height={Math.max(1, tall - 1)}
                        rx="1"
                      />
                    </Link>
                  );
                })}
                <text x={Math.min(at * pitch + pitch * 0.14, width - tickWidth)} y={height + step}>
                  {at % Math.ceil(tickRoom / pitch) === 0 ? tickOf(column.start) : ""}
                </text>
              </g>
            );
          })}
        </svg>
      )}
      <button type="button" className="text-button small" onClick={() => setTable(!isTable)}>
        {isTable ? "Show as columns" : "Show as table"}
      </button>
    </figure>
  );
}

/** The height of a part: at least so much that it is seen, and no column higher than its figure. */
function partHeight(count: number, total: number, parts: number, most: number): number {
  const least = 2;
  const whole = Math.max((total / most) * (height - 8), parts * least);
  return least + (count / total) * (whole - parts * least);
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

function Legend({ columns, edges }: { columns: readonly Column[]; edges: readonly number[] }) {
  const all = { start: edges[0] ?? 0, end: edges.at(-1) ?? 0 };
  return (
    <ul className="legend">
      {groups.map((group) => {
        const count = columns.reduce((sum, { counts }) => sum + (counts.get(group) ?? 0), 0);
        if (count === 0) return null;
        return (
          <li key={group.name}>
            <span className={`legend-mark bg-${group.look}`} />
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

function totalOf({ counts }: Column): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}
