import { posix } from "node:path";
import type { TaskCategory } from "@holdfast/api/resources/task-words";
import { hasOption, optionValue, type ParsedArguments, parseArguments } from "../arguments";
import type { Invocation, Recognition } from "../engine";
import { nameOperation } from "../operation";
import { folderItem, listedIn, targetFolder } from "../places";

const valued = {
  long: new Set(
    `file directory exclude exclude-from files-from use-compress-program listed-incremental newer after-date owner group
     mode mtime transform xform strip-components blocking-factor record-size tape-length label starting-file
     add-file checkpoint-action warning sort format pax-option rsh-command to-command level volno-file`.split(/\s+/),
  ),
  short: "fCXTIgNbLVKHF",
};

const modes: readonly { names: readonly string[]; category: TaskCategory; type: string }[] = [
  {
    names: ["-c", "--create", "-r", "--append", "-u", "--update", "-A", "--catenate"],
    category: "backup",
    type: "create",
  },
  { names: ["-x", "--extract", "--get"], category: "restore", type: "extract" },
  { names: ["-t", "--list"], category: "system", type: "list" },
  { names: ["-d", "--diff", "--compare"], category: "system", type: "compare" },
];

export function recognise(invocation: Invocation): Recognition {
  const { args, environment, host } = invocation;
  const parsed = parseTar(args);
  const mode = modes.find(({ names }) => hasOption(parsed, ...names));
  const file = optionValue(parsed, "-f", "--file") || environment.TAPE || "-";
  const { sources, folder } = pathsOf(parsed, invocation);
  const isCreate = mode?.type === "create";
  const isHere = isCreate || mode?.type === "extract";
  const place = (isCreate ? sources[0] : undefined) ?? folder ?? (isHere ? invocation.folder : undefined);
  const type = `tar_${mode?.type ?? "other"}`;
  const lists = [...(parsed.options.get("-T") ?? []), ...(parsed.options.get("--files-from") ?? [])];
  return {
    category: mode?.category ?? "system",
    type,
    entity: place === undefined ? { type: "host", value: host } : folderItem(place, invocation),
    operation: nameOperation(type, {
      sources: isCreate ? [...sources, ...listedIn(lists, invocation)] : [],
      repository: targetFolder(file, invocation),
    }),
    ...(mode === undefined ? {} : { command: mode.type }),
    stdoutIsData: isCreate ? file === "-" : hasOption(parsed, "-O", "--to-stdout"),
    politeSignal: "SIGTERM",
  };
}

/** The paths that are named, each in the folder of the `-C` before it, and the folder of the last one. */
function pathsOf(
  { given, operands }: ParsedArguments,
  { folder: start }: Invocation,
): { sources: string[]; folder: string | undefined } {
  const changes = given.filter(({ name }) => name === "-C" || name === "--directory");
  let folder: string | undefined;
  let next = 0;
  const changeUntil = (at: number) => {
    for (let change = changes[next]; change !== undefined && change.at < at; change = changes[++next])
      folder = posix.resolve(folder ?? start, change.value);
  };
  const sources = operands.map(({ value, at }) => {
    changeUntil(at);
    return posix.resolve(folder ?? start, value);
  });
  changeUntil(Number.POSITIVE_INFINITY);
  return { sources, folder };
}

/** `tar czf x.tar folder`: the letters of the first word take their values from the words after it, in order. */
function parseTar(args: readonly string[]): ParsedArguments {
  const [first = "", ...rest] = args;
  if (first.startsWith("-") || first === "") return parseArguments(args, valued);
  const values = [...rest];
  const expanded = [...first].flatMap((letter) =>
    valued.short.includes(letter) ? [`-${letter}`, values.shift() ?? ""] : [`-${letter}`],
  );
  return parseArguments([...expanded, ...values], valued);
}
