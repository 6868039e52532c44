import { afterAll, expect, test } from "bun:test";
import fc from "fast-check";
import { runs } from "../runs";
import { openReportingPlane } from "./reporting-plane";

const limit = 40;
const plane = await openReportingPlane({ task_log_limit: String(limit) });
afterAll(plane.close);
const { token: owner } = await plane.serviceToken("owner");

/** Step of a runner with its log: it writes, sends some of it again, or loses some of it. */
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("write" as const), text: text() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("again" as const), back: fc.nat(30), text: text() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("lose" as const), text: text(), after: text() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("skip" as const), text: text(), after: text() }) },
);

function text() {
  return fc
    .array(fc.constantFrom("a", "\n", "ü", "€", "\u{1f600}"), { minLength: 1, maxLength: 12 })
    .map((all) => all.join(""));
}

/** The log as it should be: every character with the byte at which it begins, and whether it was ever sent. */
interface Character {
  text: string;
  at: number;
  isSent: boolean;
}

const bytesOf = (one: string) => Buffer.byteLength(one);

/** The text that is kept, with a mark where something is missing: written from the contract, apart from the code. */
function expectedText(characters: readonly Character[]): string {
  const size = characters.reduce((sum, one) => sum + bytesOf(one.text), 0);
  const head = Math.floor(limit / 4);
  const tail = size - (limit - head);
  return characters
    .map(({ text: one, at, isSent }) => {
      const isKept = size <= limit || at + bytesOf(one) <= head || at >= tail;
      return isSent && isKept ? one : "~";
    })
    .join("")
    .replace(/~+/g, "~");
}

/** Reads a log in small parts from its beginning. */
async function walkLog(id: string): Promise<string> {
  let read = "";
  for (let offset = 0; ; ) {
    const { body } = await plane.ask(`/tasks/${id}/log?offset=${offset}&limit=7`, { token: owner });
    read += body.dropped === null ? body.text : `~${body.text}`;
    if (body.next_offset >= body.size) return read;
    offset = body.next_offset;
  }
}

async function append(id: string, body: object): Promise<number> {
  const { body: answer } = await plane.batch([
    { operation: "log", task_id: id, body },
    { operation: "create", task_id: id, body: { category: "backup", type: "restic_backup" } },
  ]);
  return answer.results[0].status;
}

test("random writes, repeats, gaps and losses leave the log that the rules say", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const id: string = (await plane.create({})).body.id;
      const log: Character[] = [];
      const size = () => log.reduce((sum, one) => sum + bytesOf(one.text), 0);
      const write = (written: string, isSent: boolean) => {
        for (const one of written) log.push({ text: one, at: size(), isSent });
      };
      for (const one of steps) {
        const before = log.slice(Math.max(0, log.length - ("back" in one ? one.back : 0)));
        const offset = before[0]?.at ?? size();
        const lost = "after" in one ? one.text : "";
        const sent =
          one.kind === "again"
            ? before.map((known) => known.text).join("") + one.text
            : "after" in one
              ? one.after
              : one.text;
        const at = one.kind === "again" ? offset : size() + bytesOf(lost);
        const status = await append(id, { offset: at, text: sent, ...(one.kind === "lose" ? { gap: true } : {}) });
        expect(status).toBe(one.kind === "skip" ? 409 : 200);
        const added = "after" in one ? one.after : one.text;
        // A refused piece has left nothing behind.
        write(one.kind === "skip" ? "" : lost, false);
        write(one.kind === "skip" ? "" : added, true);
      }
      expect(await walkLog(id)).toBe(expectedText(log));
    }),
    runs(40),
  );
});
