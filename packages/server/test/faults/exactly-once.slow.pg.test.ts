import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { defaultRoles } from "@holdfast/api/conventions/permissions";
import { makeFolder, type Plane } from "../harness";
import { startProcess } from "../process";
import { createDice } from "../random";
import { control, size } from "../runs";
import { findSteadyPort } from "../steady-port";
import { type ChangeResult, retryUntilDone, type WantedChange } from "./persistent-client";

const clients = 4;
const kinds = ["users", "roles", "organizational_units", "api_tokens"] as const;

function wishOf(number: number, units: readonly string[]): WantedChange {
  const unit = units[number % units.length] ?? "";
  const name = `wish-${number}`;
  const wantedChanges: Record<WantedChange["kind"], Pick<WantedChange, "path" | "body">> = {
    users: {
      path: "/users",
      body: {
        email: `${name}@example.org`,
        full_name: name,
        access_control_configuration: [{ role_id: defaultRoles.viewer.id, organizational_unit_ids: [unit] }],
      },
    },
    roles: { path: "/roles", body: { name, permissions: ["tasks:read"] } },
    organizational_units: { path: "/organizational-units", body: { name, parent_id: unit } },
    api_tokens: {
      path: "/api-tokens",
      body: { name, kind: "service", role_id: defaultRoles.viewer.id, organizational_unit_id: unit },
    },
  };
  const kind = kinds[number % kinds.length] ?? "users";
  return { kind, name, ...wantedChanges[kind] };
}

/** Ids of all that was wished for, by name, as they stand in the database. */
async function readMade({ database }: Plane): Promise<Map<string, string[]>> {
  const rows = await database.snapshot(async (db) => [
    ...(await db.selectFrom("users").select(["id", "full_name as name"]).execute()),
    ...(await db.selectFrom("roles").select(["id", "name"]).execute()),
    ...(await db.selectFrom("organizational_units").select(["id", "name"]).execute()),
    ...(await db.selectFrom("api_tokens").select(["id", "name"]).execute()),
  ]);
  const wished = rows.filter(({ name }) => name.startsWith("wish-"));
  return new Map([...Map.groupBy(wished, ({ name }) => name)].map(([name, all]) => [name, all.map(({ id }) => id)]));
}

/** Number of requests that made each thing, as the audit trail tells; it tells each unit that is concerned. */
async function countEvents({ database }: Plane): Promise<Map<string, number>> {
  const rows = await database.snapshot((db) =>
    db.selectFrom("audit_events").select(["object_id", "document"]).where("operation", "like", "create-%").execute(),
  );
  const requestsOf = (told: typeof rows) => new Set(told.map(({ document }) => JSON.parse(document).request_id)).size;
  return new Map([...Map.groupBy(rows, ({ object_id }) => object_id ?? "")].map(([id, all]) => [id, requestsOf(all)]));
}

/** Makes many things while the server is killed again and again, and tells what there is in the end. */
async function makeUnderKills(
  count: number,
  kills: number,
  headersOf: (wanted: WantedChange) => Record<string, string>,
) {
  const folder = makeFolder();
  const dice = createDice(count);
  const port = await findSteadyPort();
  const start = () => startProcess({ folder, flags: { port: String(port), log_level: "warn" } });
  let server = await start();
  const beside = await server.openBeside();
  const { token } = await beside.serviceToken("owner");
  const units: string[] = [];
  for (let number = 0; number < 10; number += 1) units.push(await beside.addUnit(`Unit ${number}`));
  const wantedChanges = Array.from({ length: count }, (_, number) => wishOf(number, units)).values();
  const fulfilled: ChangeResult[] = [];
  const work = async () => {
    for (const wanted of wantedChanges) {
      const headers = { Authorization: `Bearer ${token}`, ...headersOf(wanted) };
      fulfilled.push(await retryUntilDone(`http://127.0.0.1:${port}`, wanted, headers, dice));
    }
  };
  const kill = async () => {
    for (let killed = 1; killed <= kills; killed += 1) {
      while (fulfilled.length < (count * killed) / (kills + 1)) await Bun.sleep(2);
      await Bun.sleep(dice(15));
      await server.stop("SIGKILL");
      server = await start();
    }
  };
  await Promise.all([kill(), ...Array.from({ length: clients }, work)]);
  await server.stop();
  const [made, events] = [await readMade(beside), await countEvents(beside)];
  await beside.close();
  rmSync(folder, { recursive: true, force: true });
  return { fulfilled, made, events };
}

const count = size({ default: 120, long: 10_000 });
const kills = size({ default: 3, long: 250 });

test(
  `R5: ${count} things that are asked for until there is an answer are made exactly once, through ${kills} kills`,
  async () => {
    const withKey = (wanted: WantedChange) => ({ "Idempotency-Key": `key-of-${wanted.name}` });
    const { fulfilled, made, events } = await makeUnderKills(count, kills, withKey);
    expect(fulfilled.filter(({ status }) => status !== 201)).toEqual([]);
    const acknowledged = fulfilled.map(({ wanted, id = "" }): [string, string[]] => [wanted.name, [id]]);
    expect(Object.fromEntries(made)).toEqual(Object.fromEntries(acknowledged));
    expect(fulfilled.filter(({ id }) => events.get(id ?? "") !== 1)).toEqual([]);
    // Often enough there was no answer to the first try.
    expect(fulfilled.filter(({ tries }) => tries > 1).length).toBeGreaterThan(count / 10);
  },
  180_000 + kills * 10_000,
);

control(
  "R5: without a key the same client makes things twice, and is told that what it has made is there already",
  async () => {
    const { fulfilled, made } = await makeUnderKills(100, 2, () => ({}));
    expect([...made.values()].filter((ids) => ids.length > 1).length).toBeGreaterThan(0);
    expect(fulfilled.filter(({ status }) => status === 409).length).toBeGreaterThan(0);
  },
  120_000,
);
