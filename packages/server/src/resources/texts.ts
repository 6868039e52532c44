import { type Fault, refuseAll } from "@holdfast/api/conventions/api-error";

const breaks = /[\p{Cc}\u2028\u2029]/gu;
/**
 * What cannot be seen, or turns the text around it: with it, a name can be made to look like another. Joiners and variation
 * selectors are a part of some scripts and of emoji, but of nothing that is written in ASCII.
 */
const unseen =
  /(?!\u200c|\u200d|[\ufe00-\ufe0f])\p{Default_Ignorable_Code_Point}|\p{Bidi_Control}|(?<!\P{ASCII})(?:\u200c|\u200d|[\ufe00-\ufe0e])|(?:\u200c|\u200d)(?!\P{ASCII})|(?<!\p{Emoji})\ufe0f/gu;

/** Says what a text that is shown on one line has to be, where it is not that. */
export function lineFault(text: string, longest: number): string | undefined {
  const line = text.length > 8 * longest ? "" : composed(text);
  const isOne = line !== "" && [...line].length <= longest && line.search(breaks) < 0 && line.isWellFormed();
  if (!isOne) return `1 to ${longest} characters on one line`;
  return line.search(unseen) < 0 ? undefined : "free of characters that cannot be seen or turn text around";
}

/** A text without the space around it, and in one spelling: what looks alike is alike. */
export function composed(text: string): string {
  return text.normalize("NFC").trim();
}

/** As much of a text from elsewhere as can be shown on one line; it may be nothing. */
export function cleanLine(text: string, longest: number): string {
  const start = text.slice(0, 8 * longest).toWellFormed();
  const line = [...withoutUnseen(composed(start.replace(breaks, " ")))].slice(0, longest).join("");
  return composed(withoutUnseen(line));
}

/** What is taken out may have been what made its neighbour a part of the script. */
function withoutUnseen(text: string): string {
  const less = text.replace(unseen, " ");
  return less === text ? text : withoutUnseen(less);
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
