/**
 * Maximum number of marks on one character: as many as Unicode asks programs to put up with (UAX #15, stream-safe text).
 * No language needs half of them.
 */
const maxMarks = 30;

/** Describes a text without heaps of marks, for error messages. */
export const marksExpectation = `free of characters with more than ${maxMarks} marks`;

const tooManyMarks = new RegExp(`\\p{M}{${maxMarks + 1}}`, "u");

/**
 * Writes a text in its one composed spelling (NFC): what looks alike is alike. Gives nothing for one that is longer than it
 * may be or has a heap of marks somewhere: sorting such a heap takes a time that grows with the square of its size.
 */
export function compose(text: string, maxLength: number): string | undefined {
  return text.length > maxLength || tooManyMarks.test(text) ? undefined : text.normalize("NFC");
}

/** A text without the marks of a heap that are too many. */
export function withoutHeaps(text: string): string {
  return text.replace(heaps, "$1");
}

const heaps = new RegExp(`(\\p{M}{${maxMarks}})\\p{M}+`, "gu");

/** A text without the marks of its letters, for names in ASCII: `Größe` becomes `Große`. It is of a bounded length. */
export function withoutMarks(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "");
}
