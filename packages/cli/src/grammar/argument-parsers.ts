import { isEmail } from "@holdfast/api/conventions/email";
import { textLimits } from "@holdfast/api/conventions/text-limits";
import { maxTokenLifeMs } from "@holdfast/server/access/tokens/token-life";
import { InvalidArgumentError } from "commander";

const unitLengths = new Map([
  ["s", 1000],
  ["m", 60_000],
  ["h", 3_600_000],
  ["d", 86_400_000],
  ["w", 604_800_000],
]);

/** A name for people to read. Only what is plainly none is refused here: the service knows the whole rule. */
export function parseName(text: string): string {
  const name = text.trim();
  if (name === "" || [...name].length > textLimits.name || /[\n\r]/.test(name)) {
    throw new InvalidArgumentError(`It has to be 1 to ${textLimits.name} characters on one line.`);
  }
  return name;
}

export function parseEmail(text: string): string {
  if (!isEmail(text)) throw new InvalidArgumentError("Write an address such as ada@example.org.");
  return text;
}

/** The name or the id of a role; the database decides whether that role exists. */
export function parseRole(text: string): string {
  if (text.trim() === "") throw new InvalidArgumentError("Write a role's name or id, such as viewer.");
  return text.trim();
}

/** By so much the clock of the service may be behind ours, in milliseconds: it refuses a longer life than two years by its own. */
const clockSkew = 60_000;

/** When a token expires that lives for so many milliseconds from now on. */
export function expiryIn(life: number): string {
  return new Date(Date.now() + Math.min(life, maxTokenLifeMs - clockSkew)).toISOString();
}

/** Reads the lifetime of a token, in milliseconds. */
export function parseLife(text: string): number {
  const [, digits = "", unit = ""] = /^([0-9]{1,9})([smhd])$/.exec(text) ?? [];
  const life = Number(digits) * (unitLengths.get(unit) ?? 0);
  if (life < 1000 || life > maxTokenLifeMs) {
    throw new InvalidArgumentError("Write a number and s, m, h or d, such as 30d, and at most two years (730d).");
  }
  return life;
}

/** A whole number within bounds. */
export function parseWhole(low: number, high: number): (text: string) => number {
  return (text) => {
    const number = /^[0-9]{1,16}$/.test(text) ? Number(text) : Number.NaN;
    if (!(number >= low && number <= high)) {
      throw new InvalidArgumentError(`Write a whole number from ${low} to ${high}.`);
    }
    return number;
  };
}

/** The words that a parser takes, for completion. */
const words = new WeakMap<object, readonly string[]>();

/** The words that can follow an option, as far as its parser knows them. */
export function wordsOf(parser: object | undefined): readonly string[] {
  return (parser && words.get(parser)) ?? [];
}

/** Notes the words that a parser takes. */
export function taking<Parser extends object>(known: readonly string[] | undefined, parser: Parser): Parser {
  if (known) words.set(parser, known);
  return parser;
}

/** A list of words with commas between them: all of them known, where the words are given. */
export function parseWords(known?: readonly string[]): (text: string) => string[] {
  return taking(known, (text) => {
    const given = text
      .split(",")
      .map((word) => word.trim())
      .filter((word) => word !== "");
    const unknown = given.filter((word) => known && !known.includes(word));
    if (given.length === 0 || unknown.length > 0) {
      const choice = known ? `Write one or more of ${known.join(", ")}` : "Write one or more words";
      throw new InvalidArgumentError(`${choice}, with commas between them.`);
    }
    return given;
  });
}

/** One of several words. */
export function parseChoice<Word extends string>(known: readonly Word[]): (text: string) => Word {
  return taking(known, (text) => {
    const word = known.find((one) => one === text);
    if (word === undefined) throw new InvalidArgumentError(`Write one of ${known.join(", ")}.`);
    return word;
  });
}

/** One JSON value. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidArgumentError("Write one JSON value.");
  }
}

/** A length of time in milliseconds, such as 90m. */
export function parseDuration(text: string): number {
  const [, digits = "", unit = ""] = /^([0-9]{1,9})([smhdw])$/.exec(text) ?? [];
  const length = Number(digits) * (unitLengths.get(unit) ?? 0);
  if (length <= 0) throw new InvalidArgumentError("Write a number and s, m, h, d or w, such as 90m.");
  return length;
}

/** A moment, written as a timestamp, a day, or how long ago it was: 24h. */
export function parsePast(text: string): string {
  return momentIn(text, -1);
}

/** A moment to come, written as a timestamp, a day, or how soon it is: 7d. */
export function parseFuture(text: string): string {
  return momentIn(text, 1);
}

function momentIn(text: string, direction: 1 | -1): string {
  if (/^[0-9]{1,9}[smhdw]$/.test(text)) return new Date(Date.now() + direction * parseDuration(text)).toISOString();
  const moment = /^\d{4}-\d\d-\d\d(T\S+)?$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(moment)) {
    throw new InvalidArgumentError("Write a timestamp such as 2026-11-01T00:00:00Z, a day, or a length such as 24h.");
  }
  return new Date(moment).toISOString();
}

/** Reads the number of items to list. */
export function parseLimit(text: string): number | "all" {
  return text === "all" ? "all" : parseWhole(1, 1_000_000_000)(text);
}
