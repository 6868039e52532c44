import type { Client } from "@holdfast/client";
import type { Command } from "commander";
import { lastRunsColumn } from "../../grammar/common-columns";
import type { ListFlags } from "../../grammar/list-verb";
import { resourceNoun } from "../../grammar/resource-noun";
import { findId } from "../../lookups/find-one";
import { ago } from "../../output/moments";
import { type Entity, entityFacts } from "./entity-facts";
import { entityTones } from "./entity-tones";

/** Commands for protected items. */
export function entityCommand(): Command {
  return resourceNoun<"entities", Entity, ListFlags & { all?: true }>({
    name: "entity",
    description: "Protected entities, and what is known of their backups.",
    resource: "entities",
    calls: ({ entities }) => entities,
    argument: ["entity", "What is protected, by name or id; see: holdfast entity list"],
    find: findEntityId,
    columns: [
      { name: "name", title: "NAME", value: ({ primary_entity }) => primary_entity.value, canShrink: true },
      { name: "type", isExtra: true, title: "TYPE", value: ({ primary_entity }) => primary_entity.type },
      { name: "state", value: stateOf, tone: ({ state }) => entityTones[state] },
      {
        name: "last_good_backup",
        value: ({ last_good_backup }) => last_good_backup?.end_timestamp ?? "",
        text: ({ last_good_backup }) => ago(last_good_backup?.end_timestamp, Date.now()),
      },
      lastRunsColumn(),
      "organizational_unit_id",
      "id",
    ],
    facts: entityFacts,
    list: {
      description: "List what is protected, what needs attention first.",
      filters: {
        "primary_entity.value": {
          flags: "--search <text>",
          text: "Only those with this in their names.",
          value: (text) => ({ $contains: text }),
        },
        state: "Only in these states: {words}.",
        "primary_entity.type": { flags: "--type <list>", text: "Only of these types, such as host or database." },
      },
      sort: { text: "state, value or last_good_backup. (default: state)" },
      addOptions: (command) => command.option("--all", "Also what is muted or retired."),
      filter: ({ all }) => (all ? {} : { is_retired: false, is_muted: false }),
      examples: [
        "holdfast entity",
        "holdfast entity list --state never,failing,missed,stale",
        "holdfast entity list --search web -o csv",
      ],
    },
    show: { description: "Show what is known of something protected.", examples: ["holdfast entity show web-1"] },
    update: {
      description:
        "Mute something protected until a moment, or retire it or operations of it: these need no attention then.",
      fields: {
        muted_until: {
          flags: "--mute <time>",
          text: "Until when: a timestamp, a day, or how long (7d).",
          no: "It needs attention again.",
        },
        is_retired: {
          flags: "--retire",
          text: "It needs no attention until a new task comes.",
          no: "It is not retired any more.",
        },
        operations: [
          {
            flags: "--retire-operation <name...>",
            text: "These operations of it need no attention until they run again.",
            value: operationsThatAre(true),
          },
          {
            flags: "--resume-operation <name...>",
            text: "These operations of it are not retired any more.",
            value: operationsThatAre(false),
          },
        ],
      },
      examples: [
        "holdfast entity update web-1 --mute 7d",
        "holdfast entity update old-nas --retire",
        "holdfast entity update web-1 --retire-operation restic_backup",
      ],
    },
  });
}

function operationsThatAre(is_retired: boolean): (names: unknown) => object[] {
  return (names) => [names].flat().map((operation) => ({ operation, is_retired }));
}

function findEntityId(client: Client, given: string): Promise<string> {
  return findId(given, {
    noun: "entity",
    list: "entity",
    named: (name) => client.entities.list({ filter: { "primary_entity.value": { $eq: name } } }).first(20),
    describe: ({ primary_entity, organizational_unit_id }) => `${primary_entity.type} in ${organizational_unit_id}`,
  });
}

function stateOf({ state, is_retired, muted_until }: Entity): string {
  if (is_retired) return `${state}, retired`;
  return muted_until === null ? state : `${state}, muted`;
}
