import type { Masker } from "./masker";

const opening = "://";
/** Where the part of a URL ends that can hold a user and a password. */
const closing = /[\s/?#"'<>]/;
/** More than that is no host and no user: all of it is masked, so that a long password cannot slip through. */
const maxAuthorityLength = 2048;

/** Replaces `user:password@` after `://`, in a text that comes in pieces. */
export function createUrlMasker(mask: string): Masker {
  let held = "";
  /** True if the rest of an endless authority is dropped. */
  let isDropping = false;

  const take = (isEnd: boolean): string => {
    let out = "";
    for (;;) {
      if (isDropping) {
        const end = held.search(closing);
        if (end < 0) {
          held = "";
          return out;
        }
        held = held.slice(end);
        isDropping = false;
      }
      const at = held.indexOf(opening);
      if (at < 0) {
        const kept = isEnd ? 0 : openingAtEnd(held);
        out += held.slice(0, held.length - kept);
        held = held.slice(held.length - kept);
        return out;
      }
      const from = at + opening.length;
      const length = held.slice(from, from + maxAuthorityLength).search(closing);
      if (length < 0 && held.length - from < maxAuthorityLength && !isEnd) {
        out += held.slice(0, at);
        held = held.slice(at);
        return out;
      }
      const isEndless = length < 0 && held.length - from >= maxAuthorityLength;
      const to = length < 0 ? Math.min(held.length, from + maxAuthorityLength) : from + length;
      out += held.slice(0, from) + (isEndless ? mask : maskAuthority(held.slice(from, to), mask));
      held = held.slice(to);
      isDropping = isEndless;
    }
  };
  return {
    push(text) {
      held += text;
      return take(false);
    },
    end: () => take(true),
  };
}

function maskAuthority(authority: string, mask: string): string {
  const at = authority.lastIndexOf("@");
  return at > 0 && authority.slice(0, at).includes(":") ? mask + authority.slice(at) : authority;
}

/** Number of characters at the end that may begin `://`. */
function openingAtEnd(text: string): number {
  return text.endsWith(":/") ? 2 : text.endsWith(":") ? 1 : 0;
}
