import { useQueries } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { maxUnits, type Unit, unitsQuery } from "./names";
import { queryKey } from "./query-keys";
import { clientIn } from "./unit";

/** A unit as trees show it. */
export type TreeUnit = Pick<Unit, "id" | "name" | "parent_id"> & Partial<Pick<Unit, "child_count">>;

/** A part of the tree: the context that it is read in, and the unit at its top. */
export interface Top {
  context: string | undefined;
  id: string;
}

export interface UnitForest {
  units: readonly TreeUnit[];
  /** True if there are too many units to read at once: then what is below a unit is read when it is opened. */
  isPartial: boolean;
  /** Reads what is below a unit. */
  open: (id: string) => void;
  error: unknown;
  isPending: boolean;
}

/** Maximum number of units that a search shows. */
const maxFound = 100;

/** The units below the given ones: all of them where they are few, else those that were opened or whose name has the text. */
export function useUnitForest(tops: readonly Top[], typed: string): UnitForest {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const text = useDeferredValue(typed.trim());
  const wholes = useQueries({ queries: tops.map(({ context }) => unitsQuery(context)) });
  const large = tops.filter((_, at) => (wholes[at]?.data?.total_count ?? 0) > maxUnits);
  const pieces = useQueries({
    queries: large.flatMap(({ context, id }) =>
      text === ""
        ? [
            pieceQuery(context, { id }),
            ...[id, ...opened].map((parent_id) => pieceQuery(context, { parent_id }, maxUnits)),
          ]
        : [pieceQuery(context, { name: { $contains: text } }, maxFound)],
    ),
  });
  const found = new Map<string, TreeUnit>();
  const add = (unit: TreeUnit) => found.set(unit.id, { ...found.get(unit.id), ...unit });
  for (const [at, { data }] of wholes.entries()) {
    if (tops[at] && !large.includes(tops[at])) for (const unit of data?.items ?? []) add(unit);
  }
  for (const { data } of pieces) {
    for (const unit of data?.items ?? []) {
      for (const [level, { id, name }] of unit.ancestors.entries()) {
        if (!found.has(id)) add({ id, name, parent_id: unit.ancestors[level - 1]?.id ?? null });
      }
      add(unit);
    }
  }
  return {
    units: [...found.values()],
    isPartial: large.length > 0,
    open: (id) => setOpened((before) => new Set(before).add(id)),
    error: wholes.find(({ error }) => error)?.error ?? pieces.find(({ error }) => error)?.error,
    isPending: wholes.some(({ data, error }) => !data && !error),
  };
}

type Filter = NonNullable<Parameters<ReturnType<typeof clientIn>["organizationalUnits"]["list"]>[0]>["filter"];

function pieceQuery(context: string | undefined, filter: Filter, limit = 1) {
  return {
    queryKey: queryKey(context, "list-organizational-units", { filter, limit }),
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      clientIn(context).organizationalUnits.list({ filter, limit, signal }).page(),
    staleTime: 60_000,
  };
}
