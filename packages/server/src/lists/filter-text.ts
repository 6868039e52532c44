import { type Filter, formatFilter } from "@holdfast/api/conventions/filter";

const texts = new WeakMap<Filter, string | null>();

/** A filter as text, which is written once for a request: much of what is remembered has it in its key. */
export function filterText(filter: Filter): string | null {
  const known = texts.get(filter);
  if (known !== undefined) return known;
  const text = formatFilter(filter);
  texts.set(filter, text);
  return text;
}
