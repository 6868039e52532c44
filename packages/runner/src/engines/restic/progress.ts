import { hasOption } from "../arguments";
import { createDiagnostics, type Diagnostics } from "../diagnostics";
import type { Addition, Circumstances, Invocation, Progress, Reader, ReaderRequest } from "../engine";
import { fieldsOf, type JsonFields, numberOf, openingBrace, parseJsonLine, textOf } from "../json-lines";
import { createLineReader, type HeldLineResult } from "../lines";
import { formatBytes, plural } from "../progress-text";
import { isAtLeast } from "../versions";
import { errorLine, signs } from "./errors";
import { parseRestic } from "./recognise";

/** `--json` replaces what restic writes for people, so it is never exact. */
export function additions({ args, environment }: Invocation, { version }: Circumstances): Addition | undefined {
  const parsed = parseRestic(args);
  const command = parsed.operands[0];
  const hasProgress = command?.value === "backup" || (command?.value === "restore" && isAtLeast(version, [0, 17]));
  if (!hasProgress || hasOption(parsed, "--json", "--quiet", "-q", "--verbose", "-v", "--help", "-h")) return undefined;
  return {
    flags: ["--json"],
    at: command.at + 1,
    // Ten lines a second otherwise.
    environment: environment.RESTIC_PROGRESS_FPS === undefined ? { RESTIC_PROGRESS_FPS: "0.5" } : {},
    isExact: false,
  };
}

/** JSON that we asked for becomes text; JSON that the user asked for is read in passing. */
export function createReader({ hasAdditions }: ReaderRequest): Reader {
  const diagnostics = createDiagnostics(signs, errorLine);
  const stream = (notice: (line: string) => void) =>
    createLineReader({
      isHeld: (first) => first === openingBrace,
      turn(line) {
        const fields = parseJsonLine(line);
        const turned = fields === undefined ? undefined : turn(fields, diagnostics);
        if (turned === undefined) notice(line);
        const { text = line, progress } = turned ?? {};
        return hasAdditions ? { passthrough: text, progress } : { log: text, passthrough: line, progress };
      },
      notice(line) {
        notice(line);
        return undefined;
      },
    });
  return { stdout: stream(() => undefined), stderr: stream(diagnostics.note), diagnostics };
}

interface Text extends Pick<HeldLineResult, "progress"> {
  text: string;
}

/** Translates a message of restic into the text it would have printed. */
function turn(fields: JsonFields, diagnostics: Diagnostics): Text | undefined {
  switch (fields.message_type) {
    case "status":
      return { text: "", progress: statusOf(fields) };
    case "summary":
      return summarise(fields, diagnostics);
    case "error":
      return noted(`error: ${describeError(fields)}`, diagnostics);
    case "exit_error":
      return noted(textOf(fields, "message") ?? "", diagnostics);
    case "verbose_status":
      return { text: `${textOf(fields, "action") ?? ""} ${textOf(fields, "item") ?? ""}\n` };
    default:
      return undefined;
  }
}

function noted(line: string, diagnostics: Diagnostics): Text {
  diagnostics.note(line);
  return { text: `${line}\n` };
}

function statusOf(fields: JsonFields): Progress {
  const errors = numberOf(fields, "error_count");
  const done = numberOf(fields, "bytes_done") || numberOf(fields, "bytes_restored");
  const files = numberOf(fields, "files_done") || numberOf(fields, "files_restored");
  const parts = [
    plural(files, "file"),
    `${formatBytes(done)} of ${formatBytes(numberOf(fields, "total_bytes"))}`,
    ...(errors > 0 ? [plural(errors, "error")] : []),
  ];
  // 0.99999 may stand for minutes while data is sent: that is not all of it.
  const percentage = Math.max(0, Math.min(100, Math.floor(numberOf(fields, "percent_done") * 100)));
  return { percentage, message: parts.join(", ") };
}

function summarise(fields: JsonFields, diagnostics: Diagnostics): Text {
  const id = textOf(fields, "snapshot_id");
  const isRestore = id === undefined && "files_restored" in fields;
  const lines = isRestore
    ? [
        `restored ${plural(numberOf(fields, "files_restored"), "file")}, ${formatBytes(numberOf(fields, "bytes_restored"))}`,
      ]
    : [
        `Files: ${counts(fields, "files")}`,
        `Dirs: ${counts(fields, "dirs")}`,
        `Added to the repository: ${formatBytes(numberOf(fields, "data_added"))}`,
        `processed ${plural(numberOf(fields, "total_files_processed"), "file")}, ${formatBytes(numberOf(fields, "total_bytes_processed"))}`,
        ...(id === undefined ? [] : [`snapshot ${id} saved`]),
      ];
  diagnostics.summary = (isRestore ? lines : [lines[3], lines[2], lines[4]])
    .filter((line) => line !== undefined)
    .join(", ")
    .slice(0, 200);
  return { text: `${lines.join("\n")}\n`, progress: { message: diagnostics.summary } };
}

function counts(fields: JsonFields, what: string): string {
  return ["new", "changed", "unmodified"].map((kind) => `${numberOf(fields, `${what}_${kind}`)} ${kind}`).join(", ");
}

/** Before 0.15 an error has a system call, a path and a number. */
function describeError(fields: JsonFields): string {
  const error = fieldsOf(fields, "error") ?? {};
  const message = textOf(error, "message");
  if (message !== undefined) return message;
  const reason = numberOf(error, "Err") === 13 ? "permission denied" : `error ${numberOf(error, "Err")}`;
  return `${textOf(error, "Op") ?? "read"} ${textOf(error, "Path") ?? textOf(fields, "item") ?? ""}: ${reason}`;
}
