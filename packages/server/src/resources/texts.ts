import { type Fault, refuseAll } from "@holdfast/api/conventions/api-error";

const breaks = /[\p{Cc}\u2028\u2029]/u;
/** What turns the text around it, and cannot be seen itself: with it, a name can be made to look like another. */
const turns = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** Says what a text that is shown on one line has to be, where it is not that. */
export function lineFault(text: string, longest: number): string | undefined {
  if (turns.test(text)) return "free of characters that turn text around";
  const length = text.length > 8 * longest ? text.length : [...composed(text)].length;
  const isOne = length > 0 && length <= longest && !breaks.test(composed(text)) && text.isWellFormed();
  return isOne ? undefined : `1 to ${longest} characters on one line`;
}

/** A text without the space around it, and in one spelling: what looks alike is alike. */
export function composed(text: string): string {
  return text.normalize("NFC").trim();
}

/** Gathers what is wrong with the fields of a body, so that all of it is told at once. */
export class FieldChecks {
  readonly #faults: Fault[] = [];

  /** A text that is shown on one line: trimmed, in one spelling, of a bounded length. */
  line(field: string, text: string, longest: number): string {
    const fault = lineFault(text, longest);
    if (fault !== undefined) this.fail(field, fault);
    return composed(text);
  }

  /** Notes that a field is wrong; the expectation follows "has to be". */
  fail(field: string, expectation: string): void {
    this.#faults.push({ name: "bodyInvalid", message: `The field "${field}" has to be ${expectation}.` });
  }

  /** Refuses with everything that was found to be wrong. */
  finish(): void {
    refuseAll(this.#faults);
  }
}
