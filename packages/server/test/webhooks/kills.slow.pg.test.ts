import { expect, test } from "bun:test";
import { fileURLToPath } from "node:url";
import { startWebhookDeliveries } from "../../src/workers/deliver-webhooks";
import { helper } from "../built-programs";
import { openPlane, root } from "../harness";
import { createDice } from "../random";
import { size } from "../runs";
import { type RespondToMessage, startReceiver } from "./receiver";

const kills = size({ default: 3, long: 200 });
const program = helper(fileURLToPath(new URL("./report-and-deliver.ts", import.meta.url)));
const month = 30 * 86_400_000;

test(
  `R30: ${2 * kills} processes killed at any point, a receiver that fails at random: every event arrives, with one id`,
  async () => {
    const dice = createDice(kills);
    const plane = await openPlane({ webhook_allowed_targets: "127.0.0.0/8" });
    plane.clock.now = Date.now();
    const receiver = await startReceiver();
    const luck = { isGood: false };
    const { arrived, accepted, answer } = failAtRandom(dice, luck);
    receiver.answer(answer);
    const { token: owner } = await plane.serviceToken("owner", root, month);
    const { token: runner } = await plane.serviceToken("reporter", root, month);
    const body = { name: "Ours", kind: "standard", url: receiver.url, events: ["task.failed"] };
    expect((await plane.ask("/webhooks", { method: "POST", token: owner, body })).status).toBe(201);

    const begun = String(plane.clock.now);
    const acknowledged = new Set<string>();
    for (let round = 0; round < kills; round++) {
      const start = () => {
        const { pid, stdout } = Bun.spawn([process.execPath, program, plane.folder, plane.databaseUrl, runner, begun], {
          stdout: "pipe",
          stderr: "inherit",
        });
        const { promise: works, resolve } = Promise.withResolvers<void>();
        return {
          pid,
          works,
          over: follow(stdout, (id) => {
            acknowledged.add(id);
            resolve();
          }).finally(resolve),
        };
      };
      const processes = [start(), start()];
      await Promise.all(processes.map(({ works }) => works));
      await Bun.sleep(dice(500));
      for (const { pid } of processes) process.kill(pid, "SIGKILL");
      await Promise.all(processes.map(({ over }) => over));
    }

    // Another process sends the rest as time goes by.
    luck.isGood = true;
    const deliveries = startWebhookDeliveries({ ...plane.service, every: 1_000_000_000 });
    plane.clock.now = Number(begun) + (Date.now() - Number(begun)) * 100;
    for (let day = 0; day < 5; day++) {
      plane.clock.now += 86_400_000;
      await deliveries.deliver();
    }
    await deliveries.stop();
    const stored = await plane.database.snapshot((db) => db.selectFrom("tasks").select("id").execute());
    const ids = stored.map(({ id }) => id);
    expect([...acknowledged].filter((id) => !ids.includes(id))).toEqual([]);
    expect(ids.filter((id) => !accepted.has(id))).toEqual([]);
    expect([...arrived].filter(([, messages]) => messages.size !== 1)).toEqual([]);
    expect(new Set([...arrived.values()].flatMap((messages) => [...messages])).size).toBe(arrived.size);
    expect(ids.length).toBeGreaterThan(kills);
    expect(receiver.received.length).toBeGreaterThan(ids.length);
    await receiver.close();
    await plane.close();
  },
  120_000 + kills * 5_000,
);

/** Answers well, with an error, or not at all, and soon or late, so that some answers come after a kill. */
function failAtRandom(dice: (sides: number) => number, luck: { isGood: boolean }) {
  const arrived = new Map<string, Set<string>>();
  const accepted = new Set<string>();
  const answer: RespondToMessage = (response, { headers, body }) => {
    const { id } = JSON.parse(body).data.task;
    arrived.set(id, (arrived.get(id) ?? new Set()).add(headers["webhook-id"] ?? ""));
    const chance = dice(10);
    const isTaken = chance < 6 || luck.isGood;
    if (isTaken) accepted.add(id);
    if (!isTaken && chance === 9) response.destroy();
    else setTimeout(() => response.writeHead(isTaken ? 200 : 500).end(), dice(20));
  };
  return { arrived, accepted, answer };
}

/** Reads whole lines until the end. The last one may have been cut off, and says nothing then. */
async function follow(stream: ReadableStream<Uint8Array>, take: (line: string) => void): Promise<void> {
  let rest = "";
  for await (const part of stream) {
    const lines = `${rest}${new TextDecoder().decode(part)}`.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) take(line);
  }
}
