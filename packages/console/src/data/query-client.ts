import { QueryClient } from "@tanstack/react-query";
import { onReturn } from "./connection";

/** Everything that was read. Nothing is tried again by itself: `consoleFetch` knows when that helps. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, staleTime: 10_000, gcTime: 300_000, networkMode: "always", refetchOnWindowFocus: true },
    mutations: { retry: false, networkMode: "always" },
  },
});

onReturn(() => void queryClient.invalidateQueries());
