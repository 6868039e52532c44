import { foldCase } from "@holdfast/api/conventions/fold-case";
import { parseUuid } from "@holdfast/api/conventions/uuid";
import { Refusal } from "@holdfast/server/settings/refusal";

/** Description of items that can be named. */
export interface Nameable<Item> {
  /** Such as "role". */
  noun: string;
  /** The command that lists them. */
  list: string;
  /** Those with a name, in any letter case. */
  named: (name: string) => Promise<Item[]>;
  /** Difference from other items with the same name. */
  describe: (item: Item) => string;
}

/** The id of what is named by its id or by its name. An id is taken as it is: whether there is such a thing, the service says. */
export async function findId<Item extends { id: string }>(nameOrId: string, about: Nameable<Item>): Promise<string> {
  const id = parseUuid(nameOrId);
  if (id !== undefined) return id;
  const [found, ...others] = await about.named(nameOrId);
  if (!found) {
    throw new Refusal(
      `There is no ${about.noun} ${quoted(nameOrId)}, or you may not see it. See: holdfast ${about.list} list`,
    );
  }
  if (others.length === 0) return found.id;
  const choice = [found, ...others].map((item) => `${item.id} (${about.describe(item)})`).join(", ");
  throw new Refusal(`There are several ${about.noun}s ${quoted(nameOrId)}. Write the id of one: ${choice}.`);
}

export function sameName(one: string, other: string): boolean {
  return foldCase(one) === foldCase(other);
}

export function quoted(text: string): string {
  return JSON.stringify(text);
}
