/**
 * Keeps PostgreSQL from scanning a whole table in a snapshot wherever there is another way. Right after a load, or with old
 * statistics, it takes a table for smaller than it is. Where there is no other way it counts a scan as very dear, and would
 * then compile the query, which takes far longer than running it.
 */
export const noScansColumns = "set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true)";
