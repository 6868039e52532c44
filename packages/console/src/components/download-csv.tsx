import { Button } from "@mantine/core";
import { csvOf, maxRows } from "../texts/csv";
import { counted } from "../texts/numbers";
import { Icon } from "./icons";
import { showNotice } from "./notices";
import { saveText } from "./save-text";
import { sentencesOf } from "./states";

/** A button that saves a list as a file. */
export function DownloadCsv({ onDownload }: { onDownload: () => void }) {
  return (
    <Button
      className="icon-on-phone"
      variant="default"
      leftSection={<Icon name="download" size={16} />}
      title={`At most ${counted(maxRows, "row")}`}
      onClick={onDownload}
    >
      Download CSV
    </Button>
  );
}

/** One value of a row. */
type Cell = string | null | undefined;

export interface Table<Item> {
  /** The name of the file. */
  name: string;
  /** Name of a row: `task`. */
  noun: string;
  columns: readonly string[];
  rowOf: (item: Item) => readonly Cell[];
}

/** Saves the items of a list as a file, up to a limit that is said. */
export async function saveList<Item>(items: AsyncIterable<Item>, { name, noun, columns, rowOf }: Table<Item>) {
  const finish = showNotice(`Fetching at most ${counted(maxRows, noun)} …`, { stays: true });
  try {
    const rows: (readonly Cell[])[] = [columns];
    for await (const item of items) {
      rows.push(rowOf(item));
      if (rows.length > maxRows) break;
    }
    saveText(csvOf(rows), name, "text/csv");
    const all = rows.length - 1;
    const limit = all === maxRows ? " That is the most a file has: narrow the filter for the rest." : "";
    finish(`Saved ${counted(all, noun)}.${limit}`);
  } catch (error) {
    finish(sentencesOf(error).join(" "));
  }
}
