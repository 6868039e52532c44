/** What a reading is kept under. Nothing is shared between units. */
export function queryKey(unit: string | undefined, operation: string, parameters: unknown = null) {
  return [unit ?? "own", operation, parameters] as const;
}
