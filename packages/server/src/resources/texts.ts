import { type Fault, refuseAll } from "@holdfast/api/conventions/api-error";

/** Gathers what is wrong with the fields of a body, so that all of it is told at once. */
export class FieldChecks {
  readonly #faults: Fault[] = [];

  /** A text that is shown on one line: trimmed, of a bounded length, without control characters. */
  line(field: string, text: string, longest: number): string {
    const trimmed = text.trim();
    if (trimmed === "" || trimmed.length > longest || /\p{Cc}/u.test(trimmed) || !trimmed.isWellFormed()) {
      this.fail(field, `1 to ${longest} characters on one line`);
    }
    return trimmed;
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
