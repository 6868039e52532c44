import type { Dice } from "../random";

/** Something to be made, once. */
export interface Wish {
  path: string;
  body: object;
  /** Table and column by which it is found again. */
  kind: "users" | "roles" | "organizational_units" | "api_tokens";
  name: string;
}

/** Result of a wanted change. */
export interface Fulfilled {
  wish: Wish;
  /** The id that was answered, or the refusal. */
  id: string | undefined;
  status: number;
  tries: number;
}

const longestWait = 60_000;

/**
 * Asks for something until there is an answer, however often the server dies or keeps silent for longer than the client
 * has patience: about every second time, that is less than the server needs.
 */
export async function insist(
  address: string,
  wish: Wish,
  headers: Record<string, string>,
  dice: Dice,
): Promise<Fulfilled> {
  const deadline = performance.now() + longestWait;
  for (let tries = 1; performance.now() < deadline; tries += 1) {
    const patience = dice(2) === 0 ? 1 + dice(12) : 5_000;
    try {
      const response = await fetch(`${address}${wish.path}`, {
        method: "POST",
        headers: { "Content-Type": "application/json", ...headers },
        body: JSON.stringify(wish.body),
        signal: AbortSignal.timeout(patience),
      });
      const { id } = Object(await response.json());
      // A server that is about to end says so, and has done nothing.
      if (response.status < 500) return { wish, id, status: response.status, tries };
    } catch {
      // Nothing came back: whether it was done is for the next try to find out.
    }
    await Bun.sleep(dice(20));
  }
  throw new Error(`There was no answer to ${wish.path} for a minute.`);
}
