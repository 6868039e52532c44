import { parseUuid } from "@holdfast/api/conventions/uuid";
import type { Queries } from "../database/database";

/** Fields of an event that decide on its names. */
interface NamedEvent {
  actor: { user_id: string | null; token_id: string | null };
  object: Reference | null;
  result: string;
  before?: unknown;
  after?: unknown;
}

interface Reference {
  type: string;
  id: string | null;
}

/** Names of the people, services and things of some events, as of the transaction that the events are written in. */
export interface Names {
  ofActor(entry: NamedEvent): string | null;
  ofObject(entry: NamedEvent): string | null;
}

/** Where the names of things are, by the types that events call them. */
const sources = {
  user: (db: Queries, ids: string[]) =>
    db.selectFrom("users").select(["id", "full_name as name"]).where("id", "in", ids).execute(),
  role: (db: Queries, ids: string[]) => db.selectFrom("roles").select(["id", "name"]).where("id", "in", ids).execute(),
  "organizational-unit": (db: Queries, ids: string[]) =>
    db.selectFrom("organizational_units").select(["id", "name"]).where("id", "in", ids).execute(),
  "api-token": (db: Queries, ids: string[]) =>
    db.selectFrom("api_tokens").select(["id", "name"]).where("id", "in", ids).execute(),
};

/**
 * Reads the names for events. What an event itself says of its object counts first: two units may see the same thing under its
 * old and under its new name. The object of what was refused has no name, because the caller may have guessed the id of a thing
 * whose name the readers of the event may not know.
 */
export async function readNames(db: Queries, entries: readonly NamedEvent[]): Promise<Names> {
  const wanted = entries.flatMap((entry) => [personOf(entry), objectToFind(entry) ?? nothing]);
  const found = new Map<string, string>();
  for (const [type, read] of Object.entries(sources)) {
    const ids = new Set(wanted.flatMap((one) => (one.type === type ? (parseUuid(one.id ?? "") ?? []) : [])));
    const rows = ids.size === 0 ? [] : await read(db, [...ids]);
    for (const { id, name } of rows) found.set(`${type} ${id}`, name);
  }
  const nameOf = ({ type, id }: Reference) => found.get(`${type} ${id}`);
  return {
    // Who has deleted the own account is named in the event, and no longer found.
    ofActor: (entry) => nameOf(personOf(entry)) ?? (isAboutActor(entry) ? toldName(entry) : undefined) ?? null,
    ofObject: (entry) => toldName(entry) ?? nameOf(objectToFind(entry) ?? nothing) ?? null,
  };
}

const nothing: Reference = { type: "", id: null };

function personOf({ actor: { user_id, token_id } }: NamedEvent): Reference {
  return user_id === null ? { type: "api-token", id: token_id } : { type: "user", id: user_id };
}

function isAboutActor({ actor, object }: NamedEvent): boolean {
  return object?.type === "user" && object.id === actor.user_id;
}

function objectToFind(entry: NamedEvent): Reference | undefined {
  const isTold = entry.result === "refused" || toldName(entry) !== undefined;
  return isTold ? undefined : (entry.object ?? undefined);
}

/** The name that an event gives its object: that of what it became, or of what it was. */
function toldName({ before, after }: NamedEvent): string | undefined {
  return nameIn(after) ?? nameIn(before);
}

function nameIn(state: unknown): string | undefined {
  if (typeof state !== "object" || state === null) return undefined;
  const name = "full_name" in state ? state.full_name : "name" in state ? state.name : undefined;
  return typeof name === "string" ? name : undefined;
}
