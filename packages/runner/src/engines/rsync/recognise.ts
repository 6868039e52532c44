import { type ParsedArguments, parseArguments, savesNothing } from "../arguments";
import type { Invocation, Recognition } from "../engine";
import { nameOperation } from "../operation";
import { absolutePath, folderItem, isThisHost, listedIn, onHost } from "../places";

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

export function recognise(invocation: Invocation): Recognition {
  const parsed = parseRsync(invocation.args);
  const places = parsed.operands.map(({ value }) => value);
  const sources = places.length > 1 ? places.slice(0, -1) : places;
  const target = places.length > 1 ? places.at(-1) : undefined;
  const lists = listedIn(parsed.options.get("--files-from"), invocation);
  return {
    category: target === undefined || savesNothing(parsed, "-n", "-V", "--list-only") ? "system" : "backup",
    type: "rsync_copy",
    entity: sources[0] === undefined ? { type: "host", value: invocation.host } : itemOf(sources[0], invocation),
    operation: nameOperation("rsync_copy", {
      sources: [...sources.map((source) => placeOf(source, invocation)), ...lists],
      repository: target === undefined ? undefined : placeOf(target, invocation),
    }),
    command: "copy",
    stdoutIsData: false,
    politeSignal: "SIGTERM",
  };
}

/** `host:path`, `host::module` and `rsync://host/module`; a colon after a slash belongs to a path. */
function itemOf(place: string, invocation: Invocation): { type: string; value: string } {
  const [, server, path = ""] =
    /^rsync:\/\/(?:[^/@]*@)?(\[[^\]]*\]|[^/:]*)(?::\d+)?\/*(.*)$/s.exec(place) ??
    /^(?:[^/@:]*@)?(\[[^\]]*\]|[^/:]+)::?(.*)$/s.exec(place) ??
    [];
  if (server === undefined) return folderItem(place, invocation);
  return { type: "folder", value: isThisHost(server) ? onHost(invocation.host, path) : place };
}

function placeOf(place: string, invocation: Invocation): string {
  return /^[^/]*:/.test(place) ? place : absolutePath(place, invocation);
}
