import { expect, test } from "bun:test";
import { createLogText } from "../src/report/log-text";
import { createMemoryOutbox } from "../src/report/memory-outbox";

function outboxWithBegin() {
  const outbox = createMemoryOutbox("11111111-2222-4333-8444-555555555555");
  outbox.addAll([{ operation: "create", body: { category: "backup", type: "a" } }]);
  return outbox;
}

const sent = (outbox: ReturnType<typeof createMemoryOutbox>) =>
  outbox.pending().map((one) => {
    const { operation, body } = outbox.toSend(one).report;
    return { operation, body, sequence: one.sequence };
  });

test("of updates that wait one is sent, with the newest of what they say", () => {
  const outbox = outboxWithBegin();
  outbox.addAll([
    { operation: "update", body: { progress_percentage: 10, progress_message: "one" } },
    { operation: "log", body: { offset: 0, text: "a" } },
    { operation: "update", body: { progress_percentage: 20 } },
    { operation: "update", body: { status: "completed" } },
  ]);
  expect<unknown[]>(sent(outbox)).toEqual([
    { operation: "create", sequence: 1, body: { category: "backup", type: "a" } },
    { operation: "log", sequence: 3, body: { offset: 0, text: "a" } },
    {
      operation: "update",
      sequence: 5,
      body: { progress_percentage: 20, progress_message: "one", status: "completed" },
    },
  ]);
});

test("what is acknowledged is not sent again, and the beginning is kept for a service that has forgotten it", () => {
  const outbox = outboxWithBegin();
  outbox.addAll([{ operation: "log", body: { offset: 0, text: "a" } }]);
  outbox.acknowledge(1);
  expect([outbox.pending().map(({ sequence }) => sequence), outbox.begin()?.sequence]).toEqual([[2], 1]);
});

test("of a log that is too long the oldest part goes, and what follows says that there is a gap", () => {
  const outbox = outboxWithBegin();
  const log = createLogText((body) => outbox.addAll([{ operation: "log", body }]));
  for (let line = 0; line < 100; line++) log.add("€".repeat(16 * 1024));
  log.flush();
  const pieces = outbox.pending().flatMap((one) => (one.operation === "log" ? one.body : []));
  const length = pieces.reduce((sum, { text }) => sum + text.length, 0);
  expect(length).toBeWithin(800 * 1024, 1024 * 1024 + 1);
  expect(pieces.map(({ gap = false }) => gap)).toEqual([true, ...pieces.slice(1).map(() => false)]);
  expect(pieces[0]?.offset).toBe(3 * (1_600 * 1024 - length));
});

test("a log is cut between characters, and has none that the service refuses", () => {
  const pieces: unknown[] = [];
  const log = createLogText((piece) => pieces.push(piece));
  const head = "x".repeat(64 * 1024 - 1);
  log.add(`${head}😀\0\ud800`);
  log.flush();
  log.flush();
  expect(pieces).toEqual([
    { offset: 0, text: head },
    { offset: 65_535, text: "😀␀\ufffd" },
  ]);
});
