import type { DescribedCommand, DescribedOption } from "../../grammar/describe-commands";

/** Words that can follow at one point of a command line: after the words of a command. */
export interface Place {
  /** The names of the command with spaces between them; empty at the beginning. */
  path: string;
  commands: readonly { name: string; description: string }[];
  options: readonly DescribedOption[];
  /** Words that can be an argument. */
  words: readonly string[];
}

const help: DescribedOption = {
  short: "-h",
  long: "--help",
  value: undefined,
  description: "Show the help.",
  words: [],
};

/** All places of a command line. A noun without a verb lists, so the options of that are there, too. */
export function placesOf(program: DescribedCommand): Place[] {
  return everyCommand(program).map(({ path, commands, options, arguments: given }) => {
    const list = commands.find((below) => below.path.at(-1) === "list");
    return {
      path: path.join(" "),
      commands: commands.map((below) => ({ name: below.path.at(-1) ?? "", description: below.description })),
      options: [...options, ...(list?.options ?? []), help],
      words: given.flatMap((one) => one.words),
    };
  });
}

function everyCommand(command: DescribedCommand): DescribedCommand[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}

/** Aliases of commands, and the commands that they stand for. */
export function aliasesOf(program: DescribedCommand): [alias: string, name: string][] {
  return program.commands.flatMap(({ aliases, path }) =>
    aliases.map((alias): [string, string] => [alias, path[0] ?? alias]),
  );
}

/** Shell code that finds out, word by word, which command was typed: `at` becomes its place. */
export function findPlace(aliases: readonly string[], known: readonly string[]): string {
  return `    if [[ -z $at ]]; then
      case $word in
${aliases.join("\n")}
      esac
    fi
    next=\${at:+$at }$word
    case $next in
${known.join("\n")}
    esac`;
}

/** True if what follows an option is the name of a file. */
export function takesFile({ value }: DescribedOption): boolean {
  return value !== undefined && /file|folder|path/.test(value);
}

/** A text in single quotes, for a shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The first sentence of a description. */
export function shortly(description: string): string {
  return description.replace(/\. .*$|\.$/s, "").slice(0, 100);
}
