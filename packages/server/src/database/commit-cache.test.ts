import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { holdDatabase, openByUrl } from "../../test/folder-database";
import { makeFolder } from "../../test/harness";
import { testsOnPostgres } from "../../test/test-database";
import { type CommitCache, createCommitCache } from "./commit-cache";
import type { Database, Stamps } from "./database";

test("what was read is kept for as long as the stamp stays the same", async () => {
  const memory = createCommitCache<string>(10, () => {});
  let reads = 0;
  const read = async () => `read ${++reads}`;
  expect([await memory.getOrLoad(1, "a", read), await memory.getOrLoad(1, "a", read)]).toEqual(["read 1", "read 1"]);
  expect(await memory.getOrLoad(2, "a", read)).toBe("read 2");
});

test("a read that was overtaken by a change is answered, but not kept for those who ask after the change", async () => {
  const memory = createCommitCache<string>(10, () => {});
  const slow = Promise.withResolvers<string>();
  const first = memory.getOrLoad(1, "a", () => slow.promise);
  const after = Promise.withResolvers<string>();
  const second = memory.getOrLoad(2, "a", () => after.promise);
  slow.resolve("old");
  expect(await first).toBe("old");
  after.resolve("new");
  expect(await second).toBe("new");
  expect(await isKept(memory, "a", 2)).toBe(true);
});

test("a read that was overtaken by a change is kept for the rest of its own snapshot", async () => {
  const memory = createCommitCache<string>(10, () => {});
  const slow = Promise.withResolvers<string>();
  const first = memory.getOrLoad(1, "a", () => slow.promise);
  await memory.getOrLoad(2, "a", async () => "new");
  slow.resolve("old");
  await first;
  expect(await memory.getOrLoad(1, "a", async () => "read again")).toBe("old");
});

test("whoever asks for what is being read waits for that, unless something has changed since it began", async () => {
  const memory = createCommitCache<string>(10, () => {});
  const slow = [Promise.withResolvers<string>(), Promise.withResolvers<string>()] as const;
  let reads = 0;
  const read = () => slow[reads++ === 0 ? 0 : 1].promise;
  const before = [memory.getOrLoad(1, "a", read), memory.getOrLoad(1, "a", read)];
  const after = [memory.getOrLoad(2, "a", read), memory.getOrLoad(2, "a", read)];
  slow[0].resolve("old");
  expect(await Promise.all(before)).toEqual(["old", "old"]);
  const late = memory.getOrLoad(2, "a", read);
  slow[1].resolve("new");
  expect(await Promise.all([...after, late])).toEqual(["new", "new", "new"]);
  expect(reads).toBe(2);
});

test("a read that fails is tried again", async () => {
  const memory = createCommitCache<string>(10, () => {});
  const fail = () => Promise.reject(new Error("away"));
  const failed = await Promise.allSettled([memory.getOrLoad(1, "a", fail), memory.getOrLoad(1, "a", fail)]);
  expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await memory.getOrLoad(1, "a", async () => "back")).toBe("back");
});

test("T37: a long key weighs as much as a long value", async () => {
  const memory = createCommitCache<string>(
    100,
    () => {},
    (text, key) => text.length + key.length,
  );
  const [one, other] = ["a".repeat(60), "b".repeat(60)];
  for (const key of [one, other]) await memory.getOrLoad(1, key, async () => "x");
  expect([await isKept(memory, other), await isKept(memory, one)]).toEqual([true, false]);
});

test("what was not used for the longest time is dropped first, by weight", async () => {
  const memory = createCommitCache<string>(
    10,
    () => {},
    (text) => text.length,
  );
  await memory.getOrLoad(1, "a", async () => "12345");
  await memory.getOrLoad(1, "b", async () => "12345");
  await memory.getOrLoad(1, "a", async () => "is kept");
  await memory.getOrLoad(1, "c", async () => "123");
  expect([await isKept(memory, "a"), await isKept(memory, "c"), await isKept(memory, "b")]).toEqual([
    true,
    true,
    false,
  ]);
});

test("what is larger than the cache is not kept, and evicts nothing", async () => {
  const memory = createCommitCache<string>(
    10,
    () => {},
    (text) => text.length,
  );
  await memory.getOrLoad(1, "a", async () => "12345");
  await memory.getOrLoad(1, "too large", async () => "12345678901");
  expect([await isKept(memory, "a"), await isKept(memory, "too large")]).toEqual([true, false]);
});

async function isKept(memory: CommitCache<string>, key: string, stamp = 1): Promise<boolean> {
  let wasRead = false;
  await memory.getOrLoad(stamp, key, async () => {
    wasRead = true;
    return "x";
  });
  return !wasRead;
}

/** The stamps that commits alone change. On PostgreSQL, a change that is undone moves the snapshot of the server on, too. */
async function committed(database: Database): Promise<Partial<Stamps>> {
  const { any, ...domains } = await database.stamp();
  return testsOnPostgres() ? domains : { any, ...domains };
}

test("R10 the stamp of one connection changes with every commit of another, and only then", async () => {
  await withTwoDatabases(async (one, other) => {
    const before = (await one.stamp()).any;
    expect(await committed(one)).toEqual(await committed(one));
    await other.change((db) => db.insertInto("entities").values(entity("a")).execute());
    const after = (await one.stamp()).any;
    expect(after).not.toBe(before);
    await one.change((db) => db.insertInto("entities").values(entity("b")).execute());
    expect((await one.stamp()).any).not.toBe(after);
    const failed = other.change(async (db) => {
      await db.insertInto("entities").values(entity("c")).execute();
      throw new Error("undone");
    });
    const settled = await committed(one);
    await expect(failed).rejects.toThrow("undone");
    expect(await committed(one)).toEqual(settled);
  });
});

test("R10 what is remembered is never older than the last commit of another connection", async () => {
  await withTwoDatabases(async (one, other) => {
    const memory = createCommitCache<number>(10, () => {});
    const ask = async () =>
      memory.getOrLoad((await one.stamp()).any, "entities", () =>
        one.snapshot(async (db) => (await db.selectFrom("entities").select("id").execute()).length),
      );
    for (let count = 0; count < 200; count++) {
      expect(await ask()).toBe(count);
      await other.change((db) =>
        db
          .insertInto("entities")
          .values(entity(String(count)))
          .execute(),
      );
    }
  });
});

test("R10 a snapshot stays as it was while others commit, and its stamp tells it from the next", async () => {
  await withTwoDatabases(async (one, other) => {
    const count = async (db: Parameters<Parameters<Database["snapshot"]>[0]>[0]) =>
      (await db.selectFrom("entities").select("id").execute()).length;
    const first = await one.snapshot(async (db, { stamp }) => {
      const before = await count(db);
      await other.change((writer) => writer.insertInto("entities").values(entity("a")).execute());
      return { stamp, counts: [before, await count(db)] };
    });
    const second = await one.snapshot(async (db, { stamp }) => ({ stamp, counts: [await count(db)] }));
    expect([first.counts, second.counts]).toEqual([[0, 0], [1]]);
    expect(second.stamp.any).not.toBe(first.stamp.any);
  });
});

test("R10 the stamp that a read looks at before it asks anything is that of what it then finds", async () => {
  await withTwoDatabases(async (one, other) => {
    const inBetween = [() => other.change((db) => db.insertInto("entities").values(entity("a")).execute())];
    const look = () =>
      one.snapshot(async (db, { stamp }) => {
        const seen = stamp.any;
        await inBetween.shift()?.();
        return { seen, ids: await db.selectFrom("entities").select("id").execute() };
      });
    await one.stamp();
    const first = await look();
    await one.stamp();
    const second = await look();
    expect(first.seen === second.seen).toBe(first.ids.length === second.ids.length);
    expect(second.ids).toEqual([{ id: "a" }]);
  });
});

test("R10 a read that asks nothing does not rely on a stamp from before the last commit", async () => {
  await withTwoDatabases(async (one, other) => {
    await one.stamp();
    const look = () => one.snapshot(async (_, { stamp }) => stamp.any);
    const before = await look();
    await other.change((db) => db.insertInto("entities").values(entity("a")).execute());
    expect(await look()).not.toBe(before);
  });
});

async function withTwoDatabases(work: (one: Database, other: Database) => Promise<void>): Promise<void> {
  const folder = makeFolder();
  const held = await holdDatabase(folder);
  const one = await openByUrl(held.url);
  const other = await openByUrl(held.url);
  await work(one, other);
  await one.close();
  await other.close();
  await held.release();
  rmSync(folder, { recursive: true });
}

function entity(id: string) {
  return { id, type: "host", value: id, id_folded: id, value_folded: id };
}

test("a reading that several share goes on until all of them have left", async () => {
  const memory = createCommitCache<string>(10, () => {});
  const [first, second] = [new AbortController(), new AbortController()];
  let shared: AbortSignal | undefined;
  const reading = Promise.withResolvers<string>();
  const read = (signal: AbortSignal) => {
    shared = signal;
    return reading.promise;
  };
  const asked = [memory.getOrLoad(1, "key", read, first.signal), memory.getOrLoad(1, "key", read, second.signal)];
  first.abort();
  expect(shared?.aborted).toBe(false);
  second.abort();
  expect(shared?.aborted).toBe(true);
  reading.resolve("read");
  expect(await Promise.all(asked)).toEqual(["read", "read"]);
});

test("a reading that all have left is shared with nobody who comes later", async () => {
  const memory = createCommitCache<string>(10, () => {});
  const client = new AbortController();
  const abandoned = memory.getOrLoad(1, "key", () => new Promise(() => {}), client.signal);
  client.abort();
  expect(await memory.getOrLoad(1, "key", async () => "read")).toBe("read");
  abandoned.catch(() => {});
});

test("a reading that is not shared waits for no other of the same, and is kept for those who come later", async () => {
  const memory = createCommitCache<string>(10, () => {});
  memory.getOrLoadAlone(1, "key", () => new Promise(() => {}));
  expect(await memory.getOrLoadAlone(1, "key", async () => "read")).toBe("read");
  expect(await isKept(memory, "key")).toBe(true);
});
