import type { Permission } from "@holdfast/api/conventions/permissions";
import type { DiscoveryIndex } from "@holdfast/client";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { queryKey } from "./query-keys";
import { clientIn, useUnit } from "./unit";

const isKept = { staleTime: 300_000, refetchOnWindowFocus: false } as const;

export function discoveryQuery(unit: string | undefined) {
  return queryOptions({
    queryKey: queryKey(unit, "read-discovery"),
    queryFn: ({ signal }) => clientIn(unit).discover({ signal }),
    ...isKept,
  });
}

export function callerQuery(unit: string | undefined) {
  return queryOptions({
    queryKey: queryKey(unit, "read-caller"),
    queryFn: ({ signal }) => clientIn(unit).caller.read({ signal }),
    ...isKept,
  });
}

export function useDiscovery() {
  return useQuery(discoveryQuery(useUnit()));
}

export function useCaller() {
  return useQuery(callerQuery(useUnit()));
}

/** True if discovery lists an operation of a resource, in any version. */
export function offers(index: DiscoveryIndex | undefined, resource: string, operation: string): boolean {
  const found = index?.[resource];
  return found?.supported_versions.some((version) => operation in (found[asVersion(version)] ?? {})) ?? false;
}

function asVersion(text: string): `v${number}` {
  return `v${Number(text.slice(1))}`;
}

/** True if the caller may do something in this unit. */
export function useMay(permission: Permission): boolean {
  return useCaller().data?.permissions.includes(permission) ?? false;
}
