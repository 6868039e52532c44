/** How a list is read that is cut into parts. */
export interface PartReader<Part, Row> {
  /** How many matching rows a part has. */
  count(part: Part): Promise<number>;
  read(part: Part, limits: { count: number; skip: number }): Promise<Row[]>;
}

/** What is wanted of a list that is cut into parts. */
export interface WantedRows {
  count: number;
  /** How many matching rows come before the first that is wanted. */
  skip: number;
  /** How many there can be, at most: nothing is looked for beyond the last of them. */
  most: number;
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
    if (rows.length >= Math.min(wanted.count, wanted.most)) break;
  }
  return rows;
}
