/** Finds any of many phrases in one pass over a text (Aho and Corasick), also where a line end cuts a phrase in two. */
export interface PhraseFinder {
  /** Where in the whole text phrases are that end in this piece, in the order of their ends. */
  push(text: string): { from: number; to: number }[];
  /** From where on the text may belong to a phrase that has not ended. */
  openFrom(): number;
}

interface Node {
  next: Map<number, Node>;
  /** The longest proper end of this node's text that a phrase begins with. */
  fallback: Node | undefined;
  depth: number;
  /** The length of the longest phrase that ends here; 0 where none does. */
  phrase: number;
}

const [lineFeed, carriageReturn] = [10, 13];
/** So many line ends in a row may lie within a phrase. */
const mostLineEnds = 2;

export function createPhraseFinder(phrases: readonly string[]): PhraseFinder {
  const root = buildTree(phrases.map((phrase) => phrase.replace(/[\r\n]/g, "")).filter((phrase) => phrase !== ""));
  const deepest = Math.max(1, ...phrases.map(({ length }) => length));
  /** Where the last characters stood that are no line ends. */
  const places = new Float64Array(deepest);
  let read = 0;
  let count = 0;
  let lineEnds = 0;
  let node = root;

  const placeOf = (back: number) => places[(count - back + deepest) % deepest] ?? 0;
  return {
    push(text) {
      const found: { from: number; to: number }[] = [];
      for (let at = 0; at < text.length; at++, read++) {
        const character = text.charCodeAt(at);
        if (character === lineFeed || character === carriageReturn) {
          lineEnds += 1;
          if (lineEnds > mostLineEnds) node = root;
          continue;
        }
        lineEnds = 0;
        places[count % deepest] = read;
        count += 1;
        node = step(root, node, character);
        if (node.phrase > 0) found.push({ from: placeOf(node.phrase), to: read + 1 });
      }
      return found;
    },
    openFrom: () => (node === root ? read : placeOf(node.depth)),
  };
}

function step(root: Node, from: Node, character: number): Node {
  for (let node: Node | undefined = from; node !== undefined; node = node.fallback) {
    const next = node.next.get(character);
    if (next !== undefined) return next;
  }
  return root;
}

function buildTree(phrases: readonly string[]): Node {
  const root = createNode(0);
  for (const phrase of phrases) {
    let node = root;
    for (let at = 0; at < phrase.length; at++) {
      const character = phrase.charCodeAt(at);
      const next: Node = node.next.get(character) ?? createNode(at + 1);
      node.next.set(character, next);
      node = next;
    }
    node.phrase = phrase.length;
  }
  const queue = [root];
  for (let at = 0; at < queue.length; at++) {
    const node = queue[at] ?? root;
    for (const [character, child] of node.next) {
      child.fallback = node === root ? root : step(root, node.fallback ?? root, character);
      child.phrase = Math.max(child.phrase, child.fallback.phrase);
      queue.push(child);
    }
  }
  return root;
}

function createNode(depth: number): Node {
  return { next: new Map(), fallback: undefined, depth, phrase: 0 };
}
