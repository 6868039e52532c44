/**
 * Keeps PostgreSQL from scanning a whole table in a snapshot wherever there is another way. Right after a load, or with old
 * statistics, it takes a table for smaller than it is. Where there is no other way it counts a scan as very dear, and would
 * then compile the query, which takes far longer than running it.
 */
export const noScans = "set local enable_seqscan = off; set local jit = off";

/** The same as columns of the first statement of a snapshot. */
export const noScansColumns = "set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true)";
