import type { Sign } from "../diagnostics";

export const errorLine = /error|fatal|failed|denied|cannot|not found/i;

/** Words of an unknown command promise nothing. */
export const signs: readonly Sign[] = [];
