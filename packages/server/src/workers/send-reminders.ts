import { errorMessage } from "@holdfast/api/conventions/error-message";
import type { Database } from "../database/database";
import { DatabaseAway, DatabaseBroken } from "../database/errors";
import type { Log } from "../observe/log";
import type { WorkerHealth } from "../observe/worker-health";
import {
  findDueWebhooks,
  findReminded,
  hasItemsToNote,
  noteDownItems,
  queueReminder,
} from "../resources/webhooks/reminders/queue-reminders";

export interface ReminderParts {
  database: Database;
  clock: () => number;
  log: Log;
  workers: WorkerHealth;
  /** Called when the database can no longer be trusted. */
  onBroken: (error: Error) => void;
}

/** What reminds of monitors and items that stay down. */
export interface Reminders {
  /** Does once what is otherwise done every minute. */
  remind(): Promise<void>;
  stop(): Promise<void>;
}

const remindEveryMs = 60_000;
const maxSilenceMs = 10 * 60_000;

/** Starts to remind. When a webhook last reminded is in the database, so of several processes, and after a restart, one does it. */
export function startReminders({ database, clock, log, workers, onBroken }: ReminderParts): Reminders {
  const worker = workers.begin("reminders", maxSilenceMs);
  let isStopped = false;
  let hasFailed = false;
  let running = Promise.resolve();
  let timer = setTimeout(begin, remindEveryMs).unref();

  function begin(): void {
    running = remind().then(() => {
      if (!isStopped) timer = setTimeout(begin, remindEveryMs).unref();
    });
  }

  async function remind(): Promise<void> {
    try {
      if (await database.snapshot(hasItemsToNote)) await database.change((db) => noteDownItems(db, clock()));
      // Reading keeps no other process from writing, and mostly there is nothing to remind of.
      const due = await database.snapshot(async (db) => {
        const now = clock();
        const found: string[] = [];
        for (const webhook of await findDueWebhooks(db, now)) {
          if ((await findReminded(db, webhook, now)).length > 0) found.push(webhook.id);
        }
        return found;
      });
      for (const id of due) await database.change((db) => queueReminder(db, id, clock()));
      hasFailed = false;
      worker.ran();
    } catch (error) {
      if (error instanceof DatabaseBroken) onBroken(error);
      // A database that is away has been logged where it was noticed.
      if (!hasFailed && !(error instanceof DatabaseAway)) {
        log.warn("Reminders of what is down could not be sent. It is tried again.", { error: errorMessage(error) });
      }
      hasFailed = true;
      if (error instanceof DatabaseAway) worker.ran();
    }
  }

  return {
    remind,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
      worker.stop();
    },
  };
}
