import { hasOption } from "../arguments";
import { createDiagnostics, type Diagnostics } from "../diagnostics";
import type { Addition, Circumstances, Invocation, Progress, Reader, ReaderRequest } from "../engine";
import { type JsonFields, numberOf, openingBrace, parseJsonLine, textOf } from "../json-lines";
import { createLineReader, type HeldLineResult } from "../lines";
import { writesUtf8 } from "../locale";
import { createSilentStream } from "../plain-reader";
import { formatBytes, percentageOf, plural } from "../progress-text";
import { errorLine, messageIds, signs } from "./errors";
import { parseBorg } from "./recognise";

const flags = ["--log-json", "--progress"];
const withProgress = new Set("create extract check compact prune delete recreate export-tar import-tar".split(" "));

export function additions({ args, environment }: Invocation, { stdinIsTerminal }: Circumstances): Addition | undefined {
  const parsed = parseBorg(args);
  const command = parsed.operands[0];
  if (command === undefined || !withProgress.has(command.value)) return undefined;
  const isAgainst = hasOption(
    parsed,
    ...["--log-json", "--progress", "-p", "--debug", "--debug-topic", "--json", "--json-lines", "--help", "-h"],
  );
  // Questions are asked as JSON with our flags; in another encoding the text could not be turned back.
  if (isAgainst || stdinIsTerminal || environment.BORG_LOGGING_CONF || !writesUtf8(environment)) return undefined;
  return { flags, at: command.at + 1, environment: {}, isExact: true };
}

export function createReader({ hasAdditions }: ReaderRequest): Reader {
  const diagnostics = createDiagnostics(signs, errorLine);
  const stderr = createLineReader({
    isHeld: (first) => first === openingBrace,
    turn(line) {
      const fields = parseJsonLine(line);
      const turned = fields === undefined ? undefined : turn(fields, diagnostics);
      if (turned === undefined) {
        noteLine(line, diagnostics);
        return {};
      }
      return hasAdditions ? turned : { ...turned, log: turned.passthrough ?? line, passthrough: line };
    },
    notice(line) {
      noteLine(line, diagnostics);
      return undefined;
    },
  });
  return { stdout: createSilentStream(), stderr, diagnostics };
}

/** A line of `--list` has a path in it that could hold any words. */
function noteLine(line: string, diagnostics: Diagnostics): void {
  if (/^[a-zA-Z?+-] \S/.test(line)) return;
  noteMissing(line, diagnostics);
  diagnostics.note(line);
}

function noteMissing(line: string, diagnostics: Diagnostics): void {
  const path = line.match(/^(.*?): (?:\w+: )?\[Errno 2\]/)?.[1];
  if (path !== undefined) diagnostics.noteMissing(path);
}

/** The text that borg writes without `--log-json`. */
function turn(fields: JsonFields, diagnostics: Diagnostics): HeldLineResult | undefined {
  const message = textOf(fields, "message") ?? "";
  switch (fields.type) {
    case "archive_progress":
      return { passthrough: "", progress: archiveProgress(fields) };
    case "progress_percent":
      return { passthrough: "", progress: percentProgress(fields, message) };
    case "progress_message":
      return { passthrough: "", progress: messageProgress(message) };
    case "file_status":
      return { passthrough: `${textOf(fields, "status") ?? ""} ${plain(textOf(fields, "path") ?? "")}\n` };
    case "log_message":
      // Some commands log their progress, which is not there without --progress.
      if (fields.name === "borg.output.progress") return { passthrough: "", progress: messageProgress(message) };
      noteMessage(fields, message, diagnostics);
      return { passthrough: `${plain(withoutFlags(message))}\n` };
    case "question_prompt":
      return { passthrough: plain(message) };
    default:
      return /^question_/.test(textOf(fields, "type") ?? "") ? { passthrough: `${plain(message)}\n` } : undefined;
  }
}

function noteMessage(fields: JsonFields, message: string, diagnostics: Diagnostics): void {
  const code = messageIds[textOf(fields, "msgid") ?? ""];
  if (code !== undefined) diagnostics.noteCode(code, message);
  // A traceback has many lines, and the last one names the error.
  for (const line of message.split("\n", 200)) {
    noteMissing(line, diagnostics);
    if (textOf(fields, "levelname") !== "INFO" || code !== undefined) diagnostics.note(line);
  }
}

/** Python writes a question mark for half a character: a name that is not UTF-8. */
function plain(text: string): string {
  return text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "?");
}

/** A traceback shows the arguments, ours among them. */
function withoutFlags(message: string): string {
  return message.includes("\nsys.argv: [")
    ? message.replace(`${flags.map((flag) => `'${flag}'`).join(", ")}, `, "")
    : message;
}

function messageProgress(message: string): Progress | undefined {
  return message === "" ? undefined : { message: message.trim().slice(0, 200) };
}

function archiveProgress(fields: JsonFields): Progress | undefined {
  // The first one counts nothing yet, and may be the only one of a short run.
  if (fields.finished === true || numberOf(fields, "nfiles") === 0) return undefined;
  const message = [
    plural(numberOf(fields, "nfiles"), "file"),
    formatBytes(numberOf(fields, "original_size")),
    `${formatBytes(numberOf(fields, "deduplicated_size"))} new`,
  ].join(", ");
  return { message };
}

function percentProgress(fields: JsonFields, message: string): Progress | undefined {
  if (fields.finished === true) return undefined;
  const percentage = percentageOf(numberOf(fields, "current"), numberOf(fields, "total"));
  return {
    ...(percentage === undefined ? {} : { percentage }),
    ...(message === "" ? {} : { message: message.trim().slice(0, 200) }),
  };
}
