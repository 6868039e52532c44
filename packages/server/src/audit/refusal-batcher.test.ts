import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { AuditActor, AuditEntry } from "./record-event";
import { type CountedRefusal, createRefusalBatcher, type RefusalBatcher } from "./refusal-batcher";

const person = (user: string, token = `${user}'s token`, address = "192.0.2.1"): AuditActor => ({
  kind: "user",
  user_id: user,
  token_id: token,
  address,
});
const stranger = (address: string): AuditActor => ({ kind: "nobody", user_id: null, token_id: null, address });
const nobody: AuditActor = { kind: "nobody", user_id: null, token_id: null, address: null };

const refusal = (actor: AuditActor, id: string): AuditEntry => ({
  at: 1,
  actor,
  operation: "delete-user",
  object: { type: "user", id },
  unitId: "unit",
  requestId: `request for ${id}`,
  result: "refused",
  reason: "permissionMissing",
});
const sum = (actor: AuditActor, count: number, unitId: string | null = null): CountedRefusal => ({
  at: 1,
  actor,
  operation: "many",
  object: null,
  unitId,
  requestId: null,
  result: "refused",
  reason: "many refusals",
  count,
});

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
const total = (batcher: RefusalBatcher) => batcher.entries().reduce((all, { count }) => all + count, 0);

describe("T26: refusals that are gathered", () => {
  test("are one with a count where they are alike", () => {
    const batcher = createRefusalBatcher();
    for (const _ of numbers(3)) batcher.add(refusal(person("Ada"), "7"));
    batcher.add(refusal(person("Ada"), "8"));
    expect(batcher.entries()).toEqual([
      { ...refusal(person("Ada"), "7"), count: 3 },
      { ...refusal(person("Ada"), "8"), count: 1 },
    ]);
  });

  test("of one actor are summed up beyond 20 kinds, and those of others are told of whole beside them", () => {
    const batcher = createRefusalBatcher();
    for (const at of numbers(1000)) batcher.add(refusal(person("flood"), `${at}`));
    batcher.add(refusal(person("spy"), "secret"));
    batcher.add(refusal(stranger("198.51.100.7"), "account"));
    batcher.add(refusal(person("flood"), "0"));
    expect(batcher.entries()).toEqual([
      { ...refusal(person("flood"), "0"), count: 2 },
      ...numbers(19).map((at) => ({ ...refusal(person("flood"), `${at + 1}`), count: 1 })),
      { ...refusal(person("spy"), "secret"), count: 1 },
      { ...refusal(stranger("198.51.100.7"), "account"), count: 1 },
      sum(person("flood"), 980, "unit"),
    ]);
  });

  test("of one actor in one unit do not hide what the same one is refused in another", () => {
    const batcher = createRefusalBatcher();
    for (const at of numbers(30)) batcher.add(refusal(person("spy"), `${at}`));
    batcher.add({ ...refusal(person("spy"), "secret"), unitId: "other" });
    expect(batcher.entries().slice(20)).toEqual([sum(person("spy"), 10, "unit"), sum(person("spy"), 1, "other")]);
  });

  test("keep their actor when several fill up what is told apart", () => {
    const batcher = createRefusalBatcher();
    for (const who of numbers(6)) for (const at of numbers(30)) batcher.add(refusal(person(`${who}`), `${at}`));
    batcher.add(refusal(person("spy"), "secret"));
    expect(batcher.entries().slice(100)).toEqual([
      ...numbers(5).map((who) => sum(person(`${who}`), 10, "unit")),
      sum(person("5"), 30, "unit"),
      sum(person("spy"), 1, "unit"),
    ]);
  });

  test("keep the account of who comes from many addresses with many tokens, however many strangers there are", () => {
    const batcher = createRefusalBatcher();
    for (const at of numbers(1000)) batcher.add(refusal(stranger(`2001:db8::${at}`), "account"));
    for (const at of numbers(300)) batcher.add(refusal(person("spy", `token ${at}`, `2001:db8::${at}`), "secret"));
    const account = { kind: "user", user_id: "spy", token_id: null, address: null };
    expect(batcher.entries().slice(200)).toEqual([sum(nobody, 800), sum(account, 300)]);
  });

  test("are nobody's only where there are hundreds of accounts, and stay few", () => {
    const batcher = createRefusalBatcher();
    for (const at of numbers(5000)) batcher.add(refusal(person(`${at}`), "x"));
    expect(batcher.entries()).toHaveLength(301);
    expect(batcher.entries().at(-1)).toEqual(sum(nobody, 4700));
  });

  test("are all counted once, never too many, and nobody is said to have done more than they did", () => {
    const actor = fc.record({ user: fc.integer({ min: 0, max: 400 }), address: fc.integer({ min: 0, max: 2 }) });
    const adding = fc.record({ actor, kinds: fc.integer({ min: 1, max: 40 }), count: fc.integer({ min: 1, max: 3 }) });
    const round = fc.record({ additions: fc.array(adding, { maxLength: 150 }), isWritten: fc.boolean() });
    fc.assert(
      fc.property(fc.array(round, { maxLength: 6 }), (rounds) => {
        const done = new Map<string | null, number>();
        const told = new Map<string | null, number>();
        let pending = createRefusalBatcher();
        let [noted, written] = [0, 0];
        for (const { additions, isWritten } of rounds) {
          const taken = pending.entries();
          pending = createRefusalBatcher();
          for (const { actor, kinds, count } of additions) {
            const user = `${actor.user}`;
            for (const at of numbers(kinds)) {
              pending.add({ ...refusal(person(user, user, `192.0.2.${actor.address}`), `${at}`), count });
            }
            noted += kinds * count;
            done.set(user, (done.get(user) ?? 0) + kinds * count);
          }
          for (const { actor, count } of isWritten ? taken : []) {
            written += count;
            told.set(actor.user_id, (told.get(actor.user_id) ?? 0) + count);
          }
          for (const entry of isWritten ? [] : taken) pending.add(entry);
          expect(pending.entries().length).toBeLessThanOrEqual(301);
          expect(written + total(pending)).toBe(noted);
        }
        told.delete(null);
        for (const [user, count] of told) expect(count).toBeLessThanOrEqual(done.get(user) ?? 0);
      }),
      { numRuns: 60 },
    );
  });
});
