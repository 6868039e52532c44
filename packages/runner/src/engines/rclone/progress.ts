import { hasOption } from "../arguments";
import { createDiagnostics, type Diagnostics } from "../diagnostics";
import type { Addition, Invocation, Progress, Reader, ReaderRequest } from "../engine";
import { fieldsOf, type JsonFields, numberOf, openingBrace, parseJsonLine, textOf } from "../json-lines";
import { createLineReader, type HeldLineResult } from "../lines";
import { createSilentStream } from "../plain-reader";
import { formatBytes, percentageOf, plural } from "../progress-text";
import { errorLine, signs } from "./errors";
import { isCopy, parseRclone } from "./recognise";

/** Options that change the log, or show statistics that would be taken for ours. */
const against =
  /^--(stats.*|progress|verbose|quiet|log-.*|syslog.*|use-json-log|dry-run|interactive|help)$|^-[Pvqnih]$/;
const againstVariables = /^RCLONE_(STATS.*|PROGRESS.*|VERBOSE|QUIET|LOG_.*|SYSLOG.*|USE_JSON_LOG|DRY_RUN|INTERACTIVE)$/;

export function additions({ args, environment }: Invocation): Addition | undefined {
  const parsed = parseRclone(args);
  const command = parsed.operands[0];
  if (command === undefined || !isCopy(command.value)) return undefined;
  const hasVariable = Object.entries(environment).some(([name, value]) => value && againstVariables.test(name));
  if (hasVariable || hasOption(parsed, ...[...parsed.options.keys()].filter((name) => against.test(name))))
    return undefined;
  return {
    flags: ["--use-json-log", "--stats=5s", "--stats-log-level=NOTICE"],
    at: command.at + 1,
    environment: {},
    isExact: true,
  };
}

export function createReader({ hasAdditions }: ReaderRequest): Reader {
  const diagnostics = createDiagnostics(signs, errorLine);
  const stderr = createLineReader({
    isHeld: (first) => first === openingBrace,
    turn(line) {
      const fields = parseJsonLine(line);
      const turned = fields === undefined ? undefined : turn(fields, diagnostics);
      if (turned === undefined) diagnostics.note(line);
      if (turned === undefined) return {};
      return hasAdditions ? turned : { ...turned, log: turned.passthrough ?? line, passthrough: line };
    },
    notice(line) {
      diagnostics.note(line);
      return undefined;
    },
  });
  return { stdout: createSilentStream(), stderr, diagnostics };
}

/** The line that rclone writes without `--use-json-log`; nothing for its statistics. */
function turn(fields: JsonFields, diagnostics: Diagnostics): HeldLineResult | undefined {
  const stats = fieldsOf(fields, "stats");
  if (stats !== undefined) return { passthrough: "", progress: progressOf(stats, diagnostics) };
  const message = textOf(fields, "msg");
  const time = textOf(fields, "time")?.match(/^(\d{4})-(\d\d)-(\d\d)T(\d\d:\d\d:\d\d)/);
  const level = textOf(fields, "level");
  if (message === undefined || level === undefined || !time) return undefined;
  const object = textOf(fields, "object");
  const [, year, month, day, clock] = time;
  // JSON has a warning where text has a notice; no other line is a warning.
  const name = (level === "warning" ? "notice" : level).toUpperCase().padEnd(6);
  const text = `${year}/${month}/${day} ${clock} ${name}: ${object === undefined || object === "" ? "" : `${object}: `}${message}`;
  if (level !== "warning" && level !== "notice" && level !== "info" && level !== "debug") diagnostics.note(text);
  return { passthrough: text.endsWith("\n") ? text : `${text}\n` };
}

function progressOf(stats: JsonFields, diagnostics: Diagnostics): Progress {
  const bytes = numberOf(stats, "bytes");
  const total = numberOf(stats, "totalBytes");
  const errors = numberOf(stats, "errors");
  const message = [
    plural(numberOf(stats, "transfers"), "file"),
    `${formatBytes(bytes)} of ${formatBytes(total)}`,
    ...(errors > 0 ? [plural(errors, "error")] : []),
  ].join(", ");
  const percentage = percentageOf(bytes, total);
  diagnostics.summary = message;
  return { ...(percentage === undefined ? {} : { percentage }), message };
}
