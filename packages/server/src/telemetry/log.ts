import type { LogLevel } from "../settings/declarations";

/** Fields of a log line. A field that is not named here cannot be logged, so that no secret slips in. */
export interface LogFields {
  request_id?: string | undefined;
  method?: string | undefined;
  path?: string | undefined;
  operation?: string | undefined;
  status?: number | undefined;
  duration_ms?: number | undefined;
  caller?: string | undefined;
  organizational_unit_id?: string | undefined;
  peer?: string | undefined;
  /** A monitor by its slug, which is no secret: its ping URL has another id. */
  monitor?: string | undefined;
  /** Number of refused requests. */
  refused?: number | undefined;
  incident?: string | undefined;
  error?: string | undefined;
  detail?: string | undefined;
}

export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** Writes out what is still held back. */
  flush(): void;
}

export interface LogOutput {
  write(text: string): void;
  isTerminal: boolean;
  /** Number of bytes that it takes whole, so that the lines of several processes do not mix; those of a pipe where it is not said. */
  takesWhole?: number;
}

type Level = Exclude<LogLevel, "silent">;

const severities: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3, silent: 4 };
const colours: Record<Level, string> = {
  debug: "\u001b[90m",
  info: "\u001b[32m",
  warn: "\u001b[33m",
  error: "\u001b[31m",
};
/** Number of bytes that a pipe takes whole or not at all. */
const takenByPipe = 4096;
const heldBackFor = 50;

/** Makes a log: one line per event, for people on a terminal and JSON otherwise. */
export function createLog({ level, output, clock }: { level: LogLevel; output: LogOutput; clock: () => number }): Log {
  const { takesWhole = takenByPipe } = output;
  let pending = "";
  let last = { at: Number.NaN, text: "" };
  let timer: ReturnType<typeof setTimeout> | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (pending !== "") output.write(pending);
    pending = "";
  }

  /** A busy service writes several lines in a millisecond. */
  function timeText(at: number): string {
    if (at !== last.at) last = { at, text: new Date(at).toISOString() };
    return last.text;
  }

  function write(at: Level, message: string, fields: LogFields): void {
    if (severities[at] < severities[level]) return;
    const time = timeText(clock());
    const line = `${output.isTerminal ? prettyLine(time, at, message, fields) : jsonLine(time, at, message, fields)}\n`;
    if (pending.length + line.length > takesWhole) flush();
    pending += line;
    // Writing many lines at once is what keeps a busy service's log cheap; what matters is written at once.
    if (severities[at] >= severities.warn) flush();
    else timer ??= setTimeout(flush, heldBackFor);
  }

  return {
    debug: (message, fields = {}) => write("debug", message, fields),
    info: (message, fields = {}) => write("info", message, fields),
    warn: (message, fields = {}) => write("warn", message, fields),
    error: (message, fields = {}) => write("error", message, fields),
    flush,
  };
}

/** Puts the fields behind what each line has, without making one object of both. */
function jsonLine(time: string, level: Level, message: string, fields: LogFields): string {
  const rest = JSON.stringify(fields);
  const comma = rest === "{}" ? "" : ",";
  return `{"time":"${time}","level":"${level}","message":${JSON.stringify(message)}${comma}${rest.slice(1)}`;
}

function prettyLine(time: string, level: Level, message: string, fields: LogFields): string {
  const { method, path, status, duration_ms, ...others } = fields;
  const request =
    method === undefined ? "" : ` ${method} ${printable(path ?? "")} ${status ?? ""} ${duration_ms ?? ""}ms`;
  const rest = Object.entries(others)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}=${printable(String(value))}`);
  return `${time.slice(11, 23)} ${colours[level]}${level.padEnd(5)}\u001b[0m ${printable(message)}${request}\u001b[90m${rest.join("")}\u001b[0m`;
}

/** Text from outside must not be able to move a terminal's cursor or to add a line. */
function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`);
}
