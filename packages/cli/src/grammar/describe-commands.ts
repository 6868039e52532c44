import type { Command } from "commander";
import { wordsOf } from "./argument-parsers";

/** An option of a command. */
export interface DescribedOption {
  short: string | undefined;
  long: string;
  /** Value that follows the option, such as <file>; undefined for a flag. */
  value: string | undefined;
  description: string;
  /** The words that can follow it, where these are known. */
  words: readonly string[];
}

/** A command as its declaration describes it. */
export interface DescribedCommand {
  /** The words that call it, after holdfast: task, list. */
  path: readonly string[];
  aliases: readonly string[];
  description: string;
  /** Usage after the name, such as [options] <id>. */
  usage: string;
  arguments: readonly { name: string; description: string; words: readonly string[] }[];
  options: readonly DescribedOption[];
  commands: readonly DescribedCommand[];
  /** All that --help prints. */
  help: string;
  /** Text of --help after the options. */
  notes: string;
}

const helpWidth = 100;

/** Describes a command and all below it: completion, the manual page and the reference are made of this. */
export function describeCommand(command: Command, path: readonly string[] = []): DescribedCommand {
  const help = helpOf(command);
  return {
    path,
    aliases: command.aliases(),
    description: command.description(),
    usage: command.usage(),
    arguments: command.registeredArguments.map((argument) => ({
      name: argument.name(),
      description: argument.description,
      words: wordsOf(argument.parseArg),
    })),
    options: command.options
      .filter(({ hidden }) => !hidden)
      .map(({ short, long, flags, description, parseArg, argChoices }) => ({
        short,
        long: long ?? flags,
        value: /[<[].*$/.exec(flags)?.[0],
        description,
        words: argChoices ?? wordsOf(parseArg),
      })),
    commands: command.commands.map((below) => describeCommand(below, [...path, below.name()])),
    help,
    notes: notesIn(help),
  };
}

function helpOf(command: Command): string {
  let text = "";
  const output = { ...command.configureOutput() };
  command.configureOutput({
    writeOut: (part) => (text += part),
    getOutHelpWidth: () => helpWidth,
    getOutHasColors: () => false,
  });
  command.outputHelp();
  command.configureOutput(output);
  return text.trimEnd();
}

/** Text after the last list of options or commands. */
function notesIn(help: string): string {
  const blocks = help.split("\n\n");
  const last = blocks.findLastIndex((block) => /^(Options|Commands|Arguments|Where it works):\n/.test(block));
  return blocks.slice(last + 1).join("\n\n");
}
