import type { Command } from "commander";
import { nearest } from "./nearest";

/** Names that other programs use for our verbs. */
const otherWords: Record<string, readonly string[]> = {
  delete: ["revoke", "retire", "abort"],
  remove: ["delete", "revoke", "retire"],
  rm: ["delete", "revoke", "retire"],
  add: ["create"],
  new: ["create"],
  edit: ["update"],
  set: ["update"],
  get: ["show"],
  info: ["show"],
  cancel: ["abort"],
  stop: ["abort", "disable"],
  logs: ["log"],
};

export function verbsOf(noun: Command): string[] {
  return noun.commands.map((one) => one.name());
}

/** The verb that a word was probably meant to be. */
export function meantVerb(noun: Command, word: string): string | undefined {
  const verbs = verbsOf(noun);
  return otherWords[word.toLowerCase()]?.find((one) => verbs.includes(one)) ?? nearest(word, verbs);
}

/** Arguments with the verb that they leave out, and the verbs that could have been meant. */
export interface ImpliedShow {
  args: readonly string[];
  name: string;
  verbs: readonly string[];
}

/**
 * A noun with one name or id shows that thing. A second name means that the first is a verb we do not know, and a word
 * close to a verb is taken for a misspelt one: `show` still finds something of that name.
 */
export function impliedShow(
  noun: Command | undefined,
  [name = "", ...given]: readonly string[],
): ImpliedShow | undefined {
  const below = noun?.commands.find((one) => one.commands.length > 0 && one.name() === given[0]);
  const inner = below && impliedShow(below, given);
  if (inner) return { ...inner, args: [name, ...inner.args], name: `${name} ${inner.name}` };
  const show = noun?.commands.find((verb) => verb.name() === "show");
  if (!noun || !show) return undefined;
  const [word, ...others] = operandsOf(show, given);
  const verbs = verbsOf(noun);
  if (word === undefined || others.length > 0 || [...verbs, "help"].includes(word)) return undefined;
  return meantVerb(noun, word) === undefined ? { args: [name, "show", ...given], name, verbs } : undefined;
}

/** The arguments that are neither options of a command nor their values; none if one is an option of another command. */
function operandsOf(command: Command, args: readonly string[]): string[] {
  const operands: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (!arg.startsWith("-")) {
      operands.push(arg);
      continue;
    }
    const [flag] = arg.split("=");
    const option = command.options.find(({ short, long }) => flag === short || flag === long);
    if (!option) return [];
    if (option.required && !arg.includes("=")) at += 1;
  }
  return operands;
}
