import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { queryKey } from "../data/query-keys";
import { useUnit } from "../data/unit";
import { Page } from "./page";
import { ErrorState, SkeletonRows } from "./states";

interface ReadPageProps<Item> {
  /** Title of the page if its item cannot be read. */
  title: string;
  /** The operation that reads it. */
  operation: string;
  read: (id: string, options: { signal: AbortSignal }) => Promise<Item>;
  children: (item: Item) => ReactNode;
}

/** The page of the item whose id is in the address, which can be edited: it is not read again on the way. */
export function ReadPage<Item>({ title, operation, read, children }: ReadPageProps<Item>) {
  const { id = "" } = useParams({ strict: false });
  const unit = useUnit();
  const { data, error, refetch } = useQuery({
    queryKey: queryKey(unit, operation, id),
    queryFn: ({ signal }) => read(id, { signal }),
    // The ETag belongs to the very answer.
    structuralSharing: false,
    refetchOnWindowFocus: false,
  });
  if (data) return children(data);
  if (!error) return <SkeletonRows />;
  return (
    <Page title={title}>
      <ErrorState error={error} onRetry={() => void refetch()} />
    </Page>
  );
}
