import { type ParsedArguments, parseArguments, savesNothing } from "../arguments";
import type { Invocation, Recognition } from "../engine";
import { nameOperation, withoutParameters } from "../operation";
import { absolutePath, folderItem } from "../places";

const named = new Set(
  `config bwlimit transfers checkers exclude exclude-from include include-from filter filter-from files-from backup-dir
     suffix compare-dest copy-dest max-age min-age max-size min-size max-transfer max-duration max-delete max-depth retries
     low-level-retries retries-sleep timeout contimeout tpslimit tpslimit-burst buffer-size multi-thread-streams
     multi-thread-cutoff order-by cache-dir temp-dir password-command user-agent bind header log-file log-level log-format
     stats stats-log-level stats-file-name-length stats-unit rc-addr exclude-if-present drive-chunk-size s3-chunk-size
     checksum-algorithm workdir conflict-resolve max-backlog modify-window`.split(/\s+/),
);

/** Backends have hundreds of options. A secret that follows one of them must not be taken for a source. */
const ofBackend =
  /-(pass|password|passphrase|secret|key|id|token|url|user|username|host|endpoint|account|region|provider|port|domain|vendor|file)$/;

const valued = { long: { has: (name: string) => named.has(name) || ofBackend.test(name) }, short: "" };

/** Commands that copy files from one place to another; those that copy one file are the same kind of task. */
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

/** True if a command copies files. */
export function isCopy(command: string | undefined): boolean {
  return command !== undefined && Object.hasOwn(copies, command);
}

export function recognise(invocation: Invocation): Recognition {
  const { args, host } = invocation;
  const parsed = parseRclone(args);
  const [command, source, target] = parsed.operands.map(({ value }) => value);
  const isWork = !savesNothing(parsed, "-n", "-h", "-V");
  const copy = isCopy(command) ? copies[command ?? ""] : undefined;
  const isRestore = isRemote(source) && !isRemote(target);
  const type = `rclone_${(copy ?? command ?? "help").replaceAll("-", "_")}`;
  return {
    category: copy === undefined || !isWork ? "system" : isRestore ? "restore" : "backup",
    type,
    entity: source === undefined ? { type: "host", value: host } : itemOf(source, invocation),
    operation: nameOperation(type, {
      sources: source === undefined ? [] : [placeOf(source, invocation)],
      repository: target === undefined ? undefined : placeOf(target, invocation),
    }),
    ...(command === undefined ? {} : { command }),
    stdoutIsData: command === "cat",
    politeSignal: "SIGINT",
  };
}

/** `name:path`, or `:backend,key=value:path` for one that is not in the configuration. The backend `local` is this host. */
function isRemote(place: string | undefined): boolean {
  return place !== undefined && /^:?[^/:,]+(?::|,.*:)/s.test(place) && !place.startsWith(":local");
}

function itemOf(place: string, invocation: Invocation): { type: string; value: string } {
  const named = placeOf(place, invocation);
  return isRemote(place) ? { type: "remote", value: named } : folderItem(named, invocation);
}

function placeOf(place: string, invocation: Invocation): string {
  if (isRemote(place)) return withoutParameters(place);
  return absolutePath(place.replace(/^:local[^:]*:/, ""), invocation);
}
