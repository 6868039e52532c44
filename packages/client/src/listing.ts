import type { HoldfastError } from "./error";

/**
 * One page of a list, as the service counts it.
 * @example
 * import { type Page, type Task } from "@holdfast/client";
 *
 * const page: Page<Task> = await holdfast.tasks.list().page();
 * console.log(`${page.current_count} of ${page.total_count}`);
 */
export interface Page<Item> {
  items: Item[];
  current_count: number;
  /** Number of items on all pages. */
  total_count: number;
  total_pages_count: number;
  /** The number of this page, from 1. */
  start: string;
  /** Maximum number of items on a page. */
  limit: number;
  /** The filter as the service has understood it. */
  filter_applied: string | null;
  _links: Record<string, { href: string } | undefined>;
}

/** Reads a page: the one behind a link, or the first one, with so many items where that is said. */
export type ReadPage<Item> = (from: { href: string } | { limit: number | undefined }) => Promise<Page<Item>>;

const maxPageSize = 1000;

/** Reads a page as the service writes it. */
export function pageIn<Item>(text: string): Page<Item> {
  const { _embedded, ...rest } = JSON.parse(text);
  return { items: _embedded.items, ...rest };
}

/**
 * A list that is read page by page, as it is walked over. Every item that is there during the whole walk comes exactly
 * once, whatever is added or removed meanwhile. No page is kept, so a long walk takes no more memory than a short one.
 * A fault in the middle throws {@link HoldfastError}.
 * @example
 * for await (const task of holdfast.tasks.list({ filter: { outcome: "error" } })) {
 *   console.log(task.created_timestamp, task.type, task.error?.message);
 * }
 */
export class Listing<Item> implements AsyncIterable<Item> {
  readonly #readPage: ReadPage<Item>;

  constructor(readPage: ReadPage<Item>) {
    this.#readPage = readPage;
  }

  /** Walks over the items of all pages. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* page.items;
  }

  /**
   * Walks over the pages.
   * @example
   * for await (const page of holdfast.users.list({ limit: 500 }).pages()) console.log(page.start, page.current_count);
   */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    let page = await this.page();
    yield page;
    for (let next = page._links.next; next; next = page._links.next) {
      page = await this.#readPage(next);
      yield page;
    }
  }

  /**
   * Reads one page, with the counts of the whole list: the first one, unless `start` says another, or the one that a link of
   * another page leads to.
   * @example
   * const failed = holdfast.tasks.list({ filter: { status: "failed" }, limit: 1 });
   * const { total_count, _links } = await failed.page();
   * const second = _links.next && (await failed.page(_links.next));
   * console.log(total_count, second?.items[0]?.type);
   */
  page(link?: { href: string }): Promise<Page<Item>> {
    return this.#readPage(link ?? { limit: undefined });
  }

  /**
   * Reads the first items, as few pages of them as it takes.
   * @example
   * const newest = await holdfast.tasks.list().first(5);
   */
  async first(count: number): Promise<Item[]> {
    const items: Item[] = [];
    if (count <= 0) return items;
    let page = await this.#readPage({ limit: Math.min(Math.ceil(count), maxPageSize) });
    for (;;) {
      items.push(...page.items.slice(0, count - items.length));
      const next = page._links.next;
      if (items.length >= count || !next) return items;
      page = await this.#readPage(next);
    }
  }
}
