import type { Database } from "../database/database";
import {
  findDueWebhooks,
  findReminded,
  hasItemsToNote,
  noteDownItems,
  queueReminder,
} from "../resources/webhooks/reminders/queue-reminders";
import { type PeriodicWorker, type PeriodicWorkerParts, startPeriodicWorker } from "./periodic-worker";

export interface ReminderParts extends PeriodicWorkerParts {
  database: Database;
  clock: () => number;
}

/**
 * Reminds of monitors and items that stay down. The time of a webhook's last reminder is in the database, so of several processes,
 * and after a restart, one sends it.
 */
export function startReminders(parts: ReminderParts): PeriodicWorker {
  const { database, clock } = parts;
  return startPeriodicWorker(parts, {
    name: "reminders",
    intervalMs: 60_000,
    maxSilenceMs: 10 * 60_000,
    failure: "Reminders of what is down could not be sent. It is tried again.",
    async run() {
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
    },
  });
}
