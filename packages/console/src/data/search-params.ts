import { writeQuery } from "@holdfast/api/resources/view-pages";

/** Parameters of an address: plain texts, each name once. */
export type SearchTexts = Record<string, string>;

/** Reads what stands behind the question mark. Unlike the router's own reading it makes no numbers and no JSON of texts. */
export function parseSearch(text: string): SearchTexts {
  return Object.fromEntries(new URLSearchParams(text));
}

/** Writes it, so that a person can read it: commas and colons as they are. */
export function stringifySearch(search: object): string {
  const query = writeQuery(search);
  return query === "" ? "" : `?${query}`;
}

/** Keeps the named texts of a search, and only those. */
export function pickTexts<Name extends string>(search: Record<string, unknown>, names: readonly Name[]) {
  const picked: { [Key in Name]?: string } = {};
  for (const name of names) {
    const value = search[name];
    if (typeof value === "string" && value !== "") picked[name] = value;
  }
  return picked;
}

/** The number of a page in an address: 1 where it is missing or none. */
export function pageNumber(text: string | undefined): number {
  return text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 1;
}
