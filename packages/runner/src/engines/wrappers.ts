/** Syntax of the options of a program that starts another one. */
interface Wrapper {
  /** Options without a value; of clusters such as `-nE` each letter counts. */
  flags: string;
  /** Letters that take a value. */
  valued: string;
  longFlags: readonly string[];
  longValued: readonly string[];
  /** Number of words between the options and the command: the duration of `timeout`. */
  operands: number;
  /** True if `NAME=value` may stand before the command. */
  takesVariables: boolean;
  /** Pattern of further options: `nice -10`. */
  also?: RegExp;
  /** The option that names the folder to start the command in. */
  folder?: { letter: string; long: string };
}

const plain: Wrapper = { flags: "", valued: "", longFlags: [], longValued: [], operands: 0, takesVariables: false };

const words = (text: string) => text.split(" ");

/** Programs through which an engine is looked for, with the options that they are known to have. */
export const wrappers: Readonly<Record<string, Wrapper>> = {
  sudo: {
    flags: "ABbEHKknPS",
    valued: "CDgpRTUurt",
    longFlags: words(
      "askpass bell background preserve-env set-home reset-timestamp non-interactive preserve-groups stdin",
    ),
    longValued: words("close-from chdir group prompt chroot command-timeout other-user user role type preserve-env"),
    operands: 0,
    takesVariables: true,
    folder: { letter: "D", long: "chdir" },
  },
  doas: { ...plain, flags: "nL", valued: "aCu" },
  nice: { ...plain, valued: "n", longValued: ["adjustment"], also: /^-\d+$/ },
  ionice: { ...plain, flags: "t", valued: "cn", longFlags: ["ignore"], longValued: ["class", "classdata"] },
  chrt: {
    ...plain,
    flags: "abdfiorRGv",
    valued: "TPD",
    longFlags: words("all-tasks batch deadline fifo idle other rr reset-on-fork verbose"),
    longValued: words("sched-runtime sched-period sched-deadline"),
    operands: 1,
  },
  env: {
    ...plain,
    flags: "i0v",
    valued: "uC",
    longFlags: words("ignore-environment null debug default-signal ignore-signal block-signal list-signal-handling"),
    longValued: words("unset chdir default-signal ignore-signal block-signal"),
    takesVariables: true,
    also: /^-$/,
    folder: { letter: "C", long: "chdir" },
  },
  timeout: {
    ...plain,
    flags: "fpv",
    valued: "ks",
    longFlags: words("foreground preserve-status verbose"),
    longValued: words("kill-after signal"),
    operands: 1,
  },
  nohup: plain,
  setsid: { ...plain, flags: "cfw", longFlags: words("ctty fork wait") },
  stdbuf: { ...plain, valued: "ioe", longValued: words("input output error") },
  time: {
    ...plain,
    flags: "apqvl",
    valued: "fo",
    longFlags: words("append portability quiet verbose"),
    longValued: words("format output"),
  },
  flock: {
    ...plain,
    flags: "esxnuoFv",
    valued: "wE",
    longFlags: words("exclusive shared nonblock nb unlock close no-fork verbose"),
    longValued: words("timeout wait conflict-exit-code"),
    operands: 1,
  },
};

/** Command inside of a wrapper, and the facts that the wrapper's options tell. */
export interface Unwrapped {
  /** Where the command begins. */
  at: number;
  /** Variables that it sets for the command. */
  variables: Readonly<Record<string, string>>;
  /** The folder that it starts the command in, if it changes that. */
  folder?: string | undefined;
}

/** Finds the command behind a wrapper's options. Undefined after an option that is not known. */
export function unwrap(wrapper: Wrapper, argv: readonly string[], from: number): Unwrapped | undefined {
  const variables: Record<string, string> = {};
  let at = from;
  let folder: string | undefined;
  for (let arg = argv[at]; arg?.startsWith("-"); arg = argv[at]) {
    at += 1;
    if (arg === "--") break;
    if (wrapper.also?.test(arg)) continue;
    const taken = arg.startsWith("--") ? takeLong(wrapper, arg.slice(2)) : takeLetters(wrapper, arg.slice(1));
    if (taken === undefined) return undefined;
    folder = folderIn(wrapper, arg, argv[at]) ?? folder;
    at += taken;
  }
  for (let arg = argv[at]; wrapper.takesVariables && arg !== undefined && /^\w+=/.test(arg); arg = argv[at]) {
    const equals = arg.indexOf("=");
    variables[arg.slice(0, equals)] = arg.slice(equals + 1);
    at += 1;
  }
  return { at: at + wrapper.operands, variables, folder };
}

/** The folder that an option names, as `-C/srv`, `-C /srv`, `--chdir=/srv` or `--chdir /srv`. */
function folderIn({ folder, valued }: Wrapper, option: string, next: string | undefined): string | undefined {
  if (folder === undefined) return undefined;
  const [long, ...value] = option.split("=");
  if (long === `--${folder.long}`) return value.length > 0 ? value.join("=") : next;
  const letters = option.startsWith("--") ? "" : option.slice(1);
  const at = [...letters].findIndex((letter) => valued.includes(letter));
  if (letters[at] !== folder.letter) return undefined;
  return letters.slice(at + 1) || next;
}

/** Number of further words that a long option takes. */
function takeLong({ longFlags, longValued }: Wrapper, option: string): number | undefined {
  const [name = "", value] = option.split("=");
  if (value !== undefined) return longValued.includes(name) ? 0 : undefined;
  if (longFlags.includes(name)) return 0;
  return longValued.includes(name) ? 1 : undefined;
}

/** Number of further words that a cluster of letters takes. */
function takeLetters({ flags, valued }: Wrapper, letters: string): number | undefined {
  for (const [at, letter] of [...letters].entries()) {
    if (valued.includes(letter)) return at === letters.length - 1 ? 1 : 0;
    if (!flags.includes(letter)) return undefined;
  }
  return letters === "" ? undefined : 0;
}
