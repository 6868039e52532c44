/** Key under which a read is cached. Nothing is shared between units. */
export function queryKey(unit: string | undefined, operation: string, parameters: unknown = null) {
  return [unit ?? "own", operation, parameters] as const;
}
