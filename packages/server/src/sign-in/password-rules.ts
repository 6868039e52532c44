import { passwordExpectation } from "@holdfast/api/conventions/body-fields";
import { compose, marksExpectation } from "@holdfast/api/conventions/compose";
import { rawPasswordLength, textLimits } from "@holdfast/api/conventions/text-limits";
import { commonParts } from "./common-passwords";

/** Whose password it is to be. */
export interface PasswordOwner {
  email: string;
  fullName: string;
}

/** A password is at least so long, in characters. */
export const shortestPassword = textLimits.passwordCharacters;
const fewestCharacters = 5;
const mostCommonParts = 2;
/** Nobody guesses longer ones. */
const longestGuessed = 64;
/** A part of a name or an address that is shorter says nothing. */
const shortestOwnPart = 3;
/** Signs that often stand for a letter. */
const standIns: Record<string, string> = {
  "0": "o",
  "1": "il",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "8": "b",
  "9": "g",
  "@": "a",
  $: "s",
  "!": "il",
  "+": "t",
  "€": "e",
};

/** What a new password would have to be, if it cannot be taken; follows "has to be". */
export function passwordFault(password: string, owner: PasswordOwner): string | undefined {
  if (password.length > rawPasswordLength) return passwordExpectation;
  const text = compose(password, rawPasswordLength);
  if (text === undefined) return marksExpectation;
  if ([...text].length < shortestPassword) return `${shortestPassword} characters or more`;
  if (Buffer.byteLength(text) > textLimits.passwordBytes) return passwordExpectation;
  if (!text.isWellFormed()) return "whole characters";
  if (isEasy(text.toLowerCase(), ownParts(owner))) {
    return "harder to guess: not a common password, and not made of your name or address";
  }
  return undefined;
}

function isEasy(text: string, own: readonly string[]): boolean {
  if (new Set(text).size < fewestCharacters) return true;
  const guessed = guessedPart(text);
  return guessed !== undefined && countCommonParts(guessed, own) <= mostCommonParts;
}

function ownParts({ email, fullName }: PasswordOwner): string[] {
  const whole = `${email} ${fullName}`.toLowerCase();
  const parts = [email.toLowerCase(), email.toLowerCase().split("@")[0] ?? "", ...whole.split(/[^\p{L}\p{N}]+/u)];
  return parts.filter((part) => part.length >= shortestOwnPart);
}

/** What would have to be guessed: the part that a text repeats over and over, or all of it. Nothing where that is long. */
function guessedPart(text: string): string | undefined {
  for (let period = 1; period <= Math.min(longestGuessed, text.length / 2); period++) {
    const part = text.slice(0, period);
    if (part.repeat(Math.ceil(text.length / period)).startsWith(text)) return part;
  }
  return text.length <= longestGuessed ? text : undefined;
}

/** With how few common parts a text can be put together, beside digits, signs and the owner's own; else infinity. */
function countCommonParts(text: string, own: readonly string[]): number {
  const fewest = Array<number>(text.length + 1).fill(Number.POSITIVE_INFINITY);
  fewest[0] = 0;
  for (let at = 0; at < text.length; at++) {
    const count = fewest[at] ?? Number.POSITIVE_INFINITY;
    if (count > mostCommonParts) continue;
    const reach = (end: number, cost: number) => {
      fewest[end] = Math.min(fewest[end] ?? Number.POSITIVE_INFINITY, cost);
    };
    if (/[!-@[-`{-~ ]/.test(text[at] ?? "")) reach(at + 1, count);
    for (const part of own) if (standsAt(text, at, part)) reach(at + part.length, count);
    for (const part of commonParts) if (standsAt(text, at, part)) reach(at + part.length, count + 1);
  }
  return fewest[text.length] ?? Number.POSITIVE_INFINITY;
}

function standsAt(text: string, at: number, part: string): boolean {
  if (at + part.length > text.length) return false;
  for (let index = 0; index < part.length; index++) {
    const [given = "", wanted = ""] = [text[at + index], part[index]];
    if (given !== wanted && !standIns[given]?.includes(wanted)) return false;
  }
  return true;
}
