/** Phrases as a tree of their characters, with the way back from each node (Aho and Corasick). */
export interface PhraseNode {
  /** The first character that follows, and where it leads to. Most nodes have no other. */
  character: number;
  next: PhraseNode | undefined;
  others: Map<number, PhraseNode> | undefined;
  /** The longest proper end of this node's text that a phrase begins with. */
  fallback: PhraseNode | undefined;
  depth: number;
  /** The length of the longest phrase that ends here; 0 where none does. */
  phrase: number;
}

export interface PhraseTree {
  root: PhraseNode;
  /** The nodes after the root by their character, up to 255, because nearly every character of a text is looked up there. */
  first: readonly (PhraseNode | undefined)[];
  /** The length of the longest phrase. */
  deepest: number;
}

/** Makes the tree of phrases. Line ends in them do not count. */
export function buildPhraseTree(phrases: readonly string[]): PhraseTree {
  const root = createNode(0);
  let deepest = 1;
  for (const phrase of phrases.map((one) => one.replace(/[\r\n]/g, "")).filter((one) => one !== "")) {
    let node = root;
    for (let at = 0; at < phrase.length; at++) {
      const character = phrase.charCodeAt(at);
      node = childOf(node, character) ?? addChild(node, character);
    }
    node.phrase = phrase.length;
    deepest = Math.max(deepest, phrase.length);
  }
  const first = Array.from({ length: 256 }, (_, character) => childOf(root, character));
  const tree = { root, first, deepest };
  const queue = [root];
  for (let at = 0; at < queue.length; at++) {
    const node = queue[at] ?? root;
    const link = (child: PhraseNode, character: number) => {
      child.fallback = node === root ? root : nextNode(tree, node.fallback ?? root, character);
      child.phrase = Math.max(child.phrase, child.fallback.phrase);
      queue.push(child);
    };
    if (node.next) link(node.next, node.character);
    node.others?.forEach(link);
  }
  return tree;
}

/** The node for a text that is longer by one character. */
export function nextNode({ root, first }: PhraseTree, from: PhraseNode, character: number): PhraseNode {
  for (let node = from; node !== root; node = node.fallback ?? root) {
    const next = childOf(node, character);
    if (next !== undefined) return next;
  }
  return (character < 256 ? first[character] : childOf(root, character)) ?? root;
}

function childOf(node: PhraseNode, character: number): PhraseNode | undefined {
  return node.character === character ? node.next : node.others?.get(character);
}

function addChild(node: PhraseNode, character: number): PhraseNode {
  const child = createNode(node.depth + 1);
  if (node.next === undefined) {
    node.character = character;
    node.next = child;
  } else {
    node.others ??= new Map();
    node.others.set(character, child);
  }
  return child;
}

function createNode(depth: number): PhraseNode {
  return { character: -1, next: undefined, others: undefined, fallback: undefined, depth, phrase: 0 };
}
