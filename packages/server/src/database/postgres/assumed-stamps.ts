import type { Assumption, Stamp, Stamps } from "../database";

/** Thrown into a read that cannot be finished in its snapshot, and has to be repeated in another one. */
export class RepeatRead extends Error {
  override readonly name = "RepeatRead";
}

/**
 * Stamps that were right a moment ago, for a read that begins before its snapshot does. Those that it looks at until then are
 * compared with the snapshot's own, so that whatever it has found in a cache belongs to the snapshot.
 */
export class AssumedStamps implements Assumption {
  readonly #lookedAt = new Set<keyof Stamps>();
  #stamps: Stamps;

  constructor(stamps: Stamps) {
    this.#stamps = stamps;
  }

  /** Whether what was looked at would have been the same with these stamps. */
  areRight(actual: Stamps): boolean {
    for (const name of this.#lookedAt) if (this.#stamps[name] !== actual[name]) return false;
    return true;
  }

  /** The same. From now on the read sees these. */
  confirm(actual: Stamps): boolean {
    const isRight = this.areRight(actual);
    this.#stamps = actual;
    return isRight;
  }

  get wereSeen(): boolean {
    return this.#lookedAt.size > 0;
  }

  get any(): Stamp {
    return this.#see("any");
  }

  get access(): Stamp {
    return this.#see("access");
  }

  get sessions(): Stamp {
    return this.#see("sessions");
  }

  get tasks(): Stamp {
    return this.#see("tasks");
  }

  get entities(): Stamp {
    return this.#see("entities");
  }

  #see(name: keyof Stamps): Stamp {
    this.#lookedAt.add(name);
    return this.#stamps[name];
  }
}
