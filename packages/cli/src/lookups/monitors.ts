import type { Client } from "@holdfast/client";
import { findId } from "./find-one";

export const monitorArgument = ["monitor", "The monitor, by name, slug or id; see: holdfast monitor list"] as const;

/** The id of a monitor that is named by its id, its slug or its name. */
export function findMonitorId(client: Client, given: string): Promise<string> {
  return findId(given, {
    noun: "monitor",
    list: "monitor",
    named: async (text) => {
      const bySlug = await client.monitors.list({ filter: { slug: text } }).first(20);
      return bySlug.length > 0 ? bySlug : client.monitors.list({ filter: { name: { $eq: text } } }).first(20);
    },
    describe: ({ slug, organizational_unit_id }) => `${slug} in ${organizational_unit_id}`,
  });
}
