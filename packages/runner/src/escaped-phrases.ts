import { createPhraseReader, type PhraseFinder } from "./phrase-reader";
import type { PhraseTree } from "./phrase-tree";

/** A way to write characters with others. */
export interface Escapes {
  /** The character that each of them begins with. */
  mark: string;
  /** Reads one that begins here, or the mark itself if it is none. Undefined: what follows has to be known first. */
  read(text: string, at: number): { meaning: string; length: number } | undefined;
}

/** `%27`, also for each byte of a character. A byte that is not UTF-8 is Latin-1. */
export const percentEscapes: Escapes = {
  mark: "%",
  read(text, at) {
    const first = text.slice(at, at + 3);
    if (!/^%[0-9a-f]{2}$/i.test(first)) return /^%[0-9a-f]?$/i.test(first) ? undefined : { meaning: "%", length: 1 };
    const byte = Number.parseInt(first.slice(1), 16);
    if (byte < 0x80) return { meaning: String.fromCharCode(byte), length: 3 };
    const length = 3 * (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1);
    const all = text.slice(at, at + length);
    if (all.length < length && /^(%[0-9a-f]{2})+(%[0-9a-f]?)?$/i.test(all)) return undefined;
    try {
      if (/^(%[0-9a-f]{2})+$/i.test(all)) return { meaning: decodeURIComponent(all), length };
    } catch {
      // It is not UTF-8.
    }
    return { meaning: String.fromCharCode(byte), length: 3 };
  },
};

const letters: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };

/** `\u0027` and `\"` as in JSON, and `\x27` as in other languages. */
export const stringEscapes: Escapes = {
  mark: "\\",
  read(text, at) {
    const letter = text[at + 1];
    if (letter === undefined) return undefined;
    const digits = letter === "u" ? 4 : letter === "x" ? 2 : 0;
    if (digits === 0) return { meaning: letters[letter] ?? letter, length: 2 };
    const code = text.slice(at + 2, at + 2 + digits);
    if (!/^[0-9a-f]*$/i.test(code)) return { meaning: "\\", length: 1 };
    if (code.length < digits) return undefined;
    return { meaning: String.fromCharCode(Number.parseInt(code, 16)), length: 2 + digits };
  },
};

/** Finds phrases in a text that has characters written as escapes, from a place in the whole text on. */
export function createEscapedFinder(tree: PhraseTree, { mark, read }: Escapes, start: number): PhraseFinder {
  const reader = createPhraseReader(tree);
  /** The beginning of an escape. */
  let rest = "";
  let end = start;

  return {
    push(text) {
      const all = rest + text;
      const origin = end - rest.length;
      end += text.length;
      rest = "";
      for (let at = 0; at < all.length; ) {
        const next = all.indexOf(mark, at);
        const upTo = next < 0 ? all.length : next;
        reader.takeText(all, at, upTo, origin);
        if (next < 0) break;
        const escaped = read(all, next);
        if (escaped === undefined) {
          rest = all.slice(next);
          break;
        }
        const { meaning, length } = escaped;
        for (let unit = 0; unit < meaning.length; unit++)
          reader.take(meaning.charCodeAt(unit), origin + next, origin + next + length);
        at = next + length;
      }
      return reader.finds();
    },
    openFrom: () => reader.openFrom() ?? end - rest.length,
  };
}
