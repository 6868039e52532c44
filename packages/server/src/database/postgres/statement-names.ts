import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { ClientBase } from "pg";

/** A column of a statement's rows. */
export interface Column {
  name: string;
  dataTypeID: number;
}

/** A statement that a server has parsed for one connection. */
export interface NamedStatement {
  name: string;
  /** Undefined until the server has described them, and for a statement without rows. */
  columns?: readonly Column[];
}

/** How many statements a server keeps for each connection. Each shape of a filter is another one. */
const maxKept = 100;

/**
 * Knows which statements a server has parsed for which connection, so that each is parsed and planned once. A name is made of
 * the text: behind a pooler that shares connections, another process can only have given it to the same statement.
 */
export class StatementNames {
  readonly #kept = new WeakMap<ClientBase, LRUCache<string, NamedStatement>>();
  #areOff = false;

  /** Whether statements are named. */
  get areOn(): boolean {
    return !this.#areOff;
  }

  /** Gives names up: a pooler has sent a statement to a connection that does not know it. */
  turnOff(): void {
    this.#areOff = true;
  }

  find(client: ClientBase, text: string): NamedStatement | undefined {
    return this.#kept.get(client)?.get(text);
  }

  /** Names a statement that is about to be parsed; the one above the limit that was not used for the longest time is to be closed. */
  add(client: ClientBase, text: string): { added: NamedStatement; dropped: NamedStatement | undefined } {
    const kept = this.#kept.get(client) ?? new LRUCache<string, NamedStatement>({ max: maxKept });
    this.#kept.set(client, kept);
    const dropped = kept.size < maxKept ? undefined : kept.pop();
    const added = { name: `holdfast_${createHash("sha256").update(text).digest("base64url").slice(0, 24)}` };
    kept.set(text, added);
    return { added, dropped };
  }

  /** Forgets a statement that may not have been parsed. */
  forget(client: ClientBase, text: string): void {
    this.#kept.get(client)?.delete(text);
  }
}
