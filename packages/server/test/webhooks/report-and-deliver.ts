/**
 * Reports tasks that have failed and delivers webhooks, until it is killed: bun report-and-deliver.ts FOLDER URL TOKEN T0
 * Prints the id of each task that was acknowledged. Its clock runs a hundred times as fast as others, since T0.
 */
import { createApp } from "../../src/http/app";
import { openControlPlane } from "../../src/installation/control-plane";
import { readSettings } from "../../src/settings/settings";
import { createService } from "../../src/start/service";
import { createLog } from "../../src/telemetry/log";
import { startWebhookDeliveries } from "../../src/workers/deliver-webhooks";

const [folder = "", url = "", token = "", since = ""] = process.argv.slice(2);
const begun = Number(since);
const clock = () => Math.round(begun + (Date.now() - begun) * 100);
const baseUrl = "http://holdfast.test";
const settings = readSettings({
  flags: {
    data_dir: folder,
    database_url: url,
    base_url: baseUrl,
    rate_limit: "0",
    webhook_allowed_targets: "127.0.0.0/8",
  },
  environment: {},
  file: null,
});
const controlPlane = await openControlPlane(settings, clock(), { isServing: true, notify: () => {} });
const log = createLog({ level: "silent", output: { write: () => {}, isTerminal: false }, clock });
const service = createService({ settings, controlPlane, baseUrl, log, clock });
const app = createApp(service);
startWebhookDeliveries({ ...service, every: 20 });

const error = { code: "disk_full", message: "No space left on device", remedy: "" };
for (;;) {
  const id = crypto.randomUUID();
  const body = JSON.stringify({ id, category: "backup", type: "restic_backup", status: "failed", error });
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  const answer = await app.request("http://holdfast.test/tasks", { method: "POST", headers, body }, { peer: "" });
  if (answer.status === 201) process.stdout.write(`${id}\n`);
  await Bun.sleep(2);
}
