import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { holdDatabase, openByUrl } from "../../test/folder-database";
import { makeFolder } from "../../test/harness";
import { testsOnPostgres } from "../../test/test-database";
import { type CommitCache, createCommitCache } from "./commit-cache";
import type { Database, DataVersions } from "./database";

test("what was read is kept for as long as the version stays the same", async () => {
  const cache = createCommitCache<string>(10, () => {});
  let reads = 0;
  const read = async () => `read ${++reads}`;
  expect([await cache.getOrLoad(1, "a", read), await cache.getOrLoad(1, "a", read)]).toEqual(["read 1", "read 1"]);
  expect(await cache.getOrLoad(2, "a", read)).toBe("read 2");
});

test("a read that was overtaken by a change is answered, but not kept for those who ask after the change", async () => {
  const cache = createCommitCache<string>(10, () => {});
  const slow = Promise.withResolvers<string>();
  const first = cache.getOrLoad(1, "a", () => slow.promise);
  const after = Promise.withResolvers<string>();
  const second = cache.getOrLoad(2, "a", () => after.promise);
  slow.resolve("old");
  expect(await first).toBe("old");
  after.resolve("new");
  expect(await second).toBe("new");
  expect(await isKept(cache, "a", 2)).toBe(true);
});

test("a read that was overtaken by a change is kept for the rest of its own snapshot", async () => {
  const cache = createCommitCache<string>(10, () => {});
  const slow = Promise.withResolvers<string>();
  const first = cache.getOrLoad(1, "a", () => slow.promise);
  await cache.getOrLoad(2, "a", async () => "new");
  slow.resolve("old");
  await first;
  expect(await cache.getOrLoad(1, "a", async () => "read again")).toBe("old");
});

test("whoever asks for what is being read waits for that, unless something has changed since it began", async () => {
  const cache = createCommitCache<string>(10, () => {});
  const slow = [Promise.withResolvers<string>(), Promise.withResolvers<string>()] as const;
  let reads = 0;
  const read = () => slow[reads++ === 0 ? 0 : 1].promise;
  const before = [cache.getOrLoad(1, "a", read), cache.getOrLoad(1, "a", read)];
  const after = [cache.getOrLoad(2, "a", read), cache.getOrLoad(2, "a", read)];
  slow[0].resolve("old");
  expect(await Promise.all(before)).toEqual(["old", "old"]);
  const late = cache.getOrLoad(2, "a", read);
  slow[1].resolve("new");
  expect(await Promise.all([...after, late])).toEqual(["new", "new", "new"]);
  expect(reads).toBe(2);
});

test("a read that fails is tried again", async () => {
  const cache = createCommitCache<string>(10, () => {});
  const fail = () => Promise.reject(new Error("away"));
  const failed = await Promise.allSettled([cache.getOrLoad(1, "a", fail), cache.getOrLoad(1, "a", fail)]);
  expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await cache.getOrLoad(1, "a", async () => "back")).toBe("back");
});

test("T37: a long key weighs as much as a long value", async () => {
  const cache = createCommitCache<string>(
    100,
    () => {},
    (text, key) => text.length + key.length,
  );
  const [one, other] = ["a".repeat(60), "b".repeat(60)];
  for (const key of [one, other]) await cache.getOrLoad(1, key, async () => "x");
  expect([await isKept(cache, other), await isKept(cache, one)]).toEqual([true, false]);
});

test("what was not used for the longest time is dropped first, by weight", async () => {
  const cache = createCommitCache<string>(
    10,
    () => {},
    (text) => text.length,
  );
  await cache.getOrLoad(1, "a", async () => "12345");
  await cache.getOrLoad(1, "b", async () => "12345");
  await cache.getOrLoad(1, "a", async () => "is kept");
  await cache.getOrLoad(1, "c", async () => "123");
  expect([await isKept(cache, "a"), await isKept(cache, "c"), await isKept(cache, "b")]).toEqual([true, true, false]);
});

test("what is larger than the cache is not kept, and evicts nothing", async () => {
  const cache = createCommitCache<string>(
    10,
    () => {},
    (text) => text.length,
  );
  await cache.getOrLoad(1, "a", async () => "12345");
  await cache.getOrLoad(1, "too large", async () => "12345678901");
  expect([await isKept(cache, "a"), await isKept(cache, "too large")]).toEqual([true, false]);
});

async function isKept(cache: CommitCache<string>, key: string, dataVersion = 1): Promise<boolean> {
  let wasRead = false;
  await cache.getOrLoad(dataVersion, key, async () => {
    wasRead = true;
    return "x";
  });
  return !wasRead;
}

/** The stamps that commits alone change. On PostgreSQL, a change that is undone moves the snapshot of the server on, too. */
async function committed(database: Database): Promise<Partial<DataVersions>> {
  const { any, ...domains } = await database.dataVersions();
  return testsOnPostgres() ? domains : { any, ...domains };
}

test("R10 the version of one connection changes with every commit of another, and only then", async () => {
  await withTwoDatabases(async (one, other) => {
    const before = (await one.dataVersions()).any;
    expect(await committed(one)).toEqual(await committed(one));
    await other.change((db) => db.insertInto("entities").values(entity("a")).execute());
    const after = (await one.dataVersions()).any;
    expect(after).not.toBe(before);
    await one.change((db) => db.insertInto("entities").values(entity("b")).execute());
    expect((await one.dataVersions()).any).not.toBe(after);
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
    const cache = createCommitCache<number>(10, () => {});
    const ask = async () =>
      cache.getOrLoad((await one.dataVersions()).any, "entities", () =>
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

test("R10 a snapshot stays as it was while others commit, and its versions tell it from the next", async () => {
  await withTwoDatabases(async (one, other) => {
    const count = async (db: Parameters<Parameters<Database["snapshot"]>[0]>[0]) =>
      (await db.selectFrom("entities").select("id").execute()).length;
    const first = await one.snapshot(async (db, { dataVersions: dataVersion }) => {
      const before = await count(db);
      await other.change((writer) => writer.insertInto("entities").values(entity("a")).execute());
      return { dataVersions: dataVersion, counts: [before, await count(db)] };
    });
    const second = await one.snapshot(async (db, { dataVersions: dataVersion }) => ({
      dataVersions: dataVersion,
      counts: [await count(db)],
    }));
    expect([first.counts, second.counts]).toEqual([[0, 0], [1]]);
    expect(second.dataVersions.any).not.toBe(first.dataVersions.any);
  });
});

test("R10 the version that a read looks at before it asks anything is that of what it then finds", async () => {
  await withTwoDatabases(async (one, other) => {
    const inBetween = [() => other.change((db) => db.insertInto("entities").values(entity("a")).execute())];
    const look = () =>
      one.snapshot(async (db, { dataVersions: dataVersion }) => {
        const seen = dataVersion.any;
        await inBetween.shift()?.();
        return { seen, ids: await db.selectFrom("entities").select("id").execute() };
      });
    await one.dataVersions();
    const first = await look();
    await one.dataVersions();
    const second = await look();
    expect(first.seen === second.seen).toBe(first.ids.length === second.ids.length);
    expect(second.ids).toEqual([{ id: "a" }]);
  });
});

test("R10 a read that asks nothing does not rely on versions from before the last commit", async () => {
  await withTwoDatabases(async (one, other) => {
    await one.dataVersions();
    const look = () => one.snapshot(async (_, { dataVersions: dataVersion }) => dataVersion.any);
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
  const cache = createCommitCache<string>(10, () => {});
  const [first, second] = [new AbortController(), new AbortController()];
  let shared: AbortSignal | undefined;
  const reading = Promise.withResolvers<string>();
  const read = (signal: AbortSignal) => {
    shared = signal;
    return reading.promise;
  };
  const asked = [cache.getOrLoad(1, "key", read, first.signal), cache.getOrLoad(1, "key", read, second.signal)];
  first.abort();
  expect(shared?.aborted).toBe(false);
  second.abort();
  expect(shared?.aborted).toBe(true);
  reading.resolve("read");
  expect(await Promise.all(asked)).toEqual(["read", "read"]);
});

test("a reading that all have left is shared with nobody who comes later", async () => {
  const cache = createCommitCache<string>(10, () => {});
  const client = new AbortController();
  const abandoned = cache.getOrLoad(1, "key", () => new Promise(() => {}), client.signal);
  client.abort();
  expect(await cache.getOrLoad(1, "key", async () => "read")).toBe("read");
  abandoned.catch(() => {});
});

test("a reading that is not shared waits for no other of the same, and is kept for those who come later", async () => {
  const cache = createCommitCache<string>(10, () => {});
  cache.getOrLoadAlone(1, "key", () => new Promise(() => {}));
  expect(await cache.getOrLoadAlone(1, "key", async () => "read")).toBe("read");
  expect(await isKept(cache, "key")).toBe(true);
});
