import type { Client, Listing } from "@holdfast/client";
import { Command } from "commander";
import type { Connection } from "../connection/connection";
import { withConnection } from "../connection/with-connection";
import { type Names, roleNames, unitNames, userNames, webhookNames } from "../lookups/names";
import { actingIn } from "../lookups/units";
import { formatOf, type OutputFlags, type OutputFormat, outputOptions } from "../output/output-format";
import { type ItemShape, printItems } from "../output/print-items";
import { explain } from "../output/write";
import { parseLimit } from "./argument-parsers";
import { addConnectionOptions, addUnitOption } from "./connection-options";
import { addExamples } from "./noun";

export interface ListFlags extends OutputFlags {
  unit?: string;
  limit?: number | "all";
}

/** Verb that lists the items of a noun. */
export interface ListVerb<Item extends object, Flags extends ListFlags, Row extends object> {
  /** The verb, where it is not list. */
  name?: string;
  description: string;
  /** Default number of items. */
  defaultLimit: number | "all";
  /** True if there is no unit to act in. */
  isGlobal?: true;
  addOptions?: (command: Command) => Command;
  examples: readonly string[];
  list: (client: Client, flags: Flags, command: Command) => Listing<Item> | Promise<Listing<Item>>;
  /** Makes the rows of a page, and loads the names that they show. */
  rows: (items: Item[], context: RowContext) => Row[] | Promise<Row[]>;
  shape: (names: TableNames) => ItemShape<Row>;
  /** Sentence that is printed if there are no items. */
  nothing?: string;
  /** Does something else where a flag asks for it, such as drawing a tree. */
  instead?: (connection: Connection, flags: Flags, format: OutputFormat, command: Command) => Promise<boolean>;
}

/** The names that tables show instead of ids. */
export interface TableNames {
  units: Names;
  users: Names;
  roles: Names;
  webhooks: Names;
}

export interface RowContext {
  client: Client;
  format: OutputFormat;
  names: TableNames;
  /** Sentences about the rows, each of which is said once below the table. */
  remarks: Set<string>;
}

const maxPageSize = 1000;

/** Declares the command that lists a noun, which also runs where no verb is given. */
export function listVerb<Item extends object, Flags extends ListFlags, Row extends object>(
  verb: ListVerb<Item, Flags, Row>,
): Command {
  const command = new Command(verb.name ?? "list").description(verb.description);
  verb.addOptions?.(command);
  command.option("--limit <number>", `How many at most, or all. (default: ${verb.defaultLimit})`, parseLimit);
  for (const option of outputOptions("table")) command.addOption(option);
  if (!verb.isGlobal) addUnitOption(command, "Only what is in this organizational unit or below it.");
  addExamples(command, verb.examples);
  command.action((flags: Flags) =>
    withConnection(command, async (connection) => {
      const format = formatOf(flags) ?? "table";
      const client = await actingIn(connection.client, flags.unit);
      const there = { ...connection, client };
      if (await verb.instead?.(there, flags, format, command)) return;
      const limit = flags.limit ?? verb.defaultLimit;
      const listing = await verb.list(client, flags, command);
      const counted = { shown: 0, all: 0 };
      const names = {
        units: unitNames(client),
        users: userNames(client),
        roles: roleNames(client),
        webhooks: webhookNames(client),
      };
      const remarks = new Set<string>();
      const rows = rowsOf(listing, limit, counted, (items) => verb.rows(items, { client, format, names, remarks }));
      await printItems(format, rows, verb.shape(names));
      if (counted.shown === 0 && (format === "table" || process.stderr.isTTY))
        explain(verb.nothing ?? "Nothing was found.");
      for (const remark of remarks) explain(remark);
      if (counted.shown < counted.all && flags.limit === undefined) {
        explain(
          `Shown are the first ${counted.shown} of ${counted.all}. For more: --limit ${counted.all} or --limit all`,
        );
      }
    }),
  );
  return addConnectionOptions(command);
}

/** The rows of a list up to a limit, page by page. */
async function* rowsOf<Item, Row>(
  listing: Listing<Item>,
  limit: number | "all",
  counted: { shown: number; all: number },
  prepare: (items: Item[]) => Row[] | Promise<Row[]>,
): AsyncGenerator<Row, void, undefined> {
  const max = limit === "all" ? Number.POSITIVE_INFINITY : limit;
  for await (const page of listing.pages()) {
    const rows = await prepare(page.items.slice(0, max - counted.shown));
    counted.all = page.total_count;
    counted.shown += rows.length;
    yield* rows;
    if (counted.shown >= max) return;
  }
}

/** Loads the names of the units that a table shows. */
export async function withUnitNames<Item extends object>(
  items: Item[],
  { format, names }: RowContext,
): Promise<Item[]> {
  if (format === "table") await names.units.load(items.map(unitIn));
  return items;
}

function unitIn(item: object): string | undefined {
  return "organizational_unit_id" in item && item.organizational_unit_id !== null
    ? String(item.organizational_unit_id)
    : undefined;
}

/** Page size with which a list takes the fewest requests. */
export function pageSize({ limit }: ListFlags, defaultValue: number | "all"): number {
  const wanted = limit ?? defaultValue;
  return wanted === "all" ? maxPageSize : Math.min(wanted, maxPageSize);
}
