import { refuse } from "@holdfast/api/conventions/api-error";
import { compose } from "@holdfast/api/conventions/compose";
import { rawPasswordLength, textLimits } from "@holdfast/api/conventions/text-limits";

/** Hashes passwords and checks them, a few at a time. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** Checks if it is the password of that hash. Null is a hash without a user: nothing matches it, and comparing takes as long. */
  isRight(password: string, hash: string | null): Promise<boolean>;
  /** Refuses with 503 while so many are waiting that one more would be refused. */
  requireRoom(): void;
}

/** Cost of hashing: memory in KiB, and passes over it. */
export interface HashCost {
  memoryCost: number;
  timeCost: number;
}

/** Minimum that OWASP recommends for argon2id: 19 MiB and two passes, so that several at once fit into a small machine. */
const defaultCost: HashCost = { memoryCost: 19_456, timeCost: 2 };
const maxConcurrent = 2;
const maxWaiting = 50;

export function createPasswords(hashCost = defaultCost): Passwords {
  const { inTurn, requireRoom } = createQueue();
  const cost = { algorithm: "argon2id", ...hashCost } as const;
  let nobodysHash: Promise<string> | undefined;
  return {
    async hash(password) {
      const text = compose(password, rawPasswordLength);
      if (text === undefined) throw new Error("A password is to be hashed that passwordFault does not let through.");
      return inTurn(() => Bun.password.hash(text, cost));
    },
    async isRight(password, hash) {
      // Made at the first sign-in of any user: the first unknown address must not take longer than a known one.
      nobodysHash ??= Bun.password.hash(crypto.randomUUID(), cost);
      const compared = hash ?? (await nobodysHash);
      // A text that cannot be a password takes as long as a wrong one.
      const text = possiblePassword(password);
      const fits = await inTurn(() => Bun.password.verify(text ?? "-", compared));
      return fits && text !== undefined && hash !== null;
    },
    requireRoom,
  };
}

/** True if two texts are the same password, however a keyboard spells them. What cannot be one is like no other. */
export function isSamePassword(one: string, other: string): boolean {
  const text = possiblePassword(one);
  return text !== undefined && text === possiblePassword(other);
}

/** A password as it is hashed; nothing for one that is empty or too long, which could not have been taken. */
function possiblePassword(password: string): string | undefined {
  const text = compose(password, rawPasswordLength);
  const isPossible = text !== undefined && text !== "" && Buffer.byteLength(text) <= textLimits.passwordBytes;
  return isPossible ? text : undefined;
}

interface Queue {
  inTurn<Result>(act: () => Promise<Result>): Promise<Result>;
  requireRoom(): void;
}

/** Hashing takes memory and a whole core, so few are made at once and only some may wait. */
function createQueue(): Queue {
  const waiting: (() => void)[] = [];
  let running = 0;
  function requireRoom(): void {
    if (running < maxConcurrent || waiting.length < maxWaiting) return;
    throw refuse("overloaded", "Too many people are signing in. Try again in a moment.", { "Retry-After": "2" });
  }
  return {
    requireRoom,
    async inTurn(act) {
      requireRoom();
      if (running >= maxConcurrent) await new Promise<void>((resolve) => waiting.push(resolve));
      else running += 1;
      try {
        return await act();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else running -= 1;
      }
    },
  };
}
