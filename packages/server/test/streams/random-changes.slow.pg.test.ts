import { afterAll, expect, test } from "bun:test";
import { openPlane, root } from "../harness";
import { createDice, elementAt } from "../random";
import { openReportingPlane } from "../reports/reporting-plane";
import { size } from "../runs";
import { type Heard, known, type Watch, watch } from "./watch";

const plane = await openReportingPlane();
const other = await openPlane({}, plane.folder);
afterAll(async () => {
  await other.database.close();
  await plane.close();
});
const { token: owner } = await plane.serviceToken("owner");
const north = await plane.addUnit("North");
const south = await plane.addUnit("South");
const quay = await plane.addUnit("Quay", north);
const units = [root, north, south, quay];
const filters = [
  {},
  { status: "in_progress" },
  { status: { $neq: "in_progress" } },
  { outcome: { $in: ["success", "error"] } },
  { category: "restore", status: { $in: ["queued", "in_progress"] } },
  { "primary_entity.value": { $contains: "WEB" } },
  { organizational_unit_id: quay },
];

/** One who watches, is cut off now and then, and comes back, to whichever process. */
interface Watcher {
  query: string;
  unit: string;
  token: string;
  heard: Heard[];
  stream: Watch;
  /** Part of the open stream's events that is in `heard`. */
  taken: number;
}

async function open(
  { query, unit, token, heard }: Omit<Watcher, "stream" | "taken">,
  at: typeof other,
): Promise<Watch> {
  const last = heard.at(-1)?.id;
  return watch(at, `?limit=1000${query}`, { token, unit, ...(last ? { headers: { "Last-Event-ID": last } } : {}) });
}

function take(watcher: Watcher, max = Number.POSITIVE_INFINITY): void {
  const fresh = watcher.stream.heard.slice(watcher.taken, watcher.taken + max);
  watcher.heard.push(...fresh);
  watcher.taken += fresh.length;
}

test("T33: a stream and its snapshot are the list, whatever happens and wherever it is cut", async () => {
  const dice = createDice(size({ default: 20_261_115, long: Date.now() }));
  const pick = <One>(all: readonly One[]): One => elementAt(all, dice(all.length));
  const watchers: Watcher[] = [];
  for (let number = 0; number < 8; number++) {
    const unit = pick(units);
    const { token } = await plane.serviceToken("viewer", unit);
    const query = `&filter=${encodeURIComponent(JSON.stringify(pick(filters)))}`;
    const begun = { query, unit, token, heard: [] };
    watchers.push({ ...begun, stream: await open(begun, pick([plane, other])), taken: 0 });
  }
  /** Every unit that a task was ever in, and every unit that was ever below another. */
  const homes = new Map<string, Set<string>>();
  const below = new Map(units.map((unit) => [unit, new Set(unit === root ? units : [unit])]));
  below.get(north)?.add(quay);
  const running: string[] = [];
  let sequence = 0;

  const deeds = {
    async create() {
      const organizational_unit_id = pick(units);
      const { body } = await plane.create({
        organizational_unit_id,
        category: pick(["backup", "restore"]),
        primary_entity: { type: "host", value: pick(["web-01", "db-01"]) },
      });
      homes.set(body.id, new Set([organizational_unit_id]));
      running.push(body.id);
    },
    async progress() {
      sequence += 1;
      await plane.batch([
        {
          operation: "update",
          task_id: pick(running),
          body: {
            sequence,
            progress_percentage: dice(100),
            primary_entity: { type: "host", value: pick(["WEB-9", "db-9"]) },
          },
        },
      ]);
    },
    async end() {
      const id = pick(running);
      await plane.update(id, pick([{ status: "completed" }, { status: "aborted" }]));
      running.splice(running.indexOf(id), 1);
    },
    async importTask() {
      const organizational_unit_id = pick(units);
      const id = `imported-${homes.size}`;
      homes.set(id, new Set([organizational_unit_id]));
      await plane.addTasks([
        { id, organizational_unit_id, created_timestamp: new Date(plane.clock.now).toISOString() },
      ]);
    },
    async moveUnit() {
      const parent_id = pick([north, south, root]);
      await plane.ask(`/organizational-units/${quay}`, { method: "PATCH", token: owner, body: { parent_id } });
      below.get(parent_id)?.add(quay);
    },
    async cut() {
      const watcher = pick(watchers);
      // The client got only some of what was sent.
      take(watcher, dice(4));
      await watcher.stream.close();
      watcher.stream = await open(watcher, pick([plane, other]));
      watcher.taken = 0;
    },
    pause: () => Bun.sleep(dice(400)),
  };
  const odds = ["create", "create", "create", "progress", "progress", "end", "cut", "pause"] as const;

  const rounds = size({ default: 2, long: 25 });
  for (let round = 0; round < rounds; round++) {
    await deeds.create();
    await deeds.create();
    for (let step = 0; step < 40; step++) await deeds[running.length > 1 ? pick(odds) : "create"]();
    await deeds[pick(["importTask", "moveUnit", "pause"] as const)]();
    for (let step = 0; step < 10; step++) await deeds[running.length > 1 ? pick(odds) : "create"]();
    for (const watcher of watchers) {
      const { body } = await plane.ask(`/tasks?limit=1000${watcher.query}`, { token: owner, unit: watcher.unit });
      const listed = new Map(body._embedded.items.map((item: { id: string }) => [item.id, item]));
      const wanted = JSON.stringify([...listed].sort());
      await watcher.stream.until((heard) => {
        const all = [...watcher.heard, ...heard.slice(watcher.taken)];
        return JSON.stringify([...known(all)].sort()) === wanted;
      });
      take(watcher);
    }
  }
  const foreign = watchers.flatMap(({ heard, unit }) =>
    heard
      .flatMap(({ data }) =>
        [data.id ?? [], (data._embedded?.items ?? []).map((item: { id: string }) => item.id)].flat(),
      )
      .filter((id: string) => ![...(homes.get(id) ?? [])].some((home) => below.get(unit)?.has(home))),
  );
  expect(foreign).toEqual([]);
  expect(watchers.flatMap(({ heard }) => heard).length).toBeGreaterThan(50);
  await Promise.all(watchers.map(({ stream }) => stream.close()));
}, 240_000);
