/** Meaning of a text. Colours only repeat what the words say. */
export type Tone = "good" | "bad" | "warning" | "quiet" | "strong" | "active";

/** Where something is written: standard output or error in a command, anything alike in a test. */
export interface TerminalStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export type Paint = (text: string, tone: Tone | undefined) => string;

const codes: Record<Tone, string> = { good: "32", bad: "31", warning: "33", quiet: "2", strong: "1", active: "36" };

/** Makes what colours text: on a terminal that shows colours, unless NO_COLOR says that there are to be none. */
export function createPaint(stream: TerminalStream, environment: Record<string, string | undefined>): Paint {
  const isPlain = stream.isTTY !== true || (environment.NO_COLOR ?? "") !== "" || environment.TERM === "dumb";
  if (isPlain) return (text) => text;
  return (text, tone) => (tone === undefined || text === "" ? text : `\x1b[${codes[tone]}m${text}\x1b[0m`);
}
