import { viewPageNames } from "@holdfast/api/resources/view-pages";
import type { Page as ListedPage } from "@holdfast/client";
import { Button } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type ReactNode, useCallback } from "react";
import { usePollInterval } from "../data/idle-tracker";
import { queryKey } from "../data/query-keys";
import { pageNumber } from "../data/search-params";
import { useUnit } from "../data/unit";
import { ShowApiCall } from "./api-call";
import { Page } from "./page";
import type { PagerProps } from "./pager";
import { PaginatedList } from "./paginated-list";
import { SearchBox } from "./search-box";

const limit = 50;
/** Time after which a list that changes by itself is read again, in milliseconds. */
const often = 30_000;

/** Search parameters of a list, and functions that change them. The names are those of its filters. */
export function useListSearch<Name extends string>(names: readonly Name[]) {
  type Changes = { [Key in Name]?: string | undefined };
  const search: Changes & { page?: string } = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = useCallback(
    (changes: Changes | { [name: string]: string | undefined }, isSameStep = false) =>
      void navigate({
        to: ".",
        search: (before: object) => ({ ...before, ...changes, page: undefined }),
        replace: isSameStep,
      }),
    [navigate],
  );
  return {
    search,
    change,
    drop: useCallback((changes: Record<string, undefined>) => change(changes, true), [change]),
    isNarrowed: names.some((name) => search[name] !== undefined),
    clear: () => change(Object.fromEntries(names.map((name) => [name, undefined]))),
  };
}

/** A part of a list: which page, and how many items it has. */
interface Asked {
  limit: number;
  start: number;
  signal: AbortSignal;
}

export interface ListPageProps<Item> extends Pick<PagerProps, "noun" | "nouns"> {
  title: string;
  /** The resource, as media types name it, and its version. */
  resource: string;
  version?: number;
  /** Filter and order of the list. */
  asked: { filter?: object; sort?: string | undefined };
  /** Asks for a page of it. */
  list: (asked: Asked) => { page(): Promise<ListedPage<Item>> };
  view: Pick<ReturnType<typeof useListSearch>, "search" | "change" | "isNarrowed" | "clear">;
  /** True if it changes by itself, and is read again while somebody looks. */
  isLive?: boolean;
  /** True if it can be searched by name. */
  hasSearch?: boolean;
  filters?: ReactNode;
  actions?: ReactNode;
  empty: ReactNode;
  /** The table. */
  children: (items: readonly Item[], isBusy: boolean) => ReactNode;
  /** Content below the list. */
  below?: ReactNode;
}

/** The page of a list: its filters, its table, and its pages. */
export function ListPage<Item>(props: ListPageProps<Item>) {
  const { title, resource, version = 1, asked, list, view, isLive = false, hasSearch = false, below } = props;
  const { filters, actions, noun, nouns, empty, children } = props;
  const unit = useUnit();
  const { change } = view;
  const { q, page: place }: { q?: string; page?: string } = view.search;
  const number = pageNumber(place);
  const poll = usePollInterval(often);
  const query = useQuery({
    queryKey: queryKey(unit, `list-${resource}`, { ...asked, number }),
    queryFn: ({ signal }) => list({ limit, start: number, signal }).page(),
    placeholderData: keepPreviousData,
    refetchInterval: isLive && poll,
  });
  const onSearch = useCallback((text: string | undefined) => change({ q: text }, true), [change]);
  const isFiltered = asked.filter !== undefined && Object.keys(asked.filter).length > 0;
  return (
    <Page
      title={title}
      views={viewPageNames.find((name) => name === resource)}
      actions={
        <>
          <ShowApiCall
            resource={resource}
            version={version}
            path={`/${resource}`}
            query={{ sort: asked.sort, filter: isFiltered ? JSON.stringify(asked.filter) : undefined }}
          />
          {actions}
        </>
      }
    >
      {(hasSearch || filters !== undefined) && (
        <div className="filters">
          {hasSearch && <SearchBox label="Search by name" value={q} onSearch={onSearch} />}
          {filters}
          {view.isNarrowed && (
            <Button variant="subtle" onClick={view.clear}>
              Clear filters
            </Button>
          )}
        </div>
      )}
      <PaginatedList query={query} number={number} noun={noun} nouns={nouns} empty={empty}>
        {({ items }) => children(items, query.isFetching)}
      </PaginatedList>
      {(query.data || query.error) && below}
    </Page>
  );
}
