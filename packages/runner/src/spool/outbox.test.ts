import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createOutbox, type SpooledOutbox } from "./outbox";
import { createSpoolFile } from "./spool-file";
import { isLog, parseSpool } from "./spooled-report";

const header = {
  format: 1,
  task_id: "11111111-2222-4333-8444-555555555555",
  base_url: "http://holdfast.test",
  unit: null,
  boot_id: null,
} as const;

let folder: string;
let path: string;
let outbox: SpooledOutbox;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "holdfast-outbox-"));
  path = join(folder, `${header.task_id}.ndjson`);
  outbox = createOutbox({ header, file: createSpoolFile(path, header, undefined), onBrokenSpool: () => {} });
  outbox.add({ operation: "create", body: { category: "backup", type: "restic_backup" } });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const addLog = (text: string, offset = 0) => outbox.add({ operation: "log", body: { offset, text } });
const kinds = () => outbox.pending().map(({ operation }) => operation);
const written = () => parseSpool(readFileSync(path, "utf8"));

test.each([
  ["text", "x"],
  ["control characters, six bytes each", "\u001b"],
  ["characters of three bytes", "\u20ac"],
])(
  "however much log there is, the file stays below 2 MiB and keeps begin, first and last log, and end: %s",
  async (_, character) => {
    const pieceBytes = 16_384 * Buffer.byteLength(character);
    let offset = 0;
    for (let round = 0; round < 12; round++) {
      const pieces = Array.from({ length: 20 }, (_, at) => ({
        operation: "log" as const,
        body: { offset: offset + at * pieceBytes, text: character.repeat(16_384) },
      }));
      outbox.addAll(pieces);
      offset += 20 * pieceBytes;
      await outbox.written();
      expect(statSync(path).size).toBeLessThan(2 * 1024 * 1024);
    }
    outbox.add({ operation: "update", body: { status: "completed" } });
    await outbox.written();
    expect(statSync(path).size).toBeLessThan(2 * 1024 * 1024);
    expect([kinds()[0], kinds().at(-1), outbox.hasEnd()]).toEqual(["create", "update", true]);
    const logs = outbox.pending().filter(isLog);
    const gapAt = logs.findIndex(({ body }) => body.gap);
    const bytes = (some: typeof logs) => some.reduce((sum, { body }) => sum + Buffer.byteLength(body.text), 0);
    const head = bytes(logs.slice(0, gapAt));
    const tail = bytes(logs.slice(gapAt));
    // At the edges, characters of several bytes are whole.
    expect(logs[0]?.body.offset).toBe(0);
    expect(head).toBeWithin(65_534, 65_537);
    expect(tail).toBeGreaterThanOrEqual(262_144 - 2);
    expect(logs[gapAt]?.body.offset).toBe(offset - tail);
    expect(logs.filter(({ body }) => body.gap)).toHaveLength(1);
    expect(written()?.pending).toEqual([...outbox.pending()]);
  },
);

test("of much progress only the newest waits", () => {
  for (let percentage = 0; percentage < 5000; percentage++) {
    outbox.add({
      operation: "update",
      body: { progress_percentage: percentage % 100, progress_message: `${percentage}` },
    });
  }
  expect(kinds().length).toBeLessThan(2100);
  expect(outbox.pending()[0]?.operation).toBe("create");
  expect(outbox.pending().at(-1)?.body).toMatchObject({ progress_message: "4999" });
});

test("what is acknowledged is not read again, and the beginning is kept for a service that has forgotten it", async () => {
  addLog("a");
  outbox.acknowledge(2);
  addLog("b");
  await outbox.close();
  expect(written()).toMatchObject({ pending: [{ sequence: 3 }], begin: { sequence: 1 }, last: 3 });
});

test("nothing is written to a file that was closed or removed", async () => {
  await outbox.close();
  const before = readFileSync(path, "utf8");
  addLog("late");
  outbox.acknowledge(1);
  expect(readFileSync(path, "utf8")).toBe(before);
  await outbox.remove();
});

const end = { operation: "update", body: { status: "completed" } } as const;

test("a spool that breaks is said once; at the end it has the end, or it goes", async () => {
  const said: unknown[] = [];
  const file = createSpoolFile(`${path}.other`, header, undefined);
  const append = () => Promise.reject(new Error("no space left on device"));
  const broken = createOutbox({ header, file: { ...file, append }, onBrokenSpool: (error) => said.push(error) });
  broken.add({ operation: "create", body: { category: "backup", type: "restic_backup" } });
  broken.add(end);
  await broken.written();
  expect(said).toHaveLength(1);
  expect(await broken.close()).toBe(true);
  expect(parseSpool(readFileSync(`${path}.other`, "utf8"))?.hasEnd).toBe(true);
});

test("a disk that hangs is done without after a while, and nothing waits for it again", async () => {
  const said: unknown[] = [];
  const file = createSpoolFile(`${path}.other`, header, undefined);
  const never = () => new Promise<void>(() => {});
  const hanging = createOutbox({
    header,
    file: { ...file, append: never, rewrite: never, remove: never },
    onBrokenSpool: (error) => said.push(error),
    answerTimeoutMs: 500,
  });
  hanging.add(end);
  await hanging.written();
  expect(said).toEqual([new Error("The disk does not answer.")]);
  // Without a timer of its own, however busy the machine is.
  const first = Promise.race([hanging.written().then(() => "at once"), Bun.sleep(0).then(() => "after a while")]);
  expect(await first).toBe("at once");
  expect([hanging.pending().length, await hanging.close()]).toEqual([1, false]);
});
