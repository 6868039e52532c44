import { compose, withoutHeaps } from "./compose";
import { rawLineLength } from "./text-limits";

/** Ends of lines, and what a terminal would take for commands. */
export const breaks = /[\p{Cc}\u2028\u2029]/gu;
/**
 * Characters that cannot be seen, or turn the text around it: with it, a name can be made to look like another. Joiners and variation
 * selectors are a part of some scripts and of emoji, but of nothing that is written in ASCII.
 */
export const unseen =
  /(?!\u200c|\u200d|[\ufe00-\ufe0f])\p{Default_Ignorable_Code_Point}|\p{Bidi_Control}|(?<!\P{ASCII})(?:\u200c|\u200d|[\ufe00-\ufe0e])|(?:\u200c|\u200d)(?!\P{ASCII})|(?<!\p{Emoji})\ufe0f/gu;

/** As much of a text from elsewhere as can be shown on one line; it may be nothing. */
export function cleanLine(text: string, maxLength: number): string {
  const max = rawLineLength(maxLength);
  const composed = (part: string) => compose(withoutHeaps(part), max)?.trim() ?? "";
  const start = text.slice(0, max).toWellFormed();
  const line = [...withoutUnseen(composed(start.replace(breaks, " ")))].slice(0, maxLength).join("");
  return composed(withoutUnseen(line));
}

/** Repeats the removal: a character that was removed may have made its neighbour a part of the script. */
function withoutUnseen(text: string): string {
  const less = text.replace(unseen, " ");
  return less === text ? text : withoutUnseen(less);
}
