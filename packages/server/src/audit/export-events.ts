import { notedBaseUrl } from "../access/tokens/noted-base-url";
import type { Database } from "../database/database";
import type { Sealer } from "../secrets/seal";
import { signTrailer } from "./export-trailer";
import { verifyChain } from "./verify-chain";

/**
 * Writes the audit trail out, an event on each line and a signed trailer on the last. Each event is checked on the way, so
 * what was tampered with never gets a trailer.
 */
export async function exportEvents(
  { database, sealer }: { database: Database; sealer: Sealer },
  now: number,
  writeLine: (line: string) => void | Promise<void>,
): Promise<void> {
  await database.snapshot(async (db) => {
    const walk = await verifyChain(db, sealer, ({ document, hash }) =>
      writeLine(`${document.slice(0, -1)},"hash":"${hash}"}`),
    );
    await writeLine(
      await signTrailer(db, sealer, now, {
        count: walk.end.count,
        first_hash: walk.firstHash,
        last_hash: walk.end.hash,
        exported_timestamp: new Date(now).toISOString(),
        base_url: (await notedBaseUrl(db)) ?? null,
      }),
    );
  });
}
