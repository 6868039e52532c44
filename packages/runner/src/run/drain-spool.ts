import { existsSync } from "node:fs";
import type { Client } from "@holdfast/client";
import type { Delivery } from "@holdfast/client/report/deliver";
import { deliverRun } from "../spool/deliver-run";
import { createOutbox, momentNow } from "../spool/outbox";
import { takeOverSpoolFile } from "../spool/spool-file";
import { removeOutdated, type SpoolEntry, type SpoolFolder } from "../spool/spool-folder";
import type { SystemCalls } from "../system/libc";
import { lossOf } from "./lost-run";
import { createAddressCheck } from "./service-addresses";

export interface DrainSpoolParts {
  /** A client for the token that is there now, in a unit. */
  clientIn: (unit: string | undefined) => Client;
  folder: SpoolFolder;
  system: SystemCalls | undefined;
  signal: AbortSignal;
  warn: (message: string) => void;
  /** An address that the service had before: what was meant for it is delivered, too. */
  formerUrl?: string | undefined;
  /** Called for a run that is meant for the service at another address. */
  onElsewhere?: (baseUrl: string) => void;
}

/** Result for one file. */
export type DrainResult = Delivery["result"] | "running" | "elsewhere" | "unreadable";

/** Delivers what runs have left whose runner has ended, oldest first. Gives what became of each. */
export async function drainSpool(parts: DrainSpoolParts): Promise<Map<string, DrainResult>> {
  const { folder, signal, warn } = parts;
  const results = new Map<string, DrainResult>();
  const outdated = removeOutdated(folder, Date.now(), (path) => isRunning(path, parts.system));
  if (outdated > 0) warn(`${outdated} runs were never delivered within seven days. Their reports are removed.`);
  const isOwnAddress = createAddressCheck(parts.clientIn(undefined), signal);
  for (const entry of folder.entries()) {
    if (signal.aborted) break;
    try {
      const result = await deliverOne(parts, entry, isOwnAddress);
      if (result === undefined) continue;
      results.set(entry.taskId, result);
      // The others would meet the same. Where a token is refused, another file may be of a unit that it may report in.
      if (result === "away") break;
    } catch (error) {
      if (signal.aborted) break;
      results.set(entry.taskId, "unreadable");
      warn(error instanceof Error ? error.message : String(error));
    }
  }
  return results;
}

/** True if the runner of a file still runs. */
function isRunning(path: string, system: SystemCalls | undefined): boolean {
  try {
    const taken = takeOverSpoolFile(path, system);
    void taken?.file.close();
    return taken === undefined;
  } catch {
    return false;
  }
}

/** Delivers one file; undefined where another runner has delivered it meanwhile. */
async function deliverOne(
  parts: DrainSpoolParts,
  { path }: SpoolEntry,
  isOwnAddress: (address: string) => Promise<boolean>,
): Promise<DrainResult | undefined> {
  const { clientIn, folder, system, signal, warn, formerUrl, onElsewhere } = parts;
  const taken = takeOverSpoolFile(path, system);
  if (!taken) return existsSync(path) ? "running" : undefined;
  const { file, contents } = taken;
  const client = clientIn(contents.header.unit ?? undefined);
  const { base_url: meantFor } = contents.header;
  if (meantFor !== client.baseUrl && meantFor !== formerUrl && !(await isOwnAddress(meantFor))) {
    onElsewhere?.(meantFor);
    await file.close();
    return "elsewhere";
  }
  const outbox = createOutbox({ header: contents.header, file, contents, onBrokenSpool: () => {} });
  if (!outbox.hasEnd()) {
    const { at, error } = lossOf(taken, momentNow());
    outbox.add({ operation: "update", body: { status: "failed", outcome: "lost", error } }, at);
  }
  const delivery = await deliverRun({ client, folder, signal, onRefused: warn, onMonitorUnused: warn }, outbox);
  if (delivery.result === "delivered") await outbox.remove();
  else if (delivery.result !== "refused") await outbox.close();
  return delivery.result;
}
