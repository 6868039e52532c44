import { createHash } from "node:crypto";
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
const mostKept = 100;

/**
 * Knows which statements a server has parsed for which connection, so that each is parsed and planned once. A name is made of
 * the text: behind a pooler that shares connections, another process can only have given it to the same statement.
 */
export class StatementNames {
  readonly #kept = new WeakMap<ClientBase, Map<string, NamedStatement>>();
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

  /** Names a statement that is about to be parsed; the oldest one above the limit is to be closed. */
  add(client: ClientBase, text: string): { added: NamedStatement; dropped: NamedStatement | undefined } {
    const kept = this.#kept.get(client) ?? new Map<string, NamedStatement>();
    this.#kept.set(client, kept);
    const [oldest] = kept.size < mostKept ? [] : kept;
    if (oldest) kept.delete(oldest[0]);
    const added = { name: `holdfast_${createHash("sha256").update(text).digest("base64url").slice(0, 24)}` };
    kept.set(text, added);
    return { added, dropped: oldest?.[1] };
  }

  /** Forgets a statement that may not have been parsed. */
  forget(client: ClientBase, text: string): void {
    this.#kept.get(client)?.delete(text);
  }
}
