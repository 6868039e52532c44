import { expect, test } from "bun:test";
import { createReaders, type Readers } from "./readers";
import type { Work } from "./work";

const asked = (caller: string, signal = new AbortController().signal) => ({ caller, signal });
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Work that needs more steps than quick work may make; it notes when it is begun in earnest, and when it has ended. */
function longWorkOf(name: string, notes: string[], end: () => boolean) {
  return async (work: Work) => {
    if (work.isLong) notes.push(`${name} begins`);
    const startedAt = performance.now();
    try {
      while (!work.isLong || !end()) {
        await work.step();
        // Quick work keeps all others waiting, so time passes without giving way.
        while (!work.isLong && performance.now() - startedAt < 50);
      }
      return name;
    } finally {
      if (work.isLong) notes.push(`${name} ends`);
    }
  };
}

function start(
  readers: Readers,
  notes: string[],
  caller: string,
  name: string,
  end: () => boolean,
  signal?: AbortSignal,
) {
  const reading = readers.read(asked(caller, signal), longWorkOf(name, notes, end));
  reading.catch(() => {});
  return reading;
}

test("what is done in a moment is done at once, and never becomes long work", async () => {
  const readers = createReaders({ atOnce: 1, timeoutMs: 1_000 });
  const isLong = await readers.read(asked("a"), async (work) => {
    await work.step();
    return work.isLong;
  });
  expect(isLong).toBe(false);
});

test("T39: a caller has one long reading at a time, and holds up no other caller", async () => {
  // All begin as long work, so that none depends on how quick the machine is.
  const readers = createReaders({ atOnce: 2, timeoutMs: 60_000, mustYield: () => true });
  const notes: string[] = [];
  let isOver = false;
  const all = [
    start(readers, notes, "greedy", "first", () => isOver),
    start(readers, notes, "greedy", "second", () => isOver),
    start(readers, notes, "greedy", "third", () => isOver),
  ];
  await pause(20);
  expect(await start(readers, notes, "other", "other's", () => true)).toBe("other's");
  expect(notes).toEqual(["first begins", "other's begins", "other's ends"]);
  isOver = true;
  expect(await Promise.all(all)).toEqual(["first", "second", "third"]);
});

test("T39: work whose client has left stops at its next step, and lets the next one begin", async () => {
  const readers = createReaders({ atOnce: 1, timeoutMs: 60_000 });
  const notes: string[] = [];
  const client = new AbortController();
  const abandoned = start(readers, notes, "a", "abandoned", () => false, client.signal);
  const waiting = start(readers, notes, "b", "next", () => true);
  await pause(20);
  client.abort();
  await expect(abandoned).rejects.toThrow();
  expect(await waiting).toBe("next");
  expect(notes).toEqual(["abandoned begins", "abandoned ends", "next begins", "next ends"]);
});

test("T39: a client that leaves while it waits gives its place up", async () => {
  const readers = createReaders({ atOnce: 1, timeoutMs: 60_000 });
  const notes: string[] = [];
  const client = new AbortController();
  let isOver = false;
  const running = start(readers, notes, "a", "running", () => isOver);
  const left = start(readers, notes, "b", "left", () => true, client.signal);
  await pause(20);
  client.abort();
  await expect(left).rejects.toThrow();
  isOver = true;
  await running;
  expect(notes).toEqual(["running begins", "running ends"]);
});

test("T39: work that takes too long, also by waiting, is refused with a sentence that says how to narrow the filter", async () => {
  const readers = createReaders({ atOnce: 1, timeoutMs: 100 });
  const notes: string[] = [];
  const running = start(readers, notes, "a", "running", () => false);
  const waiting = start(readers, notes, "b", "waiting", () => false);
  for (const reading of [running, waiting]) {
    const error = await reading.catch((refusal: unknown) => refusal);
    expect(error).toMatchObject({
      status: 503,
      headers: { "Retry-After": "5" },
      body: {
        errors: [
          {
            error_code: 50304,
            error_message:
              "This filter takes too long. Narrow it, for example to a shorter created_timestamp range or to exact values, and send it again.",
          },
        ],
      },
    });
  }
});

test("T21: the callers of one unit wait with half of all long readings at most, and others are not refused", async () => {
  const readers = createReaders({ atOnce: 1, timeoutMs: 60_000, mustYield: () => true });
  let isOver = false;
  const readIn = (unitId: string, caller: string) => {
    const reading = readers.read(
      { ...asked(caller), unitId },
      longWorkOf(caller, [], () => isOver),
    );
    reading.catch(() => {});
    return reading;
  };
  // The first one is read, the others wait.
  const unit = Array.from({ length: 101 }, (_, n) => readIn("greedy", `caller ${n % 10}`));
  await pause(20);
  const refused = readIn("greedy", "one more").catch((error: unknown) => error);
  const other = readIn("other", "other");
  await pause(20);
  isOver = true;
  expect(await refused).toMatchObject({ status: 503, headers: { "Retry-After": "5" } });
  expect(await other).toBe("other");
  expect((await Promise.all(unit)).length).toBe(101);
});

test("R15: others have their turn between the steps of quick work", async () => {
  const readers = createReaders({ atOnce: 1, timeoutMs: 60_000 });
  const notes: string[] = [];
  const reading = readers.read(asked("a"), async (work) => {
    for (let step = 1; step <= 3; step++) {
      await work.step();
      notes.push(`step ${step}`);
      const startedAt = performance.now();
      while (performance.now() - startedAt < 6);
    }
  });
  setImmediate(() => notes.push("other"));
  await reading;
  // A busy machine may pause even before the first step.
  expect(notes.filter((note) => note !== "other").slice(-3)).toEqual(["step 1", "step 2", "step 3"]);
  expect(notes.slice(0, 2)).toContain("other");
});

test("R15: the reading of a caller that has to yield begins as long work, and pauses between its steps", async () => {
  const readers = createReaders({ atOnce: 1, timeoutMs: 60_000, mustYield: (caller) => caller === "greedy" });
  const take = async (work: Work) => {
    await work.step();
    const startedAt = performance.now();
    while (performance.now() - startedAt < 20);
    const stepAt = performance.now();
    await work.step();
    return { isLong: work.isLong, paused: performance.now() - stepAt };
  };
  expect(await readers.read(asked("other"), async (work) => work.isLong)).toBe(false);
  const greedy = await readers.read(asked("greedy"), take);
  expect(greedy.isLong).toBe(true);
  expect(greedy.paused).toBeGreaterThan(30);
});
