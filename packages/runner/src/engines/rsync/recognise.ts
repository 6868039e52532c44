import { type ParsedArguments, parseArguments } from "../arguments";
import type { Invocation, Recognition } from "../engine";

const valued = {
  long: new Set(
    `rsh exclude include exclude-from include-from files-from filter block-size remote-option temp-dir bwlimit backup-dir
     suffix log-file log-file-format out-format log-format info debug port password-file timeout contimeout rsync-path
     link-dest compare-dest copy-dest partial-dir max-size min-size max-delete modify-window compress-level
     compress-choice zc zl checksum-choice cc skip-compress chmod chown usermap groupmap stop-after stop-at address
     sockopts iconv outbuf protocol checksum-seed read-batch write-batch only-write-batch max-alloc early-input stderr
     config dparam`.split(/\s+/),
  ),
  short: "efBMT@",
};

export function parseRsync(args: readonly string[]): ParsedArguments {
  return parseArguments(args, valued);
}

export function recognise({ args, host }: Invocation): Recognition {
  const source = parseRsync(args).operands[0]?.value ?? host;
  return {
    category: "backup",
    type: "rsync_copy",
    entity: { type: "folder", value: source },
    command: "copy",
    stdoutIsData: false,
    politeSignal: "SIGTERM",
  };
}
