import type { Database } from "../database/database";
import { DatabaseUnavailable } from "../database/errors";
import {
  describeProcess,
  findServing,
  forgetServing,
  nameProcess,
  noteServing,
  type ServingProcess,
} from "../database/serving-processes";
import { Refusal } from "../settings/refusal";
import type { Log } from "../telemetry/log";

/** Interval at which a process notes that it serves, in milliseconds: a few notes may fail before it counts as gone. */
const interval = 5_000;

export interface ProcessRegistration {
  /** Notes that this process serves no longer. */
  stop(): Promise<void>;
}

/**
 * Notes that this process serves the database, and goes on doing so. Refuses where another one serves it with another
 * base URL: tokens and links are made for one, so each would break what the other makes.
 */
export async function startProcessRegistration(
  database: Database,
  baseUrl: string,
  log: Log,
): Promise<ProcessRegistration> {
  const serving = describeProcess(baseUrl);
  await database.change(async (db) => {
    const other = (await findServing(db)).find(({ base_url }) => base_url !== baseUrl);
    if (other) throw otherBaseUrl(other, baseUrl);
    await noteServing(db, serving);
  });
  let isStopped = false;
  let hasFailed = false;
  let running = Promise.resolve();
  let timer = setTimeout(begin, interval).unref();

  function begin(): void {
    running = note();
  }

  async function note(): Promise<void> {
    try {
      await database.change((db) => noteServing(db, serving), { kind: "maintenance" });
      hasFailed = false;
    } catch (error) {
      // A database that is away has been logged where it was noticed.
      if (!hasFailed && !(error instanceof DatabaseUnavailable)) {
        log.warn("This process could not note that it serves, so a start with another base_url is not refused.", {
          error: error instanceof Error ? error.message : String(error),
        });
      }
      hasFailed = true;
    }
    if (!isStopped) timer = setTimeout(begin, interval).unref();
  }

  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
      // Where that fails, the note is too old soon.
      await database.change((db) => forgetServing(db, serving), { kind: "maintenance" }).catch(() => {});
    },
  };
}

function otherBaseUrl(other: ServingProcess, baseUrl: string): Refusal {
  return new Refusal(
    `Another service uses the same data (${nameProcess(other)}), and tokens and links hold for one base URL, not for ${baseUrl} as well. Set base_url to ${other.base_url}, stop the other service first, or name other data with data_dir or database_url.`,
  );
}
