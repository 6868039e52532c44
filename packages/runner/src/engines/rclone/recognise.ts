import { type ParsedArguments, parseArguments } from "../arguments";
import type { Invocation, Recognition } from "../engine";

const valued = {
  long: new Set(
    `config bwlimit transfers checkers exclude exclude-from include include-from filter filter-from files-from backup-dir
     suffix compare-dest copy-dest max-age min-age max-size min-size max-transfer max-duration max-delete max-depth retries
     low-level-retries retries-sleep timeout contimeout tpslimit tpslimit-burst buffer-size multi-thread-streams
     multi-thread-cutoff order-by cache-dir temp-dir password-command user-agent bind header log-file log-level log-format
     stats stats-log-level stats-file-name-length stats-unit rc-addr exclude-if-present drive-chunk-size s3-chunk-size
     checksum-algorithm workdir conflict-resolve max-backlog modify-window`.split(/\s+/),
  ),
  short: "",
};

/** What copies files from one place to another; those that copy one file are the same kind of task. */
const copies: Readonly<Record<string, string>> = {
  sync: "sync",
  copy: "copy",
  move: "move",
  bisync: "bisync",
  copyto: "copy",
  moveto: "move",
};

export function parseRclone(args: readonly string[]): ParsedArguments {
  return parseArguments(args, valued);
}

/** Whether a command copies files. */
export function isCopy(command: string | undefined): boolean {
  return command !== undefined && Object.hasOwn(copies, command);
}

export function recognise({ args, host }: Invocation): Recognition {
  const [command, source, target] = parseRclone(args).operands.map(({ value }) => value);
  const copy = isCopy(command) ? copies[command ?? ""] : undefined;
  const isRestore = isRemote(source) && !isRemote(target);
  const place = [target, source].find(isRemote) ?? target ?? source;
  return {
    category: copy === undefined ? "system" : isRestore ? "restore" : "backup",
    type: `rclone_${(copy ?? command ?? "help").replaceAll("-", "_")}`,
    entity: { type: "remote", value: withoutParameters(place ?? host) },
    ...(command === undefined ? {} : { command }),
    stdoutIsData: command === "cat",
    politeSignal: "SIGINT",
  };
}

/** `name:path`, or `:backend:path` for one that is not in the configuration. */
function isRemote(place: string | undefined): boolean {
  return place !== undefined && /^:?[^/:]+:/.test(place);
}

/** Parameters between a remote's name and its path may be secrets. */
function withoutParameters(place: string): string {
  const at = place.indexOf(",");
  const end = place.lastIndexOf(":");
  const short = isRemote(place) && at > 0 && end > at ? place.slice(0, at) + place.slice(end) : place;
  return short;
}
