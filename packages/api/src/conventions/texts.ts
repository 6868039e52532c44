import { type Fault, quote, refuseAll } from "./api-error";
import { lineExpectation } from "./body-fields";
import { compose, marksExpectation, withoutHeaps } from "./compose";
import type { JsonPath } from "./inspect-json";
import { jsonPointer } from "./json-pointer";
import { rawLineLength } from "./text-limits";

const breaks = /[\p{Cc}\u2028\u2029]/gu;
/**
 * What cannot be seen, or turns the text around it: with it, a name can be made to look like another. Joiners and variation
 * selectors are a part of some scripts and of emoji, but of nothing that is written in ASCII.
 */
const unseen =
  /(?!\u200c|\u200d|[\ufe00-\ufe0f])\p{Default_Ignorable_Code_Point}|\p{Bidi_Control}|(?<!\P{ASCII})(?:\u200c|\u200d|[\ufe00-\ufe0e])|(?:\u200c|\u200d)(?!\P{ASCII})|(?<!\p{Emoji})\ufe0f/gu;

/** A text as it is stored, or what it would have to be. */
type ReadLine = { line: string; fault?: undefined } | { fault: string };

/** Reads a text that is shown on one line: trimmed, in one spelling, of at most so many characters. */
export function readLine(text: string, longest: number): ReadLine {
  if (text.length > rawLineLength(longest)) return { fault: lineExpectation(longest) };
  const line = compose(text, rawLineLength(longest))?.trim();
  if (line === undefined) return { fault: marksExpectation };
  const isOne = line !== "" && [...line].length <= longest && line.search(breaks) < 0 && line.isWellFormed();
  if (!isOne) return { fault: lineExpectation(longest) };
  const isSeen = line.search(unseen) < 0;
  return isSeen ? { line } : { fault: "free of characters that cannot be seen or turn text around" };
}

/** As much of a text from elsewhere as can be shown on one line; it may be nothing. */
export function cleanLine(text: string, longest: number): string {
  const most = rawLineLength(longest);
  const composed = (part: string) => compose(withoutHeaps(part), most)?.trim() ?? "";
  const start = text.slice(0, most).toWellFormed();
  const line = [...withoutUnseen(composed(start.replace(breaks, " ")))].slice(0, longest).join("");
  return composed(withoutUnseen(line));
}

/** What is taken out may have been what made its neighbour a part of the script. */
function withoutUnseen(text: string): string {
  const less = text.replace(unseen, " ");
  return less === text ? text : withoutUnseen(less);
}

/** Collects the errors in the fields of a body, so that one response lists all of them. */
export class FieldChecks {
  readonly #faults: Fault[] = [];

  /** A text that is shown on one line: trimmed, in one spelling, of a bounded length. */
  line(field: string | JsonPath, text: string, longest: number): string {
    const read = readLine(text, longest);
    if (read.fault === undefined) return read.line;
    this.fail(field, read.fault);
    return "";
  }

  /** Notes that a field is wrong, one of the body or one further inside; the expectation follows "has to be". */
  fail(field: string | JsonPath, expectation: string): void {
    const path = typeof field === "string" ? [field] : field;
    this.#faults.push({
      name: "bodyInvalid",
      message: `The field ${quote(path.join("."))} has to be ${expectation}.`,
      field: jsonPointer(path),
    });
  }

  /** Notes that a field is wrong, with a sentence that says all of it. */
  refuse(path: JsonPath, message: string): void {
    this.#faults.push({ name: "bodyInvalid", message, field: jsonPointer(path) });
  }

  /** Notes a field that does not exist. */
  unknown(path: JsonPath): void {
    this.#faults.push({
      name: "bodyInvalid",
      message: `There is no field ${quote(path.join("."))}. Leave it out.`,
      field: jsonPointer(path),
    });
  }

  /** Refuses with everything that was found to be wrong. */
  finish(): void {
    refuseAll(this.#faults);
  }
}
