import { expect, test } from "bun:test";
import type { EntityV1 } from "@holdfast/api/resources/entities";
import { readPayload, stalePayload } from "./payload";
import { writeMail, writeMessage } from "./write-message";

const evidence = { task_id: "task", outcome: "success", end_timestamp: "2026-11-01T03:00:00.000Z" } as const;

function entityWith(operations: number): EntityV1 {
  const runs = Array.from({ length: 30 }, (_, index) => ({
    task_id: `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
    outcome: "success" as const,
    created_timestamp: "2026-11-01T02:00:00.000Z",
  }));
  const facts = { last_run: evidence, last_good_backup: evidence, last_incomplete_backup: null };
  return {
    id: "5c0f1d2e-3b4a-4c5d-8e6f-7a8b9c0d1e2f",
    primary_entity: { id: "web-01", type: "host", value: "web-01" },
    organizational_unit_id: "00000000-0000-0000-0000-000000000000",
    state: "stale",
    ...facts,
    last_restore: null,
    expected_period_seconds: null,
    monitor_ids: [],
    recent_outcomes: runs,
    operations: Array.from({ length: operations }, (_, index) => ({
      operation: `restic_backup /data/${index} → nas:/restic`,
      type: "restic_backup",
      state: "stale" as const,
      ...facts,
      monitor_ids: [],
      recent_outcomes: runs,
      is_retired: false,
    })),
    first_seen_timestamp: "2026-01-01T00:00:00.000Z",
    muted_until: null,
    is_retired: false,
    _links: { self: { href: "/entities/1", templated: false, type: "get" } },
  };
}

const unit = { id: "unit", name: "Berlin" };
const write = (operations: number) =>
  readPayload(stalePayload(entityWith(operations), "2026-11-09T03:00:00.000Z", unit));
const context = { count: 1, baseUrl: "https://backups.example.org", webhookName: "Night watch" };
const title = "web-01 has had no good backup for too long, and no monitor watches it";

test("people read in every kind of message what is stale, since when, and what to do", () => {
  const payload = write(1);
  const parts = [
    "Operation: restic_backup /data/0 → nas:/restic, last good backup 2026-11-01 03:00:00 UTC",
    "What to do: see whether its job still runs and reports.",
    "Organizational unit: Berlin",
  ];
  const link = "https://backups.example.org/console/entities/5c0f1d2e-3b4a-4c5d-8e6f-7a8b9c0d1e2f";
  const slack: { text: string } = JSON.parse(writeMessage("slack", payload, context).body);
  const ntfy = writeMessage("ntfy", payload, context);
  const mail = writeMail(payload, context);
  for (const text of [slack.text, ntfy.body, mail.text]) for (const part of parts) expect(text).toContain(part);
  expect([slack.text.split("\n")[0], ntfy.headers.Title, mail.subject]).toEqual([`*${title}*`, title, title]);
  expect([slack.text.endsWith(link), ntfy.headers.Click, mail.text.includes(link)]).toEqual([true, link, true]);
  expect(ntfy.headers.Priority).toBe("4");
});

test("programs get the item; of one with very many operations so much that the message stays small", () => {
  const whole = JSON.parse(writeMessage("standard", write(1), context).body);
  expect(whole).toMatchObject({ type: "entity.stale", data: { task: null, entity: entityWith(1) } });
  const large = writeMessage("standard", write(100), context).body;
  expect(Buffer.byteLength(large)).toBeLessThan(20_000);
  expect(JSON.parse(large).data.entity.operations.length).toBeGreaterThan(5);
});
