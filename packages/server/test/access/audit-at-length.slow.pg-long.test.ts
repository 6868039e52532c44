import { expect, test } from "bun:test";
import { verifyChain } from "../../src/audit/verify-chain";
import { openPlane, type Plane, walk } from "../harness";
import { runs } from "../runs";
import { forbidEvents } from "./forbid-events";

const verify = ({ database, controlPlane }: Plane) =>
  database.snapshot(async (db) => (await verifyChain(db, controlPlane.sealer)).end.count);

test("T26: a flood of refusals, 10,000, each unlike the others, makes few events whose counts add up", async () => {
  const here = await openPlane();
  const { id, token } = await here.serviceToken("viewer");
  const { token: reader } = await here.serviceToken("owner");
  const flood = 10_000;
  const statuses: number[] = [];
  for (let at = 0; at < flood; at += 100) {
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => here.ask(`/api-tokens/${at + index}`, { token, method: "DELETE" })),
    );
    statuses.push(...answers.map(({ status }) => status));
  }
  // On a busy machine, some may have been told that the database has too much to do. Those were not refused.
  const refused = statuses.filter((status) => status !== 503);
  expect(new Set(refused)).toEqual(new Set([403]));
  expect(refused.length).toBeGreaterThan(flood / 2);
  await here.service.refusals.flush();
  const events = await walk(here, "/audit-events?limit=1000", { token: reader });
  expect(events.reduce((sum, { count }) => sum + count, 0)).toBe(refused.length);
  // 20 kinds of one actor and a sum, in each second that it took.
  expect(events.length).toBeLessThanOrEqual(21 * 60);
  expect(new Set(events.map(({ actor }) => actor.token_id))).toEqual(new Set([id]));
  expect(await verify(here)).toBe(events.length);
  await here.close();
}, 120_000);

const changes = runs(1000).numRuns;

test(`T26: of ${changes} changes, some of which cannot be told of, just those are done that were acknowledged and told of`, async () => {
  const here = await openPlane();
  const { token } = await here.serviceToken("owner");
  const lift = await forbidEvents(here, "unlucky");
  const names = Array.from({ length: changes }, (_, index) => `${index % 7 === 3 ? "unlucky" : "lucky"} ${index}`);
  const acknowledged: string[] = [];
  const statuses = new Set<number>();
  for (const name of names) {
    const body = { name, permissions: ["tasks:read"] };
    const { status } = await here.ask("/roles", { token, method: "POST", body });
    statuses.add(status);
    acknowledged.push(...(status === 201 ? [name] : []));
  }
  expect([...statuses].sort()).toEqual([201, 503]);
  expect(acknowledged).toEqual(names.filter((name) => name.startsWith("lucky")));
  const done = await here.database.snapshot(async (db) => ({
    roles: await db.selectFrom("roles").select("name").where("is_default", "=", 0).orderBy("seq").execute(),
    events: await db.selectFrom("audit_events").select("document").orderBy("number").execute(),
  }));
  expect(done.roles.map(({ name }) => name)).toEqual(acknowledged);
  expect(done.events.map(({ document }) => JSON.parse(document).after.name)).toEqual(acknowledged);
  await lift();
  expect(await verify(here)).toBe(acknowledged.length);
  await here.close();
}, 120_000);
