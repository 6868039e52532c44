import { type Fault, quote } from "./api-error";

/** Sort orders of a list: the names that `sort` takes, each with what it means. A list without them has one order. */
export interface SortNames<Name extends string = string> {
  names: Readonly<Record<Name, string>>;
  /** Default sort order, if it has a name. */
  default?: NoInfer<Name>;
}

/** An order that was asked for. Ties are broken by the id, in the same direction. */
export interface Sort {
  name: string;
  direction: "up" | "down";
}

/** Everything that `sort` can be: each name, and each with a dash for downwards. */
export function sortValues({ names }: SortNames): string[] {
  return Object.keys(names).flatMap((name) => [name, `-${name}`]);
}

/** Reads `sort`. Empty means that it was not given. */
export function parseSort(text: string | undefined, sorts: SortNames, faults: Fault[]): Sort | undefined {
  if (!text) return sorts.default === undefined ? undefined : { name: sorts.default, direction: "up" };
  if (!sortValues(sorts).includes(text)) {
    faults.push({
      name: "parameterInvalid",
      message: `The parameter sort is ${quote(text)}. Give one of ${sortValues(sorts).join(", ")}.`,
      field: "sort",
    });
    return undefined;
  }
  return text.startsWith("-") ? { name: text.slice(1), direction: "down" } : { name: text, direction: "up" };
}

/** An order as `sort` has it. */
export function formatSort({ name, direction }: Sort): string {
  return direction === "down" ? `-${name}` : name;
}
