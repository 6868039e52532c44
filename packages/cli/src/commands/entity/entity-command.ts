import { parseUuid } from "@holdfast/api/conventions/uuid";
import { entityStates } from "@holdfast/api/resources/entity-words";
import type { Client } from "@holdfast/client";
import { type Command, Option } from "commander";
import { parseChoice, parseFuture, parseWords } from "../../grammar/argument-parsers";
import { changeVerb } from "../../grammar/change-verb";
import { lastRunsColumn, unitColumn } from "../../grammar/common-columns";
import { type ListFlags, listVerb, pageSize, withUnitNames } from "../../grammar/list-verb";
import { noun } from "../../grammar/noun";
import { showVerb } from "../../grammar/show-verb";
import { WrongUse } from "../../grammar/wrong-use";
import { findId } from "../../lookups/find-one";
import { ago } from "../../output/moments";
import { type Entity, entityFacts } from "./entity-facts";
import { entityTones } from "./entity-tones";

const entityArgument = ["entity", "What is protected, by name or id; see: holdfast entity list"] as const;

interface EntityFlags extends ListFlags {
  state?: string[];
  type?: string[];
  sort?: "state" | "value" | "last_good_backup";
  all?: true;
}

/** What is protected. */
export function entityCommand(): Command {
  return noun("entity", "What is protected, and what is known of its backups.", [
    listEntities(),
    showVerb({
      description: "Show what is known of something protected.",
      argument: entityArgument,
      examples: ["holdfast entity show web-1"],
      read: async (client, given) => client.entities.read(await findEntityId(client, given)),
      id: ({ id }) => id,
      facts: entityFacts,
    }),
    updateEntity(),
  ]);
}

function findEntityId(client: Client, given: string): Promise<string> {
  const id = parseUuid(given);
  if (id !== undefined) return Promise.resolve(id);
  return findId(given, {
    noun: "entity",
    list: "entity",
    named: (name) => client.entities.list({ filter: { "primary_entity.value": { $eq: name } } }).first(20),
    describe: ({ primary_entity, organizational_unit_id }) => `${primary_entity.type} in ${organizational_unit_id}`,
  });
}

function listEntities(): Command {
  return listVerb<Entity, EntityFlags, Entity>({
    description: "List what is protected, what needs attention first.",
    usualLimit: "all",
    searches: "their names",
    addOptions: (command) =>
      command
        .option("--state <list>", `Only in these states: ${entityStates.join(", ")}.`, parseWords(entityStates))
        .option("--type <list>", "Only of these types, such as host or database.", parseWords())
        .option("--all", "Also what is muted or retired.")
        .option(
          "--sort <field>",
          "state, value or last_good_backup. (default: state)",
          parseChoice(["state", "value", "last_good_backup"]),
        ),
    examples: [
      "holdfast entity",
      "holdfast entity list --state never,failing,missed,stale",
      "holdfast entity list --search web -o csv",
    ],
    list: (client, flags) =>
      client.entities.list({
        limit: pageSize(flags, "all"),
        sort: flags.sort,
        filter: {
          ...(flags.search === undefined ? {} : { "primary_entity.value": { $contains: flags.search } }),
          ...(flags.state === undefined ? {} : { state: { $in: flags.state } }),
          ...(flags.type === undefined ? {} : { "primary_entity.type": { $in: flags.type } }),
          ...(flags.all ? {} : { is_retired: false, is_muted: false }),
        },
      }),
    rows: withUnitNames,
    shape: ({ units }) => ({
      id: ({ id }) => id,
      columns: [
        { name: "name", title: "NAME", value: ({ primary_entity }) => primary_entity.value, canShrink: true },
        { name: "type", isExtra: true, title: "TYPE", value: ({ primary_entity }) => primary_entity.type },
        { name: "state", title: "STATE", value: stateOf, tone: ({ state }) => entityTones[state] },
        {
          name: "last_good_backup",
          title: "LAST GOOD BACKUP",
          value: ({ last_good_backup }) => last_good_backup?.end_timestamp ?? "",
          text: ({ last_good_backup }) => ago(last_good_backup?.end_timestamp, Date.now()),
        },
        lastRunsColumn(),
        unitColumn(units),
        { name: "id", title: "ID", value: (entity) => entity.id },
      ],
    }),
  });
}

function stateOf({ state, is_retired, muted_until }: Entity): string {
  if (is_retired) return `${state}, retired`;
  return muted_until === null ? state : `${state}, muted`;
}

interface UpdateFlags {
  mute?: string | false;
  retire?: boolean;
  retireOperation?: string[];
  resumeOperation?: string[];
}

function updateEntity(): Command {
  return changeVerb<Entity, UpdateFlags>({
    name: "update",
    description:
      "Mute something protected until a moment, or retire it or operations of it: these need no attention then.",
    argument: entityArgument,
    addOptions: (command) =>
      command
        .addOption(
          new Option("--mute <time>", "Until when: a timestamp, a day, or how long (7d).").argParser(parseFuture),
        )
        .option("--no-mute", "It needs attention again.")
        .option("--retire", "It needs no attention until a new task comes.")
        .option("--no-retire", "It is not retired any more.")
        .option("--retire-operation <name...>", "These operations of it need no attention until they run again.")
        .option("--resume-operation <name...>", "These operations of it are not retired any more."),
    examples: [
      "holdfast entity update web-1 --mute 7d",
      "holdfast entity update old-nas --retire",
      "holdfast entity update web-1 --retire-operation restic_backup",
    ],
    prints: "nothing",
    async change({ client }, given, { mute, retire, retireOperation = [], resumeOperation = [] }) {
      const operations = [
        ...retireOperation.map((operation) => ({ operation, is_retired: true })),
        ...resumeOperation.map((operation) => ({ operation, is_retired: false })),
      ];
      const body = {
        ...(typeof mute === "string" ? { muted_until: mute } : {}),
        ...(mute === false ? { muted_until: null } : {}),
        ...(retire === undefined ? {} : { is_retired: retire }),
        ...(operations.length === 0 ? {} : { operations }),
      };
      if (Object.keys(body).length === 0)
        throw new WrongUse(
          "Name what is to change: --mute, --no-mute, --retire, --no-retire, --retire-operation or --resume-operation.",
        );
      return { item: await client.entities.update(await findEntityId(client, given), body) };
    },
  });
}
