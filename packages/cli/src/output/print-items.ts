import { createPaint } from "../terminal/colours";
import { visible, visibleJson } from "../terminal/visible";
import { csvLine } from "./csv";
import { factsForPeople, factsForPrograms, withoutLinks } from "./facts";
import type { OutputFormat } from "./output-format";
import { type Column, formatFacts, formatTable, styleFor } from "./table";
import { writeLine, writeResult } from "./write";

/** Shape of items in print. */
export interface ItemShape<Item extends object> {
  /** Id of the item in further commands. */
  id: (item: Item) => string;
  columns: readonly Column<Item>[];
}

/** Prints a list, as it comes: only a table waits for all of it. */
export async function printItems<Item extends object>(
  format: OutputFormat,
  items: AsyncIterable<Item> | Iterable<Item>,
  { id, columns }: ItemShape<Item>,
): Promise<void> {
  switch (format) {
    case "table": {
      const all = [];
      for await (const item of items) all.push(item);
      for (const line of formatTable(columns, all, stdoutStyle())) await writeLine(line);
      return;
    }
    case "json":
      return printJson(items);
    case "ndjson":
      for await (const item of items) await writeLine(visibleJson(JSON.stringify(withoutLinks(item))));
      return;
    case "csv":
      await writeLine(csvLine(columns.map(({ name }) => name)));
      for await (const item of items) await writeLine(csvLine(columns.map(({ value }) => value(item))));
      return;
    case "id":
      for await (const item of items) await writeLine(visible(id(item)));
  }
}

/** One JSON array, written item by item. */
async function printJson<Item extends object>(items: AsyncIterable<Item> | Iterable<Item>): Promise<void> {
  let count = 0;
  for await (const item of items) {
    const text = visibleJson(JSON.stringify(withoutLinks(item), null, 2)).replaceAll("\n", "\n  ");
    await writeResult(`${count === 0 ? "[" : ","}\n  ${text}`);
    count += 1;
  }
  await writeLine(count === 0 ? "[]" : "\n]");
}

/** Prints one item. */
export async function printItem<Item extends object>(
  format: OutputFormat,
  item: Item,
  { id }: Pick<ItemShape<Item>, "id">,
): Promise<void> {
  switch (format) {
    case "table":
      for (const line of formatFacts(factsForPeople(item), stdoutStyle())) await writeLine(line);
      return;
    case "json":
      return writeLine(visibleJson(JSON.stringify(withoutLinks(item), null, 2)));
    case "ndjson":
      return writeLine(visibleJson(JSON.stringify(withoutLinks(item))));
    case "csv": {
      const all = factsForPrograms(item);
      await writeLine(csvLine(all.map(([name]) => name)));
      return writeLine(csvLine(all.map(([, value]) => value)));
    }
    case "id":
      return writeLine(visible(id(item)));
  }
}

/** Style of standard output. */
export function stdoutStyle() {
  return styleFor(process.stdout, createPaint(process.stdout, process.env));
}
