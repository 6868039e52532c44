import { errorMessage } from "@holdfast/api/conventions/error-message";
import { LRUCache } from "lru-cache";
import type { Database } from "../../database/database";
import type { Log } from "../../telemetry/log";
import type { Caller } from "../caller";

/** Remembers when tokens and sessions were last used, and writes it down now and then: no request waits for that. */
export interface TokenUse {
  note(caller: Caller, use: Use): void;
  /** Writes down what is still only remembered. */
  flush(): Promise<void>;
}

/** From where and by what a token was used. */
export interface Use {
  address: string;
  /** As it calls itself. */
  client: string | null;
}

const maxClientLength = 200;
/** A use is written down when the last one written is older than this. */
const precision = 60_000;
const delay = 1_000;
/** Of how many tokens it is remembered when they were last noted. */
const maxNoted = 10_000;

export function createTokenUse(database: Database, clock: () => number, log: Log): TokenUse {
  const noted = new LRUCache<string, number>({ max: maxNoted });
  let pending = new Map<string, Use & Pick<Caller, "kind" | "userId"> & { at: number }>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const uses = pending;
    pending = new Map();
    if (uses.size === 0) return;
    try {
      await database.change(
        async (db) => {
          for (const [id, { kind, userId, at, address, client }] of uses) {
            if (kind === "session")
              await db.updateTable("sessions").set({ used_at: at, address, client }).where("hash", "=", id).execute();
            else
              await db
                .updateTable("api_tokens")
                .set({ last_used_at: at, last_used_address: address, last_used_client: client })
                .where("id", "=", id)
                .execute();
            if (userId !== null)
              await db.updateTable("users").set({ last_active_at: at }).where("id", "=", userId).execute();
          }
        },
        { kind: "maintenance" },
      );
    } catch (error) {
      // Not worth failing anything for: the next use is written down instead.
      for (const id of uses.keys()) noted.delete(id);
      log.warn("The last use of tokens could not be written down.", {
        error: errorMessage(error),
      });
    }
  }

  return {
    note({ tokenId, kind, userId }, { address, client }) {
      const at = clock();
      if (Math.abs(at - (noted.get(tokenId) ?? Number.NEGATIVE_INFINITY)) < precision) return;
      noted.set(tokenId, at);
      pending.set(tokenId, { kind, userId, at, address, client: shortClient(client) });
      timer ??= setTimeout(flush, delay);
    },
    flush,
  };
}

/** A client's name for itself, as much of it as is kept. */
export function shortClient(client: string | null): string | null {
  return client?.slice(0, maxClientLength).toWellFormed() ?? null;
}
