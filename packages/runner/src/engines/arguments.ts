/** Which options of a program take a value as the next argument. */
export interface ValuedOptions {
  /** Names without dashes. */
  long: { has(name: string): boolean };
  /** Letters. */
  short: string;
  /** Letters whose value is the rest of the same argument, and never the next one: `-psecret`. */
  attached?: string;
}

interface Operand {
  value: string;
  /** Its place in the arguments. */
  at: number;
}

/** Arguments sorted into options and the rest. */
export interface ParsedArguments {
  /** In the order in which they were given, with their places. */
  given: readonly { name: string; value: string; at: number }[];
  /** By name with dashes; a repeated option has several values, one without a value an empty one. */
  options: ReadonlyMap<string, readonly string[]>;
  operands: readonly Operand[];
}

/** Sorts arguments as getopt_long does. Options after operands count too, until `--`. */
export function parseArguments(args: readonly string[], valued: ValuedOptions): ParsedArguments {
  const options = new Map<string, string[]>();
  const given: { name: string; value: string; at: number }[] = [];
  const operands: Operand[] = [];
  for (let at = 0; at < args.length; at++) {
    const place = at;
    const note = (name: string, value: string) => {
      options.set(name, [...(options.get(name) ?? []), value]);
      given.push({ name, value, at: place });
    };
    const arg = args[at] ?? "";
    if (arg === "--") {
      operands.push(...args.slice(at + 1).map((value, offset) => ({ value, at: at + 1 + offset })));
      break;
    }
    if (arg.startsWith("--")) {
      const [name = "", ...rest] = arg.slice(2).split("=");
      const takesNext = rest.length === 0 && valued.long.has(name);
      note(`--${name}`, takesNext ? (args[at + 1] ?? "") : rest.join("="));
      if (takesNext) at++;
    } else if (arg.startsWith("-") && arg.length > 1) {
      if (noteLetters(arg.slice(1), args[at + 1], valued, note)) at++;
    } else {
      operands.push({ value: arg, at });
    }
  }
  return { options, given, operands };
}

/** Notes the letters of `-abc`. Says whether the next argument belongs to the last of them. */
function noteLetters(
  letters: string,
  next: string | undefined,
  { short, attached = "" }: ValuedOptions,
  note: (name: string, value: string) => void,
): boolean {
  for (const [at, letter] of [...letters].entries()) {
    const rest = [...letters].slice(at + 1).join("");
    if (attached.includes(letter)) {
      note(`-${letter}`, rest);
      return false;
    }
    if (!short.includes(letter)) {
      note(`-${letter}`, "");
      continue;
    }
    note(`-${letter}`, rest === "" ? (next ?? "") : rest);
    return rest === "";
  }
  return false;
}

export function hasOption({ options }: ParsedArguments, ...names: readonly string[]): boolean {
  return names.some((name) => options.has(name));
}

/** The last value of the first of these options that is there. */
export function optionValue({ options }: ParsedArguments, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = options.get(name)?.at(-1);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Returns true if a command only shows its help or its version, or is a dry run: such a run is no backup. */
export function savesNothing(parsed: ParsedArguments, ...letters: readonly string[]): boolean {
  return hasOption(parsed, "--help", "--version", "--dry-run", ...letters);
}
