import type { Resource } from "@holdfast/api/conventions/operation";
import { defaultRoles } from "@holdfast/api/conventions/permissions";
import type { ModelPlace, ModelRequest, Relation } from "../access/permission-model";
import { type Plane, root } from "../harness";

/** All that the suites need to try a resource: its items, and one request for each of its operations. */
export interface ResourceSample<Declared extends Resource = Resource> {
  operations: Readonly<
    Record<Declared["versions"][number]["operations"][number]["id"], Preparation | readonly Preparation[]>
  >;
  /**
   * Adds items to its lists: six or more with different names in the first unit, and one in the second. `defaultSeed` does so
   * where there is an operation that creates one.
   */
  seed(plane: OwnedPlane, several: string, one: string): Promise<void>;
}

/** A plane, and the token of an owner of the root, by whom things are made ready. */
export interface OwnedPlane extends Plane {
  owner: string;
}

/** A plane with a unit to act in, and units in every relation to it. */
export interface SamplePlane extends OwnedPlane {
  units: Record<Relation, string>;
}

/** Something to ask for. */
export interface PreparedRequest {
  /** The item that it is about, where there is one before it is asked for. */
  itemId?: string;
  /** Required parameters of the operation. */
  query?: string;
  /** Each has something of its own, so that no two are the same request. */
  body?: object;
  /** The unit that the audit trail has to name. */
  auditedIn?: string;
}

/** Preparation of one operation, so that nothing but a missing right is in the way. */
export interface Preparation extends Omit<ModelRequest, "place"> {
  /** Variant of the request, if an operation can do several things. */
  what?: string;
  places: readonly ModelPlace[];
  /** True if what is made ready is the asker's own, and no other's. */
  isOwn?: true;
  /** Makes an item in a place, and what is to be sent. */
  prepare(plane: SamplePlane, place: ModelPlace, asker: Asker): Promise<PreparedRequest>;
}

/** Caller who is going to ask: a person has tokens of their own. */
export interface Asker {
  userId: string | undefined;
  unitId: string;
  /** Holder of the tasks that it reports. */
  holder: string;
}

/** Adds an item in a unit and gives its id. */
export type AddItem = (plane: OwnedPlane, unitId: string) => Promise<string>;

export const reporter = defaultRoles.reporter;
const everywhere: readonly ModelPlace[] = ["above", "own", "below", "beside"];
export const everywhereAndMine: readonly ModelPlace[] = [...everywhere, "mine"];

/** Seen in its unit and above it. Whoever changes it has to hold what its holder holds. */
export const inside = { reach: "inside", gives: reporter.permissions, places: everywhere } as const;
/** Seen below its unit, too. */
export const usable = { reach: "usable", gives: reporter.permissions, places: everywhere } as const;
/** In no unit. */
export const none = { reach: "none", gives: [], places: ["anywhere"] } as const;

/** Needs nothing to be there: a list, or the only one of its kind. */
export const listing: Preparation = { ...none, prepare: async () => ({}) };

export function unitOf({ units }: SamplePlane, place: ModelPlace): string {
  if (place === "mine" || place === "anywhere") throw new Error(`No unit is ${place}.`);
  return units[place];
}

/** Reads an item of a unit. */
export function reading(add: AddItem): Preparation {
  return { ...inside, prepare: async (plane, place) => ({ itemId: await add(plane, unitOf(plane, place)) }) };
}

/** Creates an item in the unit that the body names. */
export function creating(bodyIn: (unitId: string) => object): Preparation {
  return {
    ...inside,
    reach: "named",
    gives: [],
    prepare: async (plane, place) => ({ body: bodyIn(unitOf(plane, place)), auditedIn: unitOf(plane, place) }),
  };
}

/** Changes an item of a unit, or deletes it. */
export function changing(add: AddItem, bodyOf?: () => object): Preparation {
  return {
    ...inside,
    gives: [],
    prepare: async (plane, place) => ({
      itemId: await add(plane, unitOf(plane, place)),
      ...(bodyOf ? { body: bodyOf() } : {}),
      auditedIn: unitOf(plane, place),
    }),
  };
}

/** Adds an item as an owner of the root does. */
export async function post(
  { ask, owner }: OwnedPlane,
  path: string,
  body: object,
  unit: string = root,
): Promise<string> {
  const made = await ask(path, { method: "POST", token: owner, unit, body });
  if (made.status !== 201) throw new Error(`POST ${path} answered ${made.status}: ${made.text}`);
  return String(made.body.id);
}

/** Names that filters and sorts are tried on. */
export const names = ["Files", "files of web-1", "Mail 100%", "Data_7", "Élan", "zebra"] as const;

/** Adds items of all names in one unit, and one in another. */
export function defaultSeed(path: string, bodyIn: (unitId: string, name: string) => object): ResourceSample["seed"] {
  return async (plane, several, one) => {
    for (const name of names) {
      plane.clock.now += 1;
      await post(plane, path, bodyIn(several, name));
    }
    await post(plane, path, bodyIn(one, "South"));
  };
}

let count = 0;
/** A number that no other request has. */
export function another(): number {
  count += 1;
  return count;
}
