import { refuse } from "@holdfast/api/conventions/api-error";

/** Hashes passwords and checks them, a few at a time. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** Whether it is the password of that hash. Null stands for nobody's hash: nothing fits it, and it takes as long. */
  isRight(password: string, hash: string | null): Promise<boolean>;
  /** Refuses with 503 while so many are waiting that one more would be refused. */
  requireRoom(): void;
}

/** A password is at most so long, in bytes of the NFC form that is hashed: that costs time. */
export const longestPassword = 1024;

/** What hashing costs: memory in KiB, and passes over it. */
export interface HashCost {
  memoryCost: number;
  timeCost: number;
}

/** What OWASP asks of argon2id at least: 19 MiB and two passes, so that several at once fit into a small machine. */
const usualCost: HashCost = { memoryCost: 19_456, timeCost: 2 };
const mostAtOnce = 2;
const mostWaiting = 50;

export function createPasswords(hashCost = usualCost): Passwords {
  const { inTurn, requireRoom } = createQueue();
  const cost = { algorithm: "argon2id", ...hashCost } as const;
  let nobodysHash: Promise<string> | undefined;
  return {
    hash: (password) => inTurn(() => Bun.password.hash(password.normalize("NFC"), cost)),
    async isRight(password, hash) {
      // Made at the first sign-in, whoever's it is: the first unknown address must not take longer than a known one.
      nobodysHash ??= Bun.password.hash(crypto.randomUUID(), cost);
      const compared = hash ?? (await nobodysHash);
      const text = password.normalize("NFC");
      const isPossible = text !== "" && Buffer.byteLength(text) <= longestPassword;
      const fits = await inTurn(() => Bun.password.verify(isPossible ? text : "-", compared));
      return fits && isPossible && hash !== null;
    },
    requireRoom,
  };
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
    if (running < mostAtOnce || waiting.length < mostWaiting) return;
    throw refuse("overloaded", "Too many people are signing in. Try again in a moment.", { "Retry-After": "2" });
  }
  return {
    requireRoom,
    async inTurn(act) {
      requireRoom();
      if (running >= mostAtOnce) await new Promise<void>((resolve) => waiting.push(resolve));
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
