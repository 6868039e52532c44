import { type Fault, quote, refuseAll } from "./api-error";
import { lineExpectation } from "./body-fields";
import { breaks, unseen } from "./clean-line";
import { compose, marksExpectation } from "./compose";
import type { JsonPath } from "./inspect-json";
import { jsonPointer } from "./json-pointer";
import { rawLineLength } from "./text-limits";

/** A text as it is stored, or what it would have to be. */
type ReadLine = { line: string; fault?: undefined } | { fault: string };

/** Reads a text that is shown on one line: trimmed, in one spelling, of at most so many characters. */
export function readLine(text: string, maxLength: number): ReadLine {
  if (text.length > rawLineLength(maxLength)) return { fault: lineExpectation(maxLength) };
  const line = compose(text, rawLineLength(maxLength))?.trim();
  if (line === undefined) return { fault: marksExpectation };
  const isOne = line !== "" && [...line].length <= maxLength && line.search(breaks) < 0 && line.isWellFormed();
  if (!isOne) return { fault: lineExpectation(maxLength) };
  const isSeen = line.search(unseen) < 0;
  return isSeen ? { line } : { fault: "free of characters that cannot be seen or turn text around" };
}

/** Collects the errors in the fields of a body, so that one response lists all of them. */
export class FieldChecks {
  readonly #faults: Fault[] = [];

  /** A text that is shown on one line: trimmed, in one spelling, of a bounded length. */
  line(field: string | JsonPath, text: string, maxLength: number): string {
    const read = readLine(text, maxLength);
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
