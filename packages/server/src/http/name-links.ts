import { type Links, withUnderscoreNames } from "@holdfast/api/conventions/hal";

/** Gives the links of a body the names that this service was set to, just before the body gets its ETag. */
export type NameLinks = (body: string) => string;

interface Linked {
  _links?: Links;
}

/** Adds `_self` beside `self` and so on where the setting underscore_links asks for it; otherwise leaves bodies alone. */
export function createLinkNaming(underscoreLinks: boolean): NameLinks {
  if (!underscoreLinks) return (body) => body;
  return (body) => {
    const parsed: Linked & { _embedded?: { items: Linked[] } } = JSON.parse(body);
    const named = withNames(parsed);
    const items = parsed._embedded?.items.map(withNames);
    return JSON.stringify(items ? { ...named, _embedded: { items } } : named);
  };
}

function withNames<Item extends Linked>(item: Item): Item {
  return item._links ? { ...item, _links: withUnderscoreNames(item._links) } : item;
}
