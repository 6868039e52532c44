import type { Client } from "@holdfast/client";
import { type Delivery, deliver } from "@holdfast/client/report/deliver";
import type { SpooledOutbox } from "./outbox";
import type { SpoolFolder } from "./spool-folder";
import type { SpooledReport } from "./spooled-report";

export interface RunDeliveryParts {
  /** Acts in the unit of the run. */
  client: Client;
  /** Left out where there is no spool. */
  folder: SpoolFolder | undefined;
  signal: AbortSignal;
  /** Called for what was put aside, with the reason. */
  onRefused: (reason: string) => void;
  /** Called with what to say about a run whose monitor cannot be used. */
  onMonitorUnused: (message: string) => void;
}

/** Sends the reports of a run that wait. What the service refuses is put aside in the spool. */
export async function deliverRun(parts: RunDeliveryParts, outbox: SpooledOutbox): Promise<Delivery> {
  const { client, folder, signal, onRefused, onMonitorUnused } = parts;
  const { taskId } = outbox;

  /** A disk that is full must not stop what can still be delivered. */
  function keepAside(write: () => void): void {
    try {
      write();
    } catch (error) {
      onRefused(`What the service refuses cannot be kept: ${error instanceof Error ? error.message : error}`);
    }
  }

  /** The monitor is gone, or the service is an old one: the run itself is reported all the same. */
  function mend(report: SpooledReport, status: number, reason: string): boolean {
    if (status !== 422 || report.operation !== "create" || report.body.monitor_id === undefined) return false;
    outbox.forgetMonitor();
    const monitor = report.body.monitor_id.slice(0, 80);
    const why = reason.replace('The field "monitor_id"', "--monitor");
    onMonitorUnused(`The run names the monitor ${monitor}. ${why} It is recorded without a monitor.`);
    return true;
  }

  function setAside(report: SpooledReport, reason: string): void {
    const line = `${JSON.stringify({ ...report, refused: reason })}\n`;
    keepAside(() => folder?.setAside(`${taskId}.reports`, line));
    onRefused(reason);
  }

  const delivery = await deliver({ tasks: client.tasks, signal, onRefused: setAside, mend }, outbox);
  if (delivery.result === "refused") {
    const { reason } = delivery;
    await outbox.close();
    keepAside(() => folder?.setFileAside(taskId, reason));
    onRefused(reason);
  }
  return delivery;
}
