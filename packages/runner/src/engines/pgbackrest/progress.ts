import { createDiagnostics } from "../diagnostics";
import type { Invocation, Poll, Progress, Reader } from "../engine";
import { fieldsOf, isFields, numberOf } from "../json-lines";
import { createPlainReader } from "../plain-reader";
import { formatBytes, percentageOf } from "../progress-text";
import { isAtLeast } from "../versions";
import { errorLine, signs } from "./errors";

export function createReader(): Reader {
  return createPlainReader(createDiagnostics(signs, errorLine));
}

/** A run says nothing of its progress, but `pgbackrest info` beside it does. */
export const poll: Poll = {
  everySeconds: 10,
  args: (invocation, version) => [
    "info",
    ...(isAtLeast(version, [2, 48]) ? ["--output=json"] : []),
    ...sharedOptions(invocation),
  ],
  read: (output) => (/^\s*\[/.test(output) ? readJson(output) : readText(output)),
};

const shared = /^--(config|config-path|config-include-path|stanza|lock-path|repo|repo\d+-.+)$/;
/** Options of a repository that `info` refuses. */
const ofBackupsOnly = /-(retention|bundle|block|hardlink|symlink)/;

/** The options that lead to the same stanza and repository. */
function sharedOptions({ args }: Invocation): string[] {
  return args.flatMap((arg, at) => {
    const [name = ""] = arg.split("=");
    if (!shared.test(name) || ofBackupsOnly.test(name)) return [];
    const next = args[at + 1];
    return arg.includes("=") || next === undefined || next.startsWith("-") ? [arg] : [arg, next];
  });
}

/** From 2.48: how many bytes are done. */
function readJson(output: string): Progress | undefined {
  const stanzas = parseArray(output);
  for (const stanza of stanzas.filter(isFields)) {
    const lock = fieldsOf(fieldsOf(stanza, "status") ?? {}, "lock") ?? {};
    for (const held of [fieldsOf(lock, "backup"), fieldsOf(lock, "restore")]) {
      const done = numberOf(held ?? {}, "size-cplt");
      const total = numberOf(held ?? {}, "size");
      const percentage = percentageOf(done, total);
      if (percentage !== undefined) return { percentage, message: `${formatBytes(done)} of ${formatBytes(total)}` };
    }
  }
  return undefined;
}

function parseArray(output: string): unknown[] {
  try {
    const value: unknown = JSON.parse(output);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

function readText(output: string): Progress | undefined {
  const share = output.match(/(\d+(?:\.\d+)?)% complete/)?.[1];
  return share === undefined ? undefined : { percentage: Math.min(100, Math.floor(Number(share))) };
}
