import type { TaskCategory } from "@holdfast/api/resources/task-words";
import { hasOption, optionValue, type ParsedArguments, parseArguments } from "../arguments";
import type { Invocation, Recognition } from "../engine";

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

export function recognise({ args, environment, host }: Invocation): Recognition {
  const parsed = parseTar(args);
  const mode = modes.find(({ names }) => hasOption(parsed, ...names));
  const file = optionValue(parsed, "-f", "--file") || environment.TAPE || "-";
  const folder = optionValue(parsed, "-C", "--directory");
  const source = parsed.operands[0]?.value;
  const place = mode?.type === "create" ? (source === "." ? folder : source) : folder;
  return {
    category: mode?.category ?? "system",
    type: `tar_${mode?.type ?? "other"}`,
    entity: { type: "folder", value: place ?? folder ?? source ?? host },
    ...(mode === undefined ? {} : { command: mode.type }),
    stdoutIsData: mode?.type === "create" ? file === "-" : hasOption(parsed, "-O", "--to-stdout"),
    politeSignal: "SIGTERM",
  };
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
