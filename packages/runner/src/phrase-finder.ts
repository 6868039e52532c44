import { createEscapedFinder, type Escapes, percentEscapes, stringEscapes } from "./escaped-phrases";
import { createPhraseReader, type Find, type PhraseFinder } from "./phrase-reader";
import type { PhraseTree } from "./phrase-tree";

const noFinds: readonly Find[] = [];

/**
 * Finds phrases as they are, and with any of their characters percent-encoded or escaped as in strings of JSON, also if line ends
 * or colours of a terminal cut them in pieces.
 */
export function createPhraseFinder(tree: PhraseTree): PhraseFinder {
  const plain = createPlainFinder(tree);
  const escaped = [percentEscapes, stringEscapes].map((kind) => createWhenNeeded(tree, kind));
  let read = 0;
  /** The text that may be the beginning of a phrase. */
  let open = "";

  return {
    push(text) {
      let finds = plain.push(text);
      for (const finder of escaped) {
        const more = finder.push(text, open, read);
        if (more.length > 0) finds = [...finds, ...more];
      }
      read += text.length;
      const held = read - plain.openFrom();
      open = held === 0 ? "" : (open + text).slice(-held);
      return finds;
    },
    openFrom: () => escaped.reduce((first, finder) => Math.min(first, finder.openFrom()), plain.openFrom()),
  };
}

function createPlainFinder(tree: PhraseTree): PhraseFinder {
  const reader = createPhraseReader(tree);
  let read = 0;
  return {
    push(text) {
      reader.takeText(text, 0, text.length, read);
      read += text.length;
      return reader.finds();
    },
    openFrom: () => reader.openFrom() ?? read,
  };
}

/** Reads on only from an escape until no phrase is open: up to an escape, it would find what the plain finder finds. */
function createWhenNeeded(tree: PhraseTree, escapes: Escapes) {
  let finder: PhraseFinder | undefined;
  return {
    /** Takes a piece that begins at `read`, after text that may be the beginning of a phrase. */
    push(text: string, open: string, read: number): readonly Find[] {
      if (finder === undefined && !text.includes(escapes.mark)) return noFinds;
      const begun = finder ?? createEscapedFinder(tree, escapes, read - open.length);
      const finds = [...(finder ? [] : begun.push(open)), ...begun.push(text)];
      finder = begun.openFrom() < read + text.length ? begun : undefined;
      return finds;
    },
    openFrom: () => finder?.openFrom() ?? Number.POSITIVE_INFINITY,
  };
}
