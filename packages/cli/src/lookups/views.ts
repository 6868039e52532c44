import { parseUuid } from "@holdfast/api/conventions/uuid";
import { brokenNames, type ViewPageName, viewPages } from "@holdfast/api/resources/view-pages";
import { type Client, HoldfastError, type ItemOf } from "@holdfast/client";
import { Refusal } from "@holdfast/server/settings/refusal";
import { findId, quoted } from "./find-one";

export type View = ItemOf<"views", "read-view">;

/** The id of a view that is named by its id or its name. */
export function findViewId(client: Client, given: string): Promise<string> {
  return findId(given, {
    noun: "view",
    list: "view",
    named: (name) => client.views.list({ filter: { name: { $eq: name } } }).first(20),
    describe: ({ page, organizational_unit_id: unit }) => `${page}, ${unit === null ? "private" : `shared in ${unit}`}`,
  });
}

/**
 * Reads the query of a view of a page. Of several with the same name a private one counts first, and then the one that is shared in
 * the unit that is acted in.
 */
export async function readView<Page extends ViewPageName>(client: Client, page: Page, given: string) {
  const unitId = await actedIn(client);
  const view = await findView(client, page, given, unitId);
  const described = viewPages[page];
  const query = Object.fromEntries(new URLSearchParams(view.query));
  const known: readonly string[] = described.names;
  const unread = [...Object.keys(query).filter((name) => !known.includes(name)), ...brokenNames(described, query)];
  if (unread.length > 0) {
    throw new Refusal(
      `The view ${quoted(view.name)} asks for what this version of holdfast does not know: ${unread.join(", ")}. Update it.`,
    );
  }
  return { query, unitId };
}

/** The id of the unit that a client acts in. On local data nobody calls: there it is the topmost unit that is listed. */
async function actedIn(client: Client): Promise<string | undefined> {
  try {
    return (await client.caller.read()).organizational_unit.id;
  } catch (error) {
    if (!(error instanceof HoldfastError) || error.status !== 403) throw error;
    const units = await client.organizationalUnits.list().first(1000);
    return units.find(({ parent_id }) => parent_id === null)?.id;
  }
}

async function findView(client: Client, page: ViewPageName, given: string, unitId: string | undefined): Promise<View> {
  if (parseUuid(given) !== undefined) {
    const view = await client.views.read(given);
    if (view.page === page) return view;
    throw new Refusal(`The view ${quoted(view.name)} is one of ${view.page}, not of ${page}.`);
  }
  const found = await client.views.list({ filter: { name: { $eq: given }, page } }).first(1000);
  const view = found.find(({ is_shared }) => !is_shared) ?? found.find((one) => one.organizational_unit_id === unitId);
  if (view) return view;
  const elsewhere = found.length === 0 ? "" : " One of a unit below it has to be named by its id.";
  throw new Refusal(
    `There is no view ${quoted(given)} of ${page} in this organizational unit, or you may not see it.${elsewhere} See: holdfast view list`,
  );
}
