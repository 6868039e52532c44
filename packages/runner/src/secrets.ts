import type { Environment } from "./engines/engine";
import type { Masker } from "./masker";
import { createPhraseFinder } from "./phrase-finder";
import type { Find, PhraseFinder } from "./phrase-reader";
import { buildPhraseTree, type PhraseTree } from "./phrase-tree";
import { formsOf } from "./secret-forms";
import { createUrlMasker } from "./url-passwords";

const mask = "***";
const secretName = /PASSWORD|PASSPHRASE|SECRET|TOKEN|KEY/i;
/** A shorter value would mask ordinary words. */
const minSecretLength = 6;
/** Fewer characters of a secret say nothing. */
const minPrefixLength = 3;

/**
 * Finds the secrets of a run: values of variables whose names say so, as they are and as they stand in URLs and JSON.
 *
 * @public
 */
export function secretsOf(environment: Environment): string[] {
  const values = Object.entries(environment)
    .filter(([name]) => secretName.test(name))
    .map(([, value = ""]) => value.toWellFormed())
    .flatMap((value) => [value, ...value.split(/[\r\n]+/)]);
  const forms = values.flatMap((value) => [
    value,
    encodeURI(value),
    encodeURIComponent(value),
    JSON.stringify(value).slice(1, -1),
  ]);
  return [...new Set(forms.map((form) => form.trim()))].filter(({ length }) => length >= minSecretLength);
}

/**
 * Makes a masker for one stream of a run.
 *
 * @public
 */
export function createMasker(secrets: readonly string[]): Masker {
  const phrases = createPhraseMasker(createPhraseFinder(treeOf(secrets)));
  const urls = createUrlMasker(mask);
  return {
    push: (text) => urls.push(phrases.push(text)),
    end: () => urls.push(phrases.end()) + urls.end(),
  };
}

/**
 * Masks secrets in a whole text, such as the message of an error.
 *
 * @public
 */
export function maskSecrets(text: string, secrets: readonly string[]): string {
  const masker = createMasker(secrets);
  return masker.push(text) + masker.end();
}

/**
 * Masks secrets in a text that may have been cut off: what could be the beginning of a secret at its end is left out.
 *
 * @public
 */
export function maskCutText(text: string, secrets: readonly string[], maxLength = 2000): string {
  const phrases = createPhraseMasker(createPhraseFinder(treeOf(secrets)));
  const urls = createUrlMasker(mask);
  const masked = phrases.push(text);
  const open = phrases.end();
  const isOpen = open.length >= minPrefixLength;
  const isCut = isOpen || text.length >= maxLength;
  const out = urls.push(isOpen ? masked : masked + open) + (isCut ? "" : urls.end());
  return isCut ? `${out.slice(0, maxLength - 1)}…` : out.slice(0, maxLength);
}

/** Every stream and message of a run is masked with the same secrets. */
const trees = new WeakMap<readonly string[], PhraseTree>();

function treeOf(secrets: readonly string[]): PhraseTree {
  const tree = trees.get(secrets) ?? buildPhraseTree([...new Set(secrets.flatMap(formsOf))]);
  trees.set(secrets, tree);
  return tree;
}

/** Replaces what a finder finds. Overlapping finds become one mask. */
function createPhraseMasker(finder: PhraseFinder): Masker {
  let held = "";
  /** Where `held` begins in the whole text. */
  let heldAt = 0;
  /** Finds in the held text, in order and apart from each other. */
  let finds: Find[] = [];

  const release = (until: number) => {
    let out = "";
    let at = heldAt;
    while (finds[0] !== undefined && finds[0].to <= until) {
      out += held.slice(at - heldAt, finds[0].from - heldAt) + mask;
      at = finds[0].to;
      finds.shift();
    }
    const end = Math.max(at, Math.min(until, finds[0]?.from ?? until));
    out += held.slice(at - heldAt, end - heldAt);
    held = held.slice(end - heldAt);
    heldAt = end;
    return out;
  };

  return {
    push(text) {
      held += text;
      const found = finder.push(text);
      if (found.length > 0)
        finds = joinFinds([...finds, ...found.map(({ from, to }) => ({ from: Math.max(from, heldAt), to }))]);
      return release(finder.openFrom());
    },
    end() {
      const rest = release(heldAt + held.length);
      finds = [];
      return rest;
    },
  };
}

/** Finds in the order of the text, with those that overlap as one. */
function joinFinds(finds: readonly Find[]): Find[] {
  const joined: Find[] = [];
  for (const { from, to } of finds.toSorted((one, other) => one.from - other.from)) {
    const last = joined.at(-1);
    if (last && from < last.to) last.to = Math.max(last.to, to);
    else joined.push({ from, to });
  }
  return joined;
}
