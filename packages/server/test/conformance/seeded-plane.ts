import { randomUUID } from "node:crypto";
import { foldCase } from "@holdfast/api/conventions/fold-case";
import { rotateSigningKey } from "../../src/access/tokens/signing-keys";
import { recordEvent } from "../../src/audit/record-event";
import { addMonitor, slugOf, usualChoices } from "../../src/resources/monitors/store";
import type { RawSettings } from "../../src/settings/settings";
import { openPlane, type Plane, root, sampleTask } from "../harness";
import { addUnsentDelivery } from "../webhooks/unsent";

/** A plane with several items of every resource, in a small tree of units. */
export interface SeededPlane extends Plane {
  units: { north: string; harbour: string; south: string };
  /** Service tokens of the root. */
  owner: string;
  /** May report tasks, and read nothing. */
  reporter: string;
  /** May read, and change nothing. */
  viewer: string;
}

/** Opens a plane and fills it. A resource that is new needs a few items here for the suites to try its lists on. */
export async function openSeededPlane(flags: RawSettings = {}): Promise<SeededPlane> {
  const plane = await openPlane(flags);
  const north = await plane.addUnit("North");
  const harbour = await plane.addUnit("Harbour", north);
  const south = await plane.addUnit("South");
  await plane.addUnit("West, where nothing is");
  for (const name of ["Quay", "crane 100%", "Lock_7"]) await plane.addUnit(name, harbour);
  const names = [
    "Ada Lovelace",
    "grace hopper",
    "Linus Torvalds",
    "Élodie Durand",
    "Żaneta Nowak",
    "anna 100%",
    "Bob_7",
  ];
  for (const name of names) {
    await plane.addUser({
      name,
      roles: [
        { role: "viewer", unitId: north },
        { role: "operator", unitId: harbour },
      ],
    });
  }
  await plane.addUser({ name: "South Person", roles: [{ role: "admin", unitId: south }] });
  await plane.addTasks(
    Array.from({ length: 9 }, (_, index) => ({ ...sampleTask(index + 1), organizational_unit_id: harbour })),
  );
  // On several days, for the counts.
  await plane.addTasks(
    Array.from({ length: 7 }, (_, index) => ({
      organizational_unit_id: harbour,
      created_timestamp: `2026-10-1${index}T12:00:00.000Z`,
    })),
  );
  await plane.addTasks([{ organizational_unit_id: south }]);
  await addEntities(plane, harbour);
  await addOperations(plane, harbour);
  for (const unit of [harbour, harbour, harbour, harbour, south]) await plane.serviceToken("viewer", unit);
  for (let key = 0; key < 6; key++) {
    plane.clock.now += 1;
    // A key that has signed nothing would be gone with the next.
    await plane.serviceToken("viewer");
    await plane.database.change((db) => rotateSigningKey(db, plane.controlPlane.sealer, plane.clock.now));
  }
  for (const unitId of [root, north, harbour, harbour, harbour, harbour, south]) await addEvent(plane, unitId);
  // Otherwise what one test is refused, and which token it uses, would turn up in lists that another one reads.
  plane.service.refusals = { note: () => {}, flush: async () => {} };
  plane.service.tokenUse = { note: () => {}, flush: async () => {} };
  const owner = (await plane.serviceToken("owner")).token;
  for (const name of ["zoo keeper", "Zoo visitor", "zoo_inspector 100%"]) {
    const body = { name, permissions: ["tasks:read", "users:read"] };
    await plane.ask("/roles", { method: "POST", token: owner, body });
  }
  for (const [index, name] of ["Files", "files of web-1", "Mail 100%", "Data_7", "Élan", "zebra"].entries()) {
    await addMonitorAndKey(plane, harbour, name, index);
  }
  await addMonitorAndKey(plane, south, "South", 0);
  for (const [unit, name] of [
    ...["Chat", "chat of night", "Mail 100%", "Data_7", "Élan", "zebra"].map((one) => [harbour, one] as const),
    [south, "South"] as const,
  ]) {
    await addUnsentDelivery(plane, { unit, token: owner }, name);
  }
  return {
    ...plane,
    units: { north, harbour, south },
    owner,
    reporter: (await plane.serviceToken("reporter")).token,
    viewer: (await plane.serviceToken("viewer")).token,
  };
}

/** Something protected in every state but `good`, which needs a monitor. */
async function addEntities(plane: Plane, unitId: string): Promise<void> {
  const outcomes = ["success", "warning", "missed", "error", "success", "warning"] as const;
  const names = ["Mail store", "db 100%", "Web_7", "Élan", "zebra", "Zebra"];
  for (const [index, outcome] of outcomes.entries()) {
    const primary_entity = { id: `seeded-${index}`, type: "database", value: names[index] ?? "" };
    const day = `2026-09-0${index + 1}`;
    const status = outcome === "success" || outcome === "warning" ? "completed" : "failed";
    await plane.addTasks([
      { organizational_unit_id: unitId, primary_entity, created_timestamp: `${day}T01:00:00.000Z` },
      {
        organizational_unit_id: unitId,
        primary_entity,
        status,
        outcome,
        created_timestamp: `${day}T02:00:00.000Z`,
        end_timestamp: "2026-11-14T00:00:00.000Z",
      },
    ]);
  }
  const primary_entity = { id: "seeded-never", type: "host", value: "Never" };
  await plane.addTasks([{ organizational_unit_id: unitId, primary_entity, status: "failed" }]);
}

/** Operations that run every day, which nothing watches: for suggestions. */
async function addOperations(plane: Plane, unitId: string): Promise<void> {
  const primary_entity = { id: "seeded-many", type: "host", value: "Many" };
  const operations = ["etc", "home", "srv 100%", "Élan", "opt_7", "var", "Var"];
  for (const [index, operation] of operations.entries()) {
    const run = (day: number) => {
      const at = `2026-11-${day}T0${index}:00:00.000Z`;
      const times = { created_timestamp: at, start_timestamp: at, end_timestamp: at };
      return { organizational_unit_id: unitId, primary_entity, operation, ...times };
    };
    await plane.addTasks([10, 11, 12, 13, 14].map(run));
  }
}

/** Without audit events, of which each unit has a known number. */
async function addMonitorAndKey(
  { database, controlPlane, clock }: Plane,
  organizational_unit_id: string,
  name: string,
  index: number,
): Promise<void> {
  clock.now += 1;
  const place = { id: randomUUID(), organizational_unit_id, name, category: "backup", type: "restic_backup" };
  const schedule = index % 2 === 0 ? null : JSON.stringify({ period_seconds: 3_600 * index });
  const key = { name_folded: foldCase(name), key_hash: randomUUID(), may_create: 0, default_period_seconds: null };
  await database.change(async (db) => {
    const watched = JSON.stringify({ id: "seeded-0", type: "database", value: "Mail store" });
    const entity = index === 1 ? { primary_entity: watched, operation: sampleTask(1).type } : {};
    const monitor = { ...usualChoices, ...place, slug: slugOf(place), schedule, ...entity };
    await addMonitor(db, controlPlane.sealer, monitor, clock.now);
    await db
      .insertInto("ping_keys")
      .values({ ...place, ...key, created_at: clock.now })
      .execute();
  });
}

async function addEvent({ database, controlPlane, clock }: Plane, unitId: string): Promise<void> {
  await database.change((db) =>
    recordEvent(db, controlPlane.sealer, {
      at: clock.now,
      actor: { kind: "service", user_id: null, token_id: "00000000-0000-7000-8000-00000000000a", address: "192.0.2.7" },
      operation: "create-organizational-unit",
      object: { type: "organizational-unit", id: unitId },
      unitId,
      requestId: null,
      result: "done",
    }),
  );
}
