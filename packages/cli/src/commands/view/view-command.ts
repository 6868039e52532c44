import type { Command } from "commander";
import { resourceNoun } from "../../grammar/resource-noun";
import { findViewId, type View } from "../../lookups/views";

const name = "Its name.";
const query = 'The query of the page\'s address, such as "outcome=error,lost&since=7d".';

/** Saved views of the lists of the console. */
export function viewCommand(): Command {
  return resourceNoun<"views", View>({
    name: "view",
    description: "Saved views of the lists of the console: a name for a query, private or shared in a unit.",
    resource: "views",
    calls: ({ views }) => views,
    find: findViewId,
    columns: [
      "name",
      "page",
      { name: "is_shared", title: "SHARED" },
      "organizational_unit_id",
      "id",
      { name: "query", isExtra: true, canShrink: true },
      { name: "created_timestamp", isExtra: true },
    ],
    list: {
      description:
        "List the views that are shared in the organizational unit and below it, and your private ones, by name.",
      filters: {
        name: "Only those with this in their names.",
        page: "Only of these pages: {words}.",
        is_shared: { text: "Only shared ones.", flags: "--shared" },
      },
      examples: ["holdfast view", "holdfast view list --page tasks -o json"],
    },
    show: { examples: ['holdfast view show "failures of the week"'] },
    create: {
      description: "Save a view of a list and print its id.",
      fields: {
        name,
        page: "The page that it is a view of: {words}.",
        query,
        is_shared: "Share it with everyone who may see views in the organizational unit.",
      },
      unit: "Where it is shared. (default: that of the token)",
      examples: [
        'holdfast view create --name "failures of the week" --page tasks --query "outcome=error,lost&since=7d"',
        'holdfast view create --name late --page monitors --query "state=late,missed" --shared --unit Berlin',
      ],
    },
    update: {
      description: "Rename a view, change its query, share it or make it private.",
      fields: {
        name,
        query,
        is_shared: { text: "Share it in the organizational unit of your token.", no: "Make it private." },
      },
      examples: ['holdfast view update late --query "state=late"', "holdfast view update late --no-shared"],
    },
    delete: { description: "Delete a view.", examples: ["holdfast view delete late"] },
  });
}
