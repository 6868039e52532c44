import type { Dice } from "../random";

/** Something to be made, once. */
export interface WantedChange {
  path: string;
  body: object;
  /** Table and column by which it is found again. */
  kind: "users" | "roles" | "organizational_units" | "api_tokens";
  name: string;
}

/** Result of a wanted change. */
export interface ChangeResult {
  wanted: WantedChange;
  /** The id that was answered, or the refusal. */
  id: string | undefined;
  status: number;
  tries: number;
}

const maxWaitMs = 60_000;

/**
 * Asks for something until there is an answer, however often the server dies or keeps silent for longer than the client
 * waits: about every second time, that is less than the server needs.
 */
export async function retryUntilDone(
  address: string,
  wanted: WantedChange,
  headers: Record<string, string>,
  dice: Dice,
): Promise<ChangeResult> {
  const deadline = performance.now() + maxWaitMs;
  for (let tries = 1; performance.now() < deadline; tries += 1) {
    const timeoutMs = dice(2) === 0 ? 1 + dice(12) : 5_000;
    try {
      const response = await fetch(`${address}${wanted.path}`, {
        method: "POST",
        headers: { "Content-Type": "application/json", ...headers },
        body: JSON.stringify(wanted.body),
        signal: AbortSignal.timeout(timeoutMs),
      });
      const { id } = Object(await response.json());
      // A server that is about to end says so, and has done nothing.
      if (response.status < 500) return { wanted, id, status: response.status, tries };
    } catch {
      // Nothing came back: whether it was done is for the next try to find out.
    }
    await Bun.sleep(dice(20));
  }
  throw new Error(`There was no answer to ${wanted.path} for a minute.`);
}
