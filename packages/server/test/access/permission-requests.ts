import { randomUUID } from "node:crypto";
import { defaultRoles } from "@holdfast/api/conventions/permissions";
import { rotateSigningKey } from "../../src/access/tokens/signing-keys";
import { recordEvent } from "../../src/audit/record-event";
import { openPlane, type Plane, root } from "../harness";
import { addUnsentDelivery, addUnsentWebhook } from "../webhooks/unsent";
import type { ModelRequest, Place, Relation } from "./permission-model";

/** A plane with a unit to act in, and units in every relation to it. */
export interface MatrixPlane extends Plane {
  units: Record<Relation, string>;
  /** An owner of the root, by whom things are made ready. */
  owner: string;
}

export async function openMatrixPlane(): Promise<MatrixPlane> {
  const plane = await openPlane();
  const above = await plane.addUnit("Above");
  const own = await plane.addUnit("Own", above);
  const below = await plane.addUnit("Below", own);
  const beside = await plane.addUnit("Beside", above);
  await plane.addUser({ roles: [{ role: "owner" }] });
  const { token: owner } = await plane.serviceToken("owner");
  return { ...plane, units: { root, above, own, below, beside }, owner };
}

/** Something to ask for. */
export interface PreparedRequest {
  /** The item that it is about, where there is one before it is asked for. */
  itemId?: string;
  /** Required parameters of the operation. */
  query?: string;
  body?: object;
  /** The unit that the audit trail has to name. */
  auditedIn?: string;
}

/** Preparation of one operation, so that nothing but a missing right is in the way. */
export interface Preparation extends Omit<ModelRequest, "place"> {
  /** Variant of the request, if an operation can do several things. */
  what?: string;
  places: readonly Place[];
  /** True if what is made ready is the asker's own, and no other's. */
  isOwn?: true;
  /** Makes an item in a place, and what is to be sent. */
  prepare(plane: MatrixPlane, place: Place, asker: Asker): Promise<PreparedRequest>;
}

/** Who is going to ask: a person has tokens of their own. */
export interface Asker {
  userId: string | undefined;
  unitId: string;
  /** Who holds the tasks that it reports. */
  holder: string;
}

const reporter = defaultRoles.reporter;
const everywhere: readonly Place[] = ["above", "own", "below", "beside"];
const everywhereAndMine: readonly Place[] = [...everywhere, "mine"];

const unitOf = ({ units }: MatrixPlane, place: Place): string => {
  if (place === "mine" || place === "anywhere") throw new Error(`No unit is ${place}.`);
  return units[place];
};

const inside = { reach: "inside", gives: reporter.permissions, places: everywhere } as const;
const usable = { reach: "usable", gives: reporter.permissions, places: everywhere } as const;
const none = { reach: "none", gives: [], places: ["anywhere"] } as const;
const nothing = async (): Promise<PreparedRequest> => ({});

const addUser = async (plane: MatrixPlane, place: Place, isConfirmed = true) =>
  plane.addUser({ isConfirmed, roles: [{ role: "reporter", unitId: unitOf(plane, place) }] });

const addToken = async (plane: MatrixPlane, place: Place, { userId, unitId }: Asker) => {
  if (place !== "mine")
    return { ...(await plane.serviceToken("reporter", unitOf(plane, place))), in: unitOf(plane, place) };
  if (userId === undefined) throw new Error("A service has no tokens of its own.");
  return { ...(await plane.personalToken(userId, unitId)), in: unitId };
};

const addRole = async (plane: MatrixPlane, place: Place) => {
  const body = { name: `Role ${randomUUID()}`, permissions: reporter.permissions };
  const made = await plane.ask("/roles", { method: "POST", token: plane.owner, unit: unitOf(plane, place), body });
  return String(made.body.id);
};

/** A key that nobody who asks has a token of, but that has signed one: else it would be gone with the next. */
const addKey = async ({ database, controlPlane, clock, serviceToken }: MatrixPlane) => {
  const rotate = () => database.change((db) => rotateSigningKey(db, controlPlane.sealer, clock.now));
  const kid = await rotate();
  await serviceToken("viewer");
  await rotate();
  return kid;
};

const addEvent = async (plane: MatrixPlane, place: Place) => {
  const objectId = randomUUID();
  await plane.database.change((db) =>
    recordEvent(db, plane.controlPlane.sealer, {
      at: plane.clock.now,
      actor: { kind: "command_line", user_id: null, token_id: null, address: null },
      operation: "import-tasks",
      object: { type: "task", id: objectId },
      unitId: unitOf(plane, place),
      requestId: null,
      result: "done",
    }),
  );
  const rows = await plane.database.snapshot((db) =>
    db.selectFrom("audit_events").select("id").where("object_id", "=", objectId).execute(),
  );
  return rows[0]?.id ?? "";
};

const addTask = async (plane: MatrixPlane, place: Place) => {
  const [task] = await plane.addTasks([{ organizational_unit_id: unitOf(plane, place) }]);
  return task?.id ?? "";
};

/** Something protected that no other task names. */
const addEntity = async (plane: MatrixPlane, place: Place) => {
  const id = randomUUID();
  const primary_entity = { id, type: "host", value: id };
  await plane.addTasks([{ organizational_unit_id: unitOf(plane, place), primary_entity, id }]);
  const row = await plane.database.snapshot((db) =>
    db.selectFrom("protected_entities").select("id").where("entity_id", "=", id).executeTakeFirstOrThrow(),
  );
  return row.id;
};

/** A task that waits for whoever claims it. */
const addQueued = async (plane: MatrixPlane, place: Place) => {
  const body = {
    category: "backup",
    type: "restic_backup",
    status: "queued",
    organizational_unit_id: unitOf(plane, place),
  };
  return String((await plane.ask("/tasks", { method: "POST", token: plane.owner, body })).body.id);
};

/** A task whose runner is the one who is going to ask. */
const addHeld = async (plane: MatrixPlane, place: Place, holder: string): Promise<string> => {
  const id = await addQueued(plane, place);
  await plane.database.change((db) =>
    db.updateTable("task_leases").set({ holder }).where("task_id", "=", id).execute(),
  );
  return id;
};

/** A monitor or a ping key. */
const addNamed = async (plane: MatrixPlane, path: "/monitors" | "/ping-keys", place: Place) => {
  const body = { name: randomUUID(), organizational_unit_id: unitOf(plane, place) };
  return String((await plane.ask(path, { method: "POST", token: plane.owner, body })).body.id);
};

const addWebhook = (plane: MatrixPlane, place: Place) =>
  addUnsentWebhook(plane, { token: plane.owner, unit: unitOf(plane, place) });

const addDelivery = (plane: MatrixPlane, place: Place) =>
  addUnsentDelivery(plane, { token: plane.owner, unit: unitOf(plane, place) });

const grantIn = (unitId: string) => [{ role_id: reporter.id, organizational_unit_ids: [unitId] }];

/** Preparation of each operation. One that is declared needs its line here: the matrix fails until it has one. */
export const preparations: Record<string, Preparation | readonly Preparation[]> = {
  "list-users": { ...none, prepare: nothing },
  "read-user": { ...inside, prepare: async (plane, place) => ({ itemId: await addUser(plane, place) }) },
  "create-user": {
    ...inside,
    reach: "named",
    staysInside: true,
    prepare: async (plane, place) => ({
      body: {
        email: `${randomUUID()}@example.org`,
        full_name: "New Person",
        access_control_configuration: grantIn(unitOf(plane, place)),
      },
      auditedIn: plane.units.own,
    }),
  },
  "invite-user": {
    ...inside,
    prepare: async (plane, place) => ({ itemId: await addUser(plane, place, false), auditedIn: plane.units.own }),
  },
  "update-user": {
    ...inside,
    prepare: async (plane, place) => ({
      itemId: await addUser(plane, place),
      body: { full_name: "Other Name", is_enabled: false, access_control_configuration: [] },
      auditedIn: plane.units.own,
    }),
  },
  "delete-user": {
    ...inside,
    prepare: async (plane, place) => ({ itemId: await addUser(plane, place), auditedIn: plane.units.own }),
  },
  "list-tasks": { ...none, prepare: nothing },
  "read-task": { ...inside, prepare: async (plane, place) => ({ itemId: await addTask(plane, place) }) },
  "create-task": {
    ...inside,
    reach: "named",
    gives: [],
    prepare: async (plane, place) => ({
      body: { category: "backup", type: "restic_backup", organizational_unit_id: unitOf(plane, place) },
    }),
  },
  "update-task": [
    {
      ...inside,
      what: "claim",
      gives: [],
      prepare: async (plane, place) => ({
        itemId: await addQueued(plane, place),
        body: { status: "in_progress", claim_id: randomUUID() },
      }),
    },
    {
      ...inside,
      what: "abort",
      needs: "tasks:abort",
      gives: [],
      prepare: async (plane, place) => ({
        itemId: await addQueued(plane, place),
        body: { status: "aborting" },
        auditedIn: unitOf(plane, place),
      }),
    },
  ],
  "append-task-log": {
    ...inside,
    gives: [],
    isOwn: true,
    prepare: async (plane, place, { holder }) => ({
      itemId: await addHeld(plane, place, holder),
      body: { offset: 0, text: "scan finished\n" },
    }),
  },
  "read-task-log": { ...inside, prepare: async (plane, place) => ({ itemId: await addTask(plane, place) }) },
  "list-task-counts": { ...none, prepare: nothing },
  "watch-tasks": { ...none, prepare: nothing },
  "report-tasks": { ...none, prepare: async () => ({ body: { reports: [] } }) },
  "list-entities": { ...none, prepare: nothing },
  "list-entity-counts": { ...none, prepare: nothing },
  "read-entity": {
    ...inside,
    prepare: async (plane, place) => ({ itemId: await addEntity(plane, place) }),
  },
  "update-entity": {
    ...inside,
    gives: [],
    prepare: async (plane, place) => ({
      itemId: await addEntity(plane, place),
      body: { is_retired: true },
      auditedIn: unitOf(plane, place),
    }),
  },
  "preview-schedule": { ...none, prepare: async () => ({ query: "?cron=30+2+*+*+*" }) },
  "list-monitor-suggestions": { ...none, prepare: nothing },
  "list-monitors": { ...none, prepare: nothing },
  "read-monitor": {
    ...inside,
    prepare: async (plane, place) => ({ itemId: await addNamed(plane, "/monitors", place) }),
  },
  "create-monitor": {
    ...inside,
    reach: "named",
    gives: [],
    prepare: async (plane, place) => ({
      body: { name: randomUUID(), organizational_unit_id: unitOf(plane, place) },
      auditedIn: unitOf(plane, place),
    }),
  },
  "create-monitors": {
    ...none,
    prepare: async (plane) => ({ body: { monitors: [{ name: randomUUID() }] }, auditedIn: plane.units.own }),
  },
  "update-monitor": {
    ...inside,
    gives: [],
    prepare: async (plane, place) => ({
      itemId: await addNamed(plane, "/monitors", place),
      body: { grace_seconds: 600 },
      auditedIn: unitOf(plane, place),
    }),
  },
  "rotate-monitor-url": {
    ...inside,
    gives: [],
    prepare: async (plane, place) => ({
      itemId: await addNamed(plane, "/monitors", place),
      body: {},
      auditedIn: unitOf(plane, place),
    }),
  },
  "delete-monitor": {
    ...inside,
    gives: [],
    prepare: async (plane, place) => ({
      itemId: await addNamed(plane, "/monitors", place),
      auditedIn: unitOf(plane, place),
    }),
  },
  "list-ping-keys": { ...none, prepare: nothing },
  "read-ping-key": {
    ...inside,
    prepare: async (plane, place) => ({ itemId: await addNamed(plane, "/ping-keys", place) }),
  },
  "create-ping-key": {
    ...inside,
    reach: "named",
    gives: [],
    prepare: async (plane, place) => ({
      body: { name: randomUUID(), organizational_unit_id: unitOf(plane, place) },
      auditedIn: unitOf(plane, place),
    }),
  },
  "delete-ping-key": {
    ...inside,
    gives: [],
    prepare: async (plane, place) => ({
      itemId: await addNamed(plane, "/ping-keys", place),
      auditedIn: unitOf(plane, place),
    }),
  },
  "list-organizational-units": { ...none, prepare: nothing },
  "read-organizational-unit": {
    ...inside,
    prepare: async (plane, place) => ({ itemId: await plane.addUnit(randomUUID(), unitOf(plane, place)) }),
  },
  "create-organizational-unit": {
    ...inside,
    reach: "named",
    gives: [],
    prepare: async (plane, place) => ({
      body: { name: randomUUID(), parent_id: unitOf(plane, place) },
      auditedIn: unitOf(plane, place),
    }),
  },
  "update-organizational-unit": {
    ...inside,
    gives: [],
    prepare: async (plane, place) => {
      const itemId = await plane.addUnit(randomUUID(), unitOf(plane, place));
      return { itemId, body: { name: randomUUID() }, auditedIn: itemId };
    },
  },
  "delete-organizational-unit": {
    ...inside,
    gives: [],
    prepare: async (plane, place) => ({
      itemId: await plane.addUnit(randomUUID(), unitOf(plane, place)),
      auditedIn: unitOf(plane, place),
    }),
  },
  "list-roles": { ...none, prepare: nothing },
  "read-role": { ...usable, prepare: async (plane, place) => ({ itemId: await addRole(plane, place) }) },
  "create-role": {
    ...none,
    places: ["own"],
    gives: reporter.permissions,
    prepare: async (plane) => ({
      body: { name: `Role ${randomUUID()}`, permissions: reporter.permissions },
      auditedIn: plane.units.own,
    }),
  },
  "update-role": {
    ...usable,
    prepare: async (plane, place) => ({
      itemId: await addRole(plane, place),
      body: { description: "Other" },
      auditedIn: plane.units.own,
    }),
  },
  "delete-role": {
    ...usable,
    prepare: async (plane, place) => ({ itemId: await addRole(plane, place), auditedIn: plane.units.own }),
  },
  "list-api-tokens": { ...none, prepare: nothing },
  "read-api-token": {
    ...inside,
    places: everywhereAndMine,
    prepare: async (plane, place, asker) => ({ itemId: (await addToken(plane, place, asker)).id }),
  },
  "create-api-token": {
    ...inside,
    reach: "named",
    places: everywhereAndMine,
    prepare: async (plane, place) => {
      if (place === "mine") return { body: { name: "Laptop", kind: "personal" }, auditedIn: plane.units.own };
      const auditedIn = unitOf(plane, place);
      const body = { name: "Nightly", kind: "service", role_id: reporter.id, organizational_unit_id: auditedIn };
      return { body, auditedIn };
    },
  },
  "update-api-token": {
    ...inside,
    places: everywhereAndMine,
    prepare: async (plane, place, asker) => {
      const token = await addToken(plane, place, asker);
      return { itemId: token.id, body: { name: "Renamed" }, auditedIn: token.in };
    },
  },
  "rotate-api-token": {
    ...inside,
    places: everywhereAndMine,
    prepare: async (plane, place, asker) => {
      const token = await addToken(plane, place, asker);
      return { itemId: token.id, body: { overlap_seconds: 60 }, auditedIn: token.in };
    },
  },
  "renew-api-token": {
    ...none,
    isOwn: true,
    prepare: async (_plane, _place, asker) => ({ itemId: asker.holder, body: {}, auditedIn: asker.unitId }),
  },
  "revoke-api-token": {
    ...inside,
    places: everywhereAndMine,
    prepare: async (plane, place, asker) => {
      const token = await addToken(plane, place, asker);
      return { itemId: token.id, auditedIn: token.in };
    },
  },
  "list-keys": { ...none, prepare: nothing },
  "read-caller": { ...none, prepare: nothing },
  "read-key": { ...none, prepare: async (plane) => ({ itemId: await addKey(plane) }) },
  "rotate-key": { ...none, prepare: async () => ({ auditedIn: root }) },
  "retire-key": { ...none, prepare: async (plane) => ({ itemId: await addKey(plane), auditedIn: root }) },
  "list-webhooks": { ...none, prepare: nothing },
  "read-webhook": {
    ...inside,
    gives: [],
    prepare: async (plane, place) => ({ itemId: await addWebhook(plane, place) }),
  },
  "create-webhook": {
    ...inside,
    reach: "named",
    gives: [],
    prepare: async (plane, place) => ({
      body: {
        name: randomUUID(),
        kind: "standard",
        url: "https://8.8.8.8/",
        events: ["task.failed"],
        organizational_unit_id: unitOf(plane, place),
      },
      auditedIn: unitOf(plane, place),
    }),
  },
  "update-webhook": {
    ...inside,
    gives: [],
    prepare: async (plane, place) => ({
      itemId: await addWebhook(plane, place),
      body: { name: "Renamed" },
      auditedIn: unitOf(plane, place),
    }),
  },
  "delete-webhook": {
    ...inside,
    gives: [],
    prepare: async (plane, place) => ({ itemId: await addWebhook(plane, place), auditedIn: unitOf(plane, place) }),
  },
  "rotate-webhook-secret": {
    ...inside,
    gives: [],
    prepare: async (plane, place) => ({ itemId: await addWebhook(plane, place), auditedIn: unitOf(plane, place) }),
  },
  "test-webhook": {
    ...inside,
    gives: [],
    prepare: async (plane, place) => ({ itemId: await addWebhook(plane, place), auditedIn: unitOf(plane, place) }),
  },
  "list-webhook-deliveries": { ...none, prepare: nothing },
  "read-webhook-delivery": {
    ...inside,
    gives: [],
    prepare: async (plane, place) => ({ itemId: await addDelivery(plane, place) }),
  },
  "retry-webhook-delivery": {
    ...inside,
    gives: [],
    prepare: async (plane, place) => ({ itemId: await addDelivery(plane, place), auditedIn: unitOf(plane, place) }),
  },
  "list-audit-events": { ...none, prepare: nothing },
  "read-audit-event": { ...inside, prepare: async (plane, place) => ({ itemId: await addEvent(plane, place) }) },
};

/** Preparations of an operation, one for each way that there is, or a sentence about what is missing. */
export function preparationsOf(operationId: string): readonly Preparation[] {
  const given = preparations[operationId];
  if (given) return [given].flat();
  throw new Error(`Nothing says how ${operationId} is asked for. Add a line to the table in permission-requests.ts.`);
}
