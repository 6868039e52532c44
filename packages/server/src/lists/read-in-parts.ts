/** Reader of a list that is cut into parts. */
export interface PartReader<Part, Row> {
  /** Number of matching rows of a part. */
  count(part: Part): Promise<number>;
  read(part: Part, limits: { count: number; skip: number }): Promise<Row[]>;
}

/** Rows to read from a list that is cut into parts. */
export interface WantedRows {
  count: number;
  /** Number of matching rows before the first one to read. */
  skip: number;
  /** Maximum number of rows: nothing is looked for beyond the last of them. */
  max: number;
}

/** Reads one part after the other until there is as much as is wanted. */
export async function readInParts<Part, Row>(
  parts: AsyncIterable<Part> | Iterable<Part>,
  wanted: WantedRows,
  reader: PartReader<Part, Row>,
): Promise<Row[]> {
  const rows: Row[] = [];
  let { skip } = wanted;
  for await (const part of parts) {
    const passed = skip > 0 ? await reader.count(part) : undefined;
    if (passed !== undefined && passed <= skip) {
      skip -= passed;
      continue;
    }
    rows.push(...(await reader.read(part, { count: wanted.count - rows.length, skip })));
    skip = 0;
    if (rows.length >= Math.min(wanted.count, wanted.max)) break;
  }
  return rows;
}
