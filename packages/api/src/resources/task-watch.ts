import { z } from "zod";

/** The parameters of a stream beside `filter` and `limit`, which are those of the list. */
export const watchParameters = {
  snapshot: z.enum(["true", "false"]).describe("`false` leaves out the page that the stream begins with."),
  last_event_id: z
    .string()
    .describe("The id of the last event that was received, for those who cannot send the header `Last-Event-ID`."),
};

/** Names of the query parameters of a stream. */
export const watchParameterNames: readonly string[] = ["limit", "filter", ...Object.keys(watchParameters)];
