import { isEmail } from "@holdfast/api/conventions/email";
import { textLimits } from "@holdfast/api/conventions/text-limits";
import { readLine } from "@holdfast/api/conventions/texts";
import { parseUuid } from "@holdfast/api/conventions/uuid";
import { longestTokenLife } from "@holdfast/server/access/tokens/token-life";
import { InvalidArgumentError } from "commander";

const unitLengths = new Map([
  ["s", 1000],
  ["m", 60_000],
  ["h", 3_600_000],
  ["d", 86_400_000],
]);

/** A name for people to read. */
export function parseName(text: string): string {
  const read = readLine(text, textLimits.name);
  if (read.fault !== undefined) throw new InvalidArgumentError(`It has to be ${read.fault}.`);
  return read.line;
}

export function parseEmail(text: string): string {
  if (!isEmail(text)) throw new InvalidArgumentError("Write an address such as ada@example.org.");
  return text;
}

/** The id of a unit, a user or a token, in any letter case. */
export function parseId(text: string): string {
  const id = parseUuid(text);
  if (id === undefined) throw new InvalidArgumentError(`Write an id such as ${exampleId}.`);
  return id;
}

const exampleId = "3f2b8c1e-5d4a-4e6f-9a7b-0c1d2e3f4a5b";

/** The name or the id of a role; the database decides whether that role exists. */
export function parseRole(text: string): string {
  if (text.trim() === "") throw new InvalidArgumentError("Write a role's name or id, such as viewer.");
  return text.trim();
}

/** How long a token lives, in milliseconds. */
export function parseLife(text: string): number {
  const [, digits = "", unit = ""] = /^([0-9]{1,9})([smhd])$/.exec(text) ?? [];
  const life = Number(digits) * (unitLengths.get(unit) ?? 0);
  if (life < 1000 || life > longestTokenLife) {
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
