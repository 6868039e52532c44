import { visible } from "../terminal/visible";
import { shortened, widthOf } from "../terminal/width";

/** Maximum length of an argument that a message repeats, in columns of a terminal. */
const maxEchoWidth = 80;

/** Cuts the arguments of a command that a message repeats: a long one would bury what the message says. */
export function shortenEchoes(message: string, args: readonly string[]): string {
  const values = args.flatMap((arg) => [arg, arg.replace(/^--?[\w-]+=/, "")]);
  const echoes = values.flatMap((value) => [
    visible(value.replace(/\s*[\n\r]+\s*/g, " ").trim()),
    visible(JSON.stringify(value).slice(1, -1)),
  ]);
  return [...new Set(echoes)]
    .filter((echo) => widthOf(echo) > maxEchoWidth)
    .reduce((text, echo) => text.replaceAll(echo, () => shortened(echo, maxEchoWidth)), message);
}
