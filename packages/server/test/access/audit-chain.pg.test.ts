import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { sql } from "kysely";
import { rotateSigningKey } from "../../src/access/tokens/signing-keys";
import { exportEvents } from "../../src/audit/export-events";
import { openTrailer, requireTrusted } from "../../src/audit/export-trailer";
import { type AuditEntry, hashOf, recordEvent, recordEvents } from "../../src/audit/record-event";
import { requireIncluded, verifyChain } from "../../src/audit/verify-chain";
import { verifyExport } from "../../src/audit/verify-export";
import type { Queries } from "../../src/database/database";
import { createSealer } from "../../src/secrets/seal";
import { openPlane, type Plane, root } from "../harness";

const events = 12;
const awkward = "Ada\r\nforged: line\u001b[2J\u009b2J\u2028\u2029\u0085\u007f \ud800 \ufeff \ufffd straße 😀 \0";

let plane: Plane;
let exported: Buffer;
beforeAll(async () => {
  plane = await openPlane();
  await plane.database.change(async (db) => {
    for (let number = 1; number <= events; number++) await recordEvent(db, plane.controlPlane.sealer, entry(number));
  });
  exported = await readExport();
});
afterAll(() => plane.close());

function entry(number: number): AuditEntry {
  const userId = crypto.randomUUID();
  return {
    at: plane.clock.now + number,
    actor: { kind: "user", user_id: userId, token_id: crypto.randomUUID(), address: "127.0.0.1" },
    operation: number % 2 === 0 ? "update-user" : "create-role",
    object: number % 3 === 0 ? null : { type: "user", id: number % 4 === 0 ? awkward : userId },
    unitId: number % 5 === 0 ? null : root,
    requestId: crypto.randomUUID(),
    result: number % 6 === 0 ? "refused" : "done",
    before: number % 2 === 0 ? { full_name: "Ada" } : undefined,
    after: { full_name: awkward },
  };
}

async function readExport({ controlPlane, clock } = plane): Promise<Buffer> {
  const lines: string[] = [];
  await exportEvents(controlPlane, clock.now, (line) => {
    lines.push(`${line}\n`);
  });
  return Buffer.from(lines.join(""));
}

/** Carries a verdict out of a transaction that is undone. */
class Verdict extends Error {}

/** Verdict after tampering, which is then undone. */
async function verdictAfter(tamper: (db: Queries) => Promise<unknown>): Promise<string> {
  const undone = plane.database.change(async (db): Promise<never> => {
    await tamper(db);
    const verdict = await verifyChain(db, plane.controlPlane.sealer).then(
      () => "whole",
      (error: Error) => error.message,
    );
    throw new Verdict(verdict);
  });
  return undone.catch((error: unknown) => {
    if (error instanceof Verdict) return error.message;
    throw error;
  });
}

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += 700) yield bytes.subarray(from, from + 700);
}

const fileVerdict = (bytes: Uint8Array) =>
  verifyExport(chunksOf(bytes)).then(
    () => "whole",
    (error: Error) => error.message,
  );

describe("T26: in the database", () => {
  test("what was not touched is whole", async () => {
    expect(await verdictAfter(async () => {})).toBe("whole");
  });

  const columns = [
    "id",
    "created_at",
    "operation",
    "result",
    "actor_user_id",
    "actor_token_id",
    "object_type",
    "object_id",
    "organizational_unit_id",
    "document",
    "hash",
  ] as const;

  test("any altered character of any column of any event is found, and the event is named", async () => {
    const alteration = fc.record({
      number: fc.integer({ min: 1, max: events }),
      column: fc.constantFrom(...columns),
      position: fc.nat(),
      character: fc.constantFrom(...'aZ09 "\\{}é'),
    });
    await fc.assert(
      fc.asyncProperty(alteration, async ({ number, column, position, character }) => {
        let hasChanged = true;
        const verdict = await verdictAfter(async (db) => {
          const row = await db
            .selectFrom("audit_events")
            .select(column)
            .where("number", "=", number)
            .executeTakeFirst();
          const value = row?.[column] ?? null;
          const altered = typeof value === "number" ? value + position + 1 : alter(value, position, character);
          hasChanged = altered !== value;
          await db
            .updateTable("audit_events")
            .set({ [column]: altered })
            .where("number", "=", number)
            .execute();
        });
        expect(verdict).toMatch(hasChanged ? new RegExp(`^Event ${number} was altered: `) : /^whole$/);
      }),
      { numRuns: 400 },
    );
  });

  test("a dropped, moved, swapped, doubled or invented event is found, and so is an end that was cut off", async () => {
    const each = Array.from({ length: events }, (_, index) => index + 1);
    for (const number of each) {
      expect(
        await verdictAfter((db) => db.deleteFrom("audit_events").where("number", "=", number).execute()),
      ).toStartWith(`Event ${number} is missing`);
      expect(
        await verdictAfter((db) =>
          db.updateTable("audit_events").set({ number: -number }).where("number", "=", number).execute(),
        ),
      ).toBe(`Event ${-number} does not belong there: the first event has the number 1.`);
      expect(await verdictAfter((db) => db.deleteFrom("audit_events").where("number", ">=", number).execute())).toBe(
        `Event ${number} is missing: the audit trail has to end with event ${events}.`,
      );
    }
    for (const number of each.slice(1)) {
      expect(await verdictAfter((db) => swap(db, number - 1, number))).toMatch(
        new RegExp(`^Event ${number - 1} (was altered|is missing)`),
      );
    }
    expect(await verdictAfter((db) => double(db, 3, events + 1))).toStartWith(`Event ${events + 1} is missing`);
  });

  test("a chain that was written anew, hashes and all, is found by its sealed end", async () => {
    const stranger = createSealer(new Uint8Array(32).fill(7));
    const verdict = await verdictAfter(async (db) => {
      await db.deleteFrom("audit_events").where("number", "=", events).execute();
      const [last] = await db
        .selectFrom("audit_events")
        .select("hash")
        .where("number", "=", events - 1)
        .execute();
      const sealed = stranger.seal(JSON.stringify([events - 1, last?.hash]), "audit head");
      await db.updateTable("audit_head").set({ sealed }).execute();
    });
    expect(verdict).toBe(
      "The end of the audit trail cannot be found, because the sealed end of the audit trail was altered.",
    );
    expect(await verdictAfter((db) => db.deleteFrom("audit_head").execute())).toBe(
      "The end of the audit trail cannot be found, because the sealed end of the audit trail is missing.",
    );
  });

  test("an event that was written anew with its right hash is found by the next one, and the last one by the sealed end", async () => {
    const rewrite = (number: number, change: (content: object) => object) =>
      verdictAfter(async (db) => {
        const event = db.selectFrom("audit_events").select("document").where("number", "=", number);
        const document = JSON.stringify(change(JSON.parse((await event.executeTakeFirstOrThrow()).document)));
        const altered = { document, hash: hashOf(document) };
        await db.updateTable("audit_events").set(altered).where("number", "=", number).execute();
      });
    const other = (content: object) => ({ ...content, after: { full_name: "Eve" } });
    expect(await rewrite(5, other)).toBe("Event 6 was replaced, or the one before it: they do not follow each other.");
    expect(await rewrite(events, other)).toBe(
      `Event ${events} was replaced: it is not the one that the sealed end speaks of.`,
    );
    expect(await rewrite(5, () => ({}))).toBe("Event 5 was replaced by something that is no event.");
  });

  test("an event that was added behind the sealed end is found", async () => {
    const verdict = await verdictAfter(async (db) => {
      const { sealed } = await db.selectFrom("audit_head").select("sealed").executeTakeFirstOrThrow();
      await recordEvent(db, plane.controlPlane.sealer, entry(events + 1));
      await db.updateTable("audit_head").set({ sealed }).execute();
    });
    expect(verdict).toBe(`Event ${events + 1} was added: the audit trail has to end with event ${events}.`);
  });

  test("an event that comes after the end was cut off does not cover that up", async () => {
    const verdict = await verdictAfter(async (db) => {
      await db.deleteFrom("audit_events").where("number", "=", events).execute();
      await recordEvent(db, plane.controlPlane.sealer, entry(events));
    });
    expect(verdict).toBe(`Event ${events} is missing: after event ${events - 1} comes number ${events + 1}.`);
  });

  test("a database that fails is no altered trail", async () => {
    const verdict = await verdictAfter((db) => sql`drop table audit_head`.execute(db));
    expect(verdict).toContain("audit_head");
    expect(verdict).not.toContain("The end of the audit trail");
  });

  test("more events than are read at once are followed to the last one", async () => {
    const long = await openPlane();
    const { sealer } = long.controlPlane;
    const verify = () => long.database.snapshot(async (db) => (await verifyChain(db, sealer)).end.count);
    const entries = Array.from({ length: 1_001 }, (_, index) => entry(index + 1));
    await long.database.change((db) => recordEvents(db, sealer, entries));
    expect(await verify()).toBe(1_001);
    await long.database.change((db) => db.deleteFrom("audit_events").where("number", "=", 1_001).execute());
    await expect(verify()).rejects.toThrow("Event 1001 is missing: the audit trail has to end with event 1001.");
    await long.close();
  });

  test("nothing more is written once the sealed end is gone", async () => {
    const failure = plane.database.change(async (db) => {
      await db.deleteFrom("audit_head").execute();
      await recordEvent(db, plane.controlPlane.sealer, entry(1));
    });
    await expect(failure).rejects.toThrow(/^Nothing was done, because the audit event could not be written/);
  });
});

describe("T26: in an export", () => {
  test("events are one line each, whatever their names hold, and the file is whole", async () => {
    const text = exported.toString();
    expect(text.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/)).toHaveLength(events + 2);
    expect(/[^\P{Cc}\n]/u.test(text)).toBe(false);
    const lines = text.trimEnd().split("\n");
    expect(JSON.parse(lines[0] ?? "").after).toEqual({ full_name: awkward });
    expect(await fileVerdict(exported)).toBe("whole");
    expect(JSON.parse(lines.at(-1) ?? "").trailer).toMatchObject({
      count: events,
      first_hash: JSON.parse(lines[0] ?? "").hash,
      last_hash: JSON.parse(lines.at(-2) ?? "").hash,
    });
  });

  test("every single byte that is altered, removed or doubled is found", async () => {
    const small = await openPlane();
    await small.database.change(async (db) => {
      for (const number of [1, 2, 4]) await recordEvent(db, small.controlPlane.sealer, entry(number));
    });
    const bytes = await readExport(small);
    await small.close();
    const missed: string[] = [];
    for (let at = 0; at < bytes.length; at++) {
      const flipped = Buffer.from(bytes);
      flipped[at] = (flipped[at] ?? 0) ^ (1 << (at % 8));
      const removed = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]);
      const doubled = Buffer.concat([bytes.subarray(0, at + 1), bytes.subarray(at)]);
      const verdicts = await Promise.all([flipped, removed, doubled].map(fileVerdict));
      missed.push(...verdicts.filter((verdict) => verdict === "whole").map(() => `byte ${at}`));
    }
    expect(missed).toEqual([]);
  });

  test("any dropped, swapped, doubled or added line is found, and so is an end that was cut off", async () => {
    const lines = exported.toString().split(/(?<=\n)/);
    const join = (parts: string[]) => Buffer.from(parts.join(""));
    for (let at = 0; at < lines.length; at++) {
      const [line = "", next = ""] = lines.slice(at, at + 2);
      const verdicts = [
        await fileVerdict(join(lines.toSpliced(at, 1))),
        await fileVerdict(join(lines.toSpliced(at, 0, line))),
        await fileVerdict(join(lines.slice(0, at))),
        await fileVerdict(join(lines.toSpliced(at, 2, `${next}${line}x`))),
        await fileVerdict(join(lines.toSpliced(at, 0, "\n"))),
        await fileVerdict(join(lines.toSpliced(at, 0, "\ufeff"))),
      ];
      expect(verdicts).not.toContain("whole");
    }
    expect(await fileVerdict(Buffer.from(""))).toBe("The trailer is missing: the file was cut off after event 0.");
  });

  test("a trailer for fewer events, signed by another control plane, is whole but not trusted", async () => {
    const other = await openPlane();
    const lines: string[] = [];
    await exportEvents(other.controlPlane, other.clock.now, (line) => {
      lines.push(line);
    });
    const forged = await openTrailer(lines.join(""));
    const genuine = await openTrailer(exported.toString().trimEnd().split("\n").at(-1) ?? "");
    const { keys } = (await plane.ask("/.well-known/jwks.json")).body;
    expect(() => requireTrusted(genuine, keys)).not.toThrow();
    expect(() => requireTrusted(forged, keys)).toThrow("which is not one of the given keys");
    expect(() => requireTrusted({ ...forged, public_key: { ...forged.public_key, kid: keys[0].kid } }, keys)).toThrow();
    expect((await verifyExport(chunksOf(Buffer.from(`${lines.join("")}\n`)))).count).toBe(0);
    await other.close();
  });

  test("an export from before is part of what the database has, and no other one is", async () => {
    const { count, last_hash: hash } = await verifyExport(chunksOf(exported));
    const included = (end: { count: number; hash: string }) =>
      plane.database.snapshot((db) => requireIncluded(db, end).then(() => true));
    expect(await included({ count, hash })).toBe(true);
    expect(await included({ count: 0, hash: "0".repeat(64) })).toBe(true);
    await expect(included({ count: 1, hash })).rejects.toThrow("Event 1 of the database is missing");
    await expect(included({ count, hash: "0".repeat(64) })).rejects.toThrow(
      `Event ${count} of the database is missing`,
    );
    await expect(included({ count: count + 1, hash })).rejects.toThrow(`Event ${count + 1} of the database is missing`);
  });

  test("stays whole after the key that signed it was replaced, and a tampered trail gets no trailer", async () => {
    const { sealer } = plane.controlPlane;
    await plane.database.change((db) => rotateSigningKey(db, sealer, plane.clock.now));
    expect(await fileVerdict(exported)).toBe("whole");
    const row = await plane.database.snapshot((db) =>
      db.selectFrom("audit_events").select("result").where("number", "=", 5).executeTakeFirstOrThrow(),
    );
    const set = (result: string) =>
      plane.database.change((db) => db.updateTable("audit_events").set({ result }).where("number", "=", 5).execute());
    await set("refused");
    await expect(readExport()).rejects.toThrow("Event 5 was altered: its column result is not what its content says.");
    await set(row.result);
  });
});

function alter(value: string | null, position: number, character: string): string {
  const text = value ?? "";
  const at = position % (text.length + 1);
  return `${text.slice(0, at)}${character}${text.slice(at + 1)}`;
}

async function swap(db: Queries, one: number, other: number): Promise<void> {
  const move = (from: number, to: number) =>
    db.updateTable("audit_events").set({ number: to }).where("number", "=", from).execute();
  await move(one, -1);
  await move(other, one);
  await move(-1, other);
}

async function double(db: Queries, number: number, as: number): Promise<void> {
  const row = await db.selectFrom("audit_events").selectAll().where("number", "=", number).executeTakeFirstOrThrow();
  await db
    .insertInto("audit_events")
    .values({ ...row, number: as, id: crypto.randomUUID() })
    .execute();
}
