import type { ReactNode } from "react";
import { EmptyPage, Pager, type PagerProps } from "./pager";
import { ErrorState, SkeletonRows } from "./states";

interface PaginatedListProps<Page> extends Omit<PagerProps, "page" | "fetchedAt"> {
  /** State of the query for the page. */
  query: {
    data: Page | undefined;
    error: Error | null;
    dataUpdatedAt: number;
    refetch(): unknown;
  };
  /** Number of placeholder rows while the page is read. */
  skeletons?: number;
  /** Content if nothing is listed. */
  empty: ReactNode;
  /** The table of what is listed. */
  children: (page: Page) => ReactNode;
}

/** A page of a list with its pager, or what stands in its place while it is awaited, when it is empty, or when it failed. */
export function PaginatedList<Page extends PagerProps["page"] & { items: readonly unknown[] }>({
  query: { data: page, error, dataUpdatedAt, refetch },
  number,
  noun,
  nouns,
  skeletons,
  empty,
  children,
}: PaginatedListProps<Page>) {
  if (!page)
    return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <SkeletonRows count={skeletons} />;
  if (page.items.length === 0) {
    return (
      <EmptyPage page={page} number={number}>
        {empty}
      </EmptyPage>
    );
  }
  return (
    <>
      {children(page)}
      <Pager page={page} number={number} noun={noun} nouns={nouns} fetchedAt={dataUpdatedAt} />
    </>
  );
}
