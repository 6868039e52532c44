import { nextNode, type PhraseTree } from "./phrase-tree";

/** Position of a phrase in the whole text. */
export interface Find {
  from: number;
  to: number;
}

/** Finds any of many phrases in one pass over a text that comes in pieces. */
export interface PhraseFinder {
  /** Phrases that end in this piece, or ended in those before it. */
  push(text: string): readonly Find[];
  /** From where on the text may belong to a phrase that has not ended. */
  openFrom(): number;
}

/** Follows a text through a tree of phrases, character by character. */
export interface PhraseReader {
  /** Takes a character, and where it stands in the whole text. */
  take(character: number, from: number, to: number): void;
  /** Takes the characters of a text from one place in it to another. It begins at `origin` in the whole text. */
  takeText(text: string, from: number, to: number, origin: number): void;
  /** The phrases that have ended since the last call, in the order of their ends. */
  finds(): readonly Find[];
  /** Start of a phrase that has not ended; undefined if there is none. */
  openFrom(): number | undefined;
}

const [lineFeed, carriageReturn, escapeCode, bracket] = [10, 13, 27, 91];
/** So many line ends in a row may lie within a phrase, and so many characters of colours and other commands of a terminal. */
const maxLineEnds = 2;
const maxCommandLength = 64;

export function createPhraseReader(tree: PhraseTree): PhraseReader {
  const { root, first, deepest } = tree;
  /** Positions of the last characters that count. */
  const places = new Float64Array(deepest);
  let found: Find[] = [];
  let count = 0;
  let lineEnds = 0;
  let node = root;
  let command: "none" | "begun" | "parameters" = "none";
  let commandLength = 0;

  const placeOf = (back: number) => places[(count - back + deepest) % deepest] ?? 0;

  /** Returns true if a character belongs to a terminal escape sequence, such as a colour: `ESC [ 3 1 m`. */
  function isCommand(character: number): boolean {
    if (character === escapeCode) command = "begun";
    else if (command === "begun") command = character === bracket ? "parameters" : "none";
    else if (character < 0x20 || character > 0x7e) {
      command = "none";
      return false;
    } else if (character >= 0x40) command = "none";
    commandLength += 1;
    if (commandLength > maxCommandLength) node = root;
    return true;
  }

  function take(character: number, from: number, to: number): void {
    if ((command !== "none" || character === escapeCode) && isCommand(character)) return;
    if (character === lineFeed || character === carriageReturn) {
      lineEnds += 1;
      if (lineEnds > maxLineEnds) node = root;
      return;
    }
    lineEnds = 0;
    commandLength = 0;
    const isFirst = node === root;
    node = nextNode(tree, node, character);
    if (isFirst && node === root) return;
    places[count % deepest] = from;
    count += 1;
    if (node.phrase > 0) found.push({ from: placeOf(node.phrase), to });
  }

  return {
    take,
    takeText(text, from, to, origin) {
      for (let at = from; at < to; at++) {
        const character = text.charCodeAt(at);
        // Most characters begin no phrase.
        const isPassed = node === root && command === "none" && character < 256 && first[character] === undefined;
        if (!isPassed || character === escapeCode) take(character, origin + at, origin + at + 1);
      }
    },
    finds() {
      if (found.length === 0) return found;
      const all = found;
      found = [];
      return all;
    },
    openFrom: () => (node === root ? undefined : placeOf(node.depth)),
  };
}
