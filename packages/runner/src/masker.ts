/** Masks secrets in a text that comes in pieces. What could be the beginning of a secret is held back until it is clear. */
export interface Masker {
  push(text: string): string;
  /** The text has ended: gives what was held back. */
  end(): string;
}
