import type { Page, Task, WatchEvent } from "@holdfast/client";

/** Changes to a page of tasks since it was fetched. */
export interface LivePage {
  page: Page<Task>;
  /** Tasks that came to match and are not on the page. */
  fresh: ReadonlySet<string>;
  /** Tasks on the page that no longer match. */
  changed: ReadonlySet<string>;
  /** True if so much was missed that the page has to be fetched again. */
  isOutdated: boolean;
}

/** Takes events into a page. Its rows keep their places: none comes, none leaves, none moves. */
export function takeEvents(live: LivePage, events: readonly WatchEvent<Task>[]): LivePage {
  const fresh = new Set(live.fresh);
  const changed = new Set(live.changed);
  const newest = new Map<string, Task>();
  const isHere = (id: string) => live.page.items.some((item) => item.id === id);
  let isOutdated = live.isOutdated;
  for (const event of events) {
    switch (event.event) {
      case "match":
      case "task":
        if (isHere(event.item.id)) {
          newest.set(event.item.id, event.item);
          changed.delete(event.item.id);
        } else if (event.event === "match") fresh.add(event.item.id);
        break;
      case "gone":
        if (isHere(event.id)) changed.add(event.id);
        fresh.delete(event.id);
        break;
      case "reset":
        isOutdated = true;
        break;
      case "snapshot":
        // Changes between the answer of the list and the beginning of the stream.
        for (const item of event.page.items) {
          if (isHere(item.id)) newest.set(item.id, item);
          else fresh.add(item.id);
        }
    }
  }
  const items = live.page.items.map((item) => newest.get(item.id) ?? item);
  return { page: newest.size === 0 ? live.page : { ...live.page, items }, fresh, changed, isOutdated };
}
