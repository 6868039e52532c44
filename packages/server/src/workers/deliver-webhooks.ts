import { randomUUID } from "node:crypto";
import { errorMessage } from "@holdfast/api/conventions/error-message";
import { recordAction } from "../audit/record-action";
import { DatabaseBroken, DatabaseUnavailable } from "../database/errors";
import { type Claim, claimDeliveries, isAnythingDue } from "../resources/webhooks/deliveries/claim-deliveries";
import {
  type AttemptResult,
  type FinishedDelivery,
  finishDeliveries,
} from "../resources/webhooks/deliveries/finish-deliveries";
import { type SendingParts, sendDelivery } from "../resources/webhooks/send-delivery";
import type { Log } from "../telemetry/log";
import type { Recorder } from "../telemetry/registry";
import type { WorkerHealth } from "../telemetry/worker-health";

export interface WebhookDeliveryParts extends SendingParts {
  log: Log;
  metrics: Recorder;
  workers: WorkerHealth;
  /** Called when the database can no longer be trusted. */
  onBroken: (error: Error) => void;
  /** Interval between searches for due deliveries, in milliseconds, and how long a stop waits for answers. Only tests have others. */
  every?: number;
  stopTimeoutMs?: number;
}

/** Worker that sends the deliveries of webhooks. */
export interface WebhookDeliveries {
  /** Sends everything that is due, and waits until it is answered and noted. */
  deliver(): Promise<void>;
  /** Sends nothing more. What is not answered soon is left to another process, or to the next start. */
  stop(): Promise<void>;
}

const defaultIntervalMs = 500;
const defaultStopTimeoutMs = 5_000;
/** Time without a run after which it counts as standing still, in milliseconds. */
const maxSilenceMs = 60_000;
/** Time for which results wait for others, so that many are written together, in milliseconds. */
const batchWindowMs = 20;
const maxConcurrent = 32;
/** So many places are kept for webhooks that work, whatever hangs. */
const keptForWorking = 8;

/**
 * Starts to send. Everything that it knows is in the database: a process that is killed leaves claims, which run out, and
 * then another one sends the same message with the same id.
 */
export function startWebhookDeliveries(parts: WebhookDeliveryParts): WebhookDeliveries {
  const { database, sealer, clock, log, metrics, workers, onBroken } = parts;
  const { every = defaultIntervalMs, stopTimeoutMs = defaultStopTimeoutMs } = parts;
  const worker = workers.begin("webhook_deliveries", maxSilenceMs);
  const claimedBy = randomUUID();
  const underWay = new Map<string, { claim: Claim; sent: Promise<void> }>();
  const finished: FinishedDelivery[] = [];
  /** When the last message of a webhook has left: the next one waits for that. */
  const left = new Map<string, Promise<void>>();
  let isStopped = false;
  let hasFailed = false;
  let running = Promise.resolve();
  let timer = setTimeout(begin, every).unref();

  function begin(): void {
    clearTimeout(timer);
    running = running.then(step).then(() => {
      clearTimeout(timer);
      if (!isStopped) timer = setTimeout(begin, finished.length > 0 ? batchWindowMs : every).unref();
    });
  }

  /** Writes down how attempts went, claims what is due, and begins to send it. */
  async function step(): Promise<void> {
    try {
      const now = clock();
      const room = isStopped ? 0 : maxConcurrent - underWay.size;
      const isDue = room > 0 && (await database.snapshot((db) => isAnythingDue(db, now)));
      worker.ran();
      if (!isDue && finished.length === 0) return;
      const results = finished.slice();
      const { claims, fates, disabled } = await database.change(async (db) => {
        const done = await finishDeliveries(db, results, { now, claimedBy, random: Math.random });
        for (const { id, organizational_unit_id: unitId, name, reason } of done.disabled) {
          const object = { type: "webhook", id };
          const action = { operation: "disable-webhook", object, unitId, after: { name, reason } };
          await recordAction(db, { kind: "system", sealer, at: now }, action);
        }
        return { ...done, claims: isDue ? await claimDeliveries(db, { now, claimedBy, ...placesLeft(room) }) : [] };
      });
      finished.splice(0, results.length);
      for (const fate of fates) metrics.add("holdfast_webhook_deliveries_total", { result: fate });
      for (const { name, reason } of disabled) {
        log.warn("A webhook was switched off.", { detail: `${name}: ${reason}` });
      }
      for (const claim of claims) send(claim);
      hasFailed = false;
    } catch (error) {
      if (error instanceof DatabaseBroken) onBroken(error);
      // A database that is away has been logged where it was noticed.
      if (!hasFailed && !(error instanceof DatabaseUnavailable)) {
        log.warn("Webhooks could not be delivered. It is tried again.", { error: errorMessage(error) });
      }
      hasFailed = true;
      if (error instanceof DatabaseUnavailable) worker.ran();
    }
  }

  function placesLeft(room: number): { room: number; roomForFailing: number } {
    const failing = [...underWay.values()].filter(({ claim }) => claim.webhook.failures_in_a_row > 0).length;
    return { room, roomForFailing: Math.min(room, maxConcurrent - keptForWorking - failing) };
  }

  function send(claim: Claim): void {
    const { webhook, delivery } = claim;
    const { promise, resolve } = Promise.withResolvers<void>();
    const turn = left.get(webhook.id);
    left.set(webhook.id, promise);
    const sent = sendDelivery(parts, webhook, delivery, { ...(turn ? { turn } : {}), onLeft: resolve }).then(
      (result) => {
        if (left.get(webhook.id) === promise) left.delete(webhook.id);
        finish(claim, result);
      },
    );
    underWay.set(delivery.id, { claim, sent });
  }

  function finish({ webhook, delivery }: Claim, result: AttemptResult | undefined): void {
    if (!underWay.delete(delivery.id)) return;
    finished.push({ id: delivery.id, webhookId: webhook.id, result });
    clearTimeout(timer);
    if (!isStopped) timer = setTimeout(begin, batchWindowMs).unref();
  }

  return {
    async deliver() {
      do {
        begin();
        await running;
        await Promise.all([...underWay.values()].map(({ sent }) => sent));
      } while (!hasFailed && underWay.size + finished.length > 0);
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
      const answered = Promise.all([...underWay.values()].map(({ sent }) => sent));
      await Promise.race([answered, new Promise((resolve) => setTimeout(resolve, stopTimeoutMs).unref())]);
      // Deliveries that may have arrived are sent again.
      for (const { claim } of [...underWay.values()]) finish(claim, undefined);
      await step();
      worker.stop();
    },
  };
}
