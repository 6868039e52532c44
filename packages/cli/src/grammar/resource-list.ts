import type { Client, Listing } from "@holdfast/client";
import { type Command, Option } from "commander";
import type { Connection } from "../connection/connection";
import { type ColumnSpec, columnsOf } from "../output/columns";
import type { OutputFormat } from "../output/output-format";
import { parseChoice } from "./argument-parsers";
import { declared } from "./declared";
import { filterOptions, type NamedFields } from "./declared-options";
import type { DeclaredResource } from "./declared-resource";
import { filledFields } from "./field-option";
import { type ListFlags, listVerb, pageSize, type RowContext, type TableNames, withUnitNames } from "./list-verb";

export type DeclaredName = keyof typeof declared;

/** The filters of a list, or the fields of the body of a verb. */
export type FieldOf<Name extends DeclaredName, Verb extends string> = (typeof declared)[Name] extends {
  [One in Verb]: { filters: infer Fields } | { fields: infer Fields };
}
  ? keyof Fields & string
  : string;

/** Words for a verb; the declaration says the rest. */
export interface VerbWords {
  description?: string;
  examples?: readonly string[];
}

/** A list: the columns of its table, and what its declaration does not say. */
export interface ResourceList<Name extends DeclaredName, Item extends object, Flags extends ListFlags = ListFlags> {
  /** The words that call its noun: role, or policy rule for a noun below another. */
  name: string;
  resource: Name;
  calls: (client: Client) => { list(options?: object): Listing<Item> };
  columns: readonly ColumnSpec<Item>[] | ((names: TableNames) => readonly ColumnSpec<Item>[]);
  /** Adds to the items of a page what their rows show, and loads names. */
  rows?: (items: Item[], context: RowContext) => Promise<Item[]> | Item[];
  list?: VerbWords & {
    /** The verb, if it is not list. */
    verb?: string;
    /** The options that filter it. Without it, there is one for each filter that needs no id. */
    filters?: NamedFields<FieldOf<Name, "list">>;
    sort?: { text: string; default?: string };
    /** Default number of items; all if undefined. */
    defaultLimit?: number;
    isGlobal?: true;
    addOptions?: (command: Command) => Command;
    /** A filter that these options ask for. */
    filter?: (flags: Flags, client: Client) => object | Promise<object>;
    /** A filter in which all other options take the place of the same field. */
    baseFilter?: (flags: Flags, client: Client) => object | Promise<object>;
    /** Message if nothing is listed. */
    nothing?: string;
    instead?: (connection: Connection, flags: Flags, format: OutputFormat, command: Command) => Promise<boolean>;
  };
}

export function declarationOf(name: DeclaredName): DeclaredResource {
  return declared[name];
}

/** Declares the verb that lists a resource. */
export function resourceList<
  Name extends DeclaredName,
  Item extends { id: string },
  Flags extends ListFlags = ListFlags,
>({ name, resource, calls, columns, rows, list = {} }: ResourceList<Name, Item, Flags>): Command {
  const { text = "", filters = {}, sorts = [] } = declarationOf(resource).list ?? {};
  const {
    verb,
    description = text,
    examples,
    defaultLimit = "all",
    sort,
    filter,
    baseFilter,
    addOptions,
    ...others
  } = list;
  const path = verb ? `${name} ${verb}` : name;
  return listVerb<Item, Flags & { sort?: string }, Item>({
    ...others,
    ...(verb ? { name: verb } : {}),
    description,
    defaultLimit,
    examples: examples ?? [`holdfast ${path}`, `holdfast ${verb ? path : `${path} list`} -o json`],
    addOptions(command) {
      for (const option of filterOptions(filters, list.filters)) command.addOption(option);
      addOptions?.(command);
      if (sorts.length === 0) return command;
      const words =
        sort?.text ?? `${sorts.filter((one) => !one.startsWith("-")).join(" or ")}, with - before it for downwards.`;
      return command.addOption(new Option("--sort <field>", words).argParser(parseChoice(sorts)));
    },
    list: async (client, flags, command) =>
      calls(client).list({
        limit: pageSize(flags, defaultLimit),
        sort: flags.sort ?? sort?.default,
        filter: {
          ...(await baseFilter?.(flags, client)),
          ...(await filledFields(command, client)),
          ...(await filter?.(flags, client)),
        },
      }),
    rows: rows ?? withUnitNames,
    shape: (names) => ({
      id: ({ id }) => id,
      columns: columnsOf(typeof columns === "function" ? columns(names) : columns, names.units),
    }),
  });
}
