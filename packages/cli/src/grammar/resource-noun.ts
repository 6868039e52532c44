import type { Client, Listing } from "@holdfast/client";
import type { Command } from "commander";
import { findId } from "../lookups/find-one";
import { actingIn } from "../lookups/units";
import type { Fact } from "../output/facts";
import { type ChangeVerb, changeVerb } from "./change-verb";
import { addUnitOption } from "./connection-options";
import { bodyOptions, type NamedFields } from "./declared-options";
import { deleteVerb } from "./delete-verb";
import { filledFields, requireField } from "./field-option";
import type { ListFlags } from "./list-verb";
import { noun } from "./noun";
import {
  type DeclaredName,
  declarationOf,
  type FieldOf,
  type ResourceList,
  resourceList,
  type VerbWords,
} from "./resource-list";
import { type FactNames, showVerb } from "./show-verb";

/** The calls behind the five verbs, as far as a resource has them. */
interface ResourceCalls<Item extends object> {
  list(options?: object): Listing<Item>;
  read(id: string): Promise<Item>;
  create?(body: object): Promise<Item>;
  update?(id: string, body: object): Promise<Item>;
  delete?(id: string, options?: object): Promise<unknown>;
}

type Flags = Readonly<Record<string, unknown>>;

interface BodyVerb<Field extends string> extends VerbWords, Pick<ChangeVerb<{ id: string }, Flags>, "check" | "help"> {
  /** The options for its fields. Without it, there is one for each. */
  fields?: NamedFields<Field>;
}

/** A noun: what it is called, the columns of its table, and what the declaration of its resource does not say. */
export interface ResourceNoun<
  Name extends DeclaredName,
  Item extends { id: string },
  OwnFlags extends ListFlags = ListFlags,
> extends ResourceList<Name, Item, OwnFlags> {
  description: string;
  calls: (client: Client) => ResourceCalls<Item>;
  /** The argument of its verbs, and what it can be: a name or an id if nothing is said. */
  argument?: readonly [name: string, description: string];
  find?: (client: Client, given: string) => Promise<string>;
  /** Facts about one, the most important first; all of its fields if nothing is said. */
  facts?: (item: Item, names: FactNames) => Promise<readonly Fact[]> | readonly Fact[];
  show?: VerbWords;
  create?: BodyVerb<FieldOf<Name, "create">> & {
    /** Description of the unit that it is made in. */
    unit?: string;
    /** Name and value of what is printed; the id by default. */
    prints?: readonly [what: string, of: (item: Item) => string | undefined];
    defaults?: object;
    /** It may be made where there is no data yet. */
    mayCreate?: true;
  };
  update?: BodyVerb<FieldOf<Name, "update">>;
  /** Verbs that are updates, too. One with a body needs no options. */
  updates?: Readonly<Record<string, BodyVerb<FieldOf<Name, "update">> & { body?: object }>>;
  delete?: VerbWords & {
    /** Name of the item in the question. */
    nameOf?: (item: Item) => string;
    /** An option of its own, and what it adds to the call. */
    option?: readonly [flags: string, description: string];
    options?: (client: Client, flags: Flags) => Promise<object>;
  };
  /** The unit that it is changed in, whichever is acted in. */
  unitOf?: (item: Item) => string;
  /** Its other lists. */
  lists?: readonly Command[];
  /** Verbs that are more than a call. One that is called show or create replaces the one that is declared. */
  verbs?: readonly Command[];
}

/** Declares a noun and its verbs: list, show, create, update and delete as far as the resource has them, and its own. */
export function resourceNoun<
  Name extends DeclaredName,
  Item extends { id: string },
  OwnFlags extends ListFlags = ListFlags,
>(given: ResourceNoun<Name, Item, OwnFlags>): Command {
  const { name, resource, calls, verbs = [], unitOf } = given;
  const declaration = declarationOf(resource);
  const last = name.split(" ").at(-1) ?? name;
  const argument = given.argument ?? [last, `The ${last}, by name or id; see: holdfast ${name} list`];
  const examples = (verb: string, ...words: string[]) => [["holdfast", name, verb, ...words].join(" ")];
  const find = given.find ?? ((client: Client, text: string) => findNamed(name, calls(client), text));
  const inItsUnit = async (client: Client, id: string) =>
    calls(unitOf ? client.in(unitOf(await calls(client).read(id))) : client);

  function show(): Command {
    return showVerb<Item>({
      description: `Show a ${last}.`,
      examples: examples("show", `<${argument[0]}>`),
      ...given.show,
      argument,
      read: async (client, text) => calls(client).read(await find(client, text)),
      id: ({ id }) => id,
      facts: given.facts,
    });
  }

  function create(): Command {
    const { fields, unit, prints, defaults, ...words } = given.create ?? {};
    const [printed, resultOf] = prints ?? ["the id", ({ id }: Item) => id];
    const { organizational_unit_id: _unit, ...declared } = declaration.create?.fields ?? {};
    const options = bodyOptions(declared, fields);
    for (const option of options) if (option.field in Object(defaults)) option.makeOptionMandatory(false);
    const filled = new Set([...options.map(({ field }) => field.split(".")[0]), ...Object.keys(defaults ?? {})]);
    const missing = Object.keys(declared).find((field) => declared[field]?.isRequired && !filled.has(field));
    if (missing !== undefined)
      throw new Error(`holdfast ${name} create has no option for ${missing}. Name it in fields.`);
    const required = options.filter(({ mandatory }) => mandatory).map(({ flags }) => flags);
    return changeVerb<Item, Flags & { unit?: string }>({
      name: "create",
      description: declaration.create?.text ?? "",
      examples: examples("create", ...required),
      ...words,
      addOptions(command) {
        for (const option of options) command.addOption(option);
        if (!declaration.isInUnit) return command;
        return addUnitOption(
          command,
          unit ?? "The organizational unit that it belongs to. (default: that of the token)",
        );
      },
      prints: printed,
      async change({ client }, _, flags, command) {
        const there = await actingIn(client, flags.unit);
        const item = await calls(there).create?.({ ...defaults, ...(await filledFields(command, client)) });
        return { item, result: item && resultOf(item) };
      },
    });
  }

  function update(verb: string, { fields, check, body, ...words }: BodyVerb<string> & { body?: object }): Command {
    const options = bodyOptions(declaration.update?.fields ?? {}, fields);
    return changeVerb<Item, Flags>({
      name: verb,
      description: declaration.update?.text ?? "",
      examples: examples(verb, `<${argument[0]}>`, ...options.slice(0, 1).map(({ flags }) => flags)),
      ...words,
      argument,
      addOptions(command) {
        for (const option of options) command.addOption(option.makeOptionMandatory(options.length === 1 && !body));
        return command;
      },
      prints: "nothing",
      check(flags, command) {
        check?.(flags, command);
        if (!body) requireField(command);
      },
      async change({ client }, text, _, command) {
        const id = await find(client, text);
        const there = await inItsUnit(client, id);
        return { item: await there.update?.(id, { ...body, ...(await filledFields(command, client)) }) };
      },
    });
  }

  function remove(): Command {
    const { nameOf = (item: Item) => `the ${last} ${nameIn(item)}`, option, options, ...words } = given.delete ?? {};
    return deleteVerb<Flags>({
      description: declaration.delete?.text ?? "",
      examples: examples("delete", `<${argument[0]}>`),
      ...words,
      argument,
      addOptions: (command) => (option ? command.option(...option) : command),
      find: ({ client }, text) => find(client, text),
      nameOf: async ({ client }, id) => nameOf(await calls(client).read(id)),
      async remove({ client }, id, flags) {
        await (await inItsUnit(client, id)).delete?.(id, await options?.(client, flags));
      },
    });
  }

  const own = new Map(verbs.map((verb) => [verb.name(), verb]));
  const { updates = {} } = given;
  return noun(last, given.description, [
    resourceList(given),
    own.get("show") ?? show(),
    ...(given.lists ?? []),
    ...(declaration.create ? [own.get("create") ?? create()] : []),
    ...(declaration.update ? [update("update", given.update ?? {})] : []),
    ...Object.entries(updates).map(([verb, words]) => update(verb, { fields: {}, ...words })),
    ...verbs.filter((verb) => !["show", "create"].includes(verb.name())),
    ...(declaration.delete ? [remove()] : []),
  ]);
}

/** The id of what is named by its name or its id. */
function findNamed(name: string, calls: ResourceCalls<{ id: string }>, given: string): Promise<string> {
  return findId(given, {
    noun: name.split(" ").at(-1) ?? name,
    list: name,
    named: (text) => calls.list({ filter: { name: { $eq: text } } }).first(20),
    describe: (item) => ("organizational_unit_id" in item ? `in ${item.organizational_unit_id}` : nameIn(item)),
  });
}

function nameIn(item: { id: string }): string {
  return "name" in item ? String(item.name) : item.id;
}
