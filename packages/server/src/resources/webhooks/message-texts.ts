import { cleanLine } from "@holdfast/api/conventions/clean-line";
import { cutText } from "./payload";

/** Urgency of a message. */
export type Weight = "bad" | "worrying" | "good" | "plain";

/** A message for people. All of it but the link may be foreign text. */
export interface Described {
  title: string;
  lines: readonly string[];
  link: string;
  weight: Weight;
}

const maxTitleLength = 150;
const maxTextLength = 500;

/** A title. What is cut off of a long one is of the names: what happened is always said. */
export function titleOf(subject: string, says: string): string {
  const room = maxTitleLength - says.length - 1;
  return `${cleanLine(cutText(subject, room), room)} ${says}`;
}

/** A foreign text on one line, and not too much of it. */
export function oneLine(text: string): string {
  return cleanLine(cutText(text, maxTextLength), maxTextLength);
}
