import type { Client } from "@holdfast/client";
import { useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { service } from "./service";
import { useDefaultUnit } from "./session";

/** The unit that the address names; undefined for the one that the session begins in. */
export function useUnit(): string | undefined {
  return useSearch({ strict: false, select: ({ unit }: { unit?: string }) => unit });
}

/** The id of the unit that this page is about. */
export function useUnitId(): string | undefined {
  const named = useUnit();
  const defaultUnit = useDefaultUnit();
  return named ?? defaultUnit;
}

/** The client that acts in a unit. */
export function clientIn(unit: string | undefined): Client {
  return unit === undefined ? service : service.in(unit);
}

/** The client that acts in the unit of this page. */
export function useClient(): Client {
  const unit = useUnit();
  return useMemo(() => clientIn(unit), [unit]);
}
