import { afterAll, expect, test } from "bun:test";
import type { EntityV1 } from "@holdfast/api/resources/entities";
import { taskCategories } from "@holdfast/api/resources/task-words";
import fc from "fast-check";
import type { TaskRecord } from "../../src/resources/tasks/record";
import { removeOldTasks } from "../../src/resources/tasks/retention";
import { startMissedRunDetector } from "../../src/workers/missed-run-detector";
import { startUnmuting } from "../../src/workers/unmute";
import { root, walk } from "../harness";
import { createDice, type Dice, elementAt } from "../random";
import { openReportingPlane } from "../reports/reporting-plane";
import { someError } from "../reports/shapes";
import { runs, size } from "../runs";
import { compareByState, entityKey, expectedEntities, type ModelWorld, noAttention, operationOf } from "./entity-model";

const plane = await openReportingPlane();
afterAll(plane.close);
const { token: owner } = await plane.serviceToken("owner", root, 700 * 86_400_000);
const clock = () => plane.clock.now;
const mutes = startUnmuting({ ...plane.service, clock });
afterAll(mutes.stop);
const expecting = startMissedRunDetector({ ...plane.service, clock, monotonic: clock, onBroken: () => {} });
afterAll(expecting.stop);

const day = 86_400_000;
const outcomes = ["success", "warning", "error", "cancelled", "lost", "expired", "missed"] as const;
const statusOf = {
  success: "completed",
  warning: "completed",
  error: "failed",
  lost: "failed",
  expired: "failed",
  missed: "failed",
  cancelled: "aborted",
} as const;
/** The ends that can be reported. */
const reported = ["success", "warning", "error", "cancelled", "lost"] as const;

function ending(outcome: (typeof outcomes)[number]): object {
  const error = outcome === "success" || outcome === "cancelled" ? {} : { error: someError };
  return { status: statusOf[outcome], outcome, ...error };
}

/** Steps of one history, in units of its own. */
class History {
  readonly #dice: Dice;
  readonly #name = crypto.randomUUID().slice(0, 8);
  readonly world: ModelWorld = { tasks: new Map(), monitors: new Map(), attention: new Map() };
  top = "";
  #units: string[] = [];
  /** Tasks that their holder can say more of: under way, or lost. */
  readonly #open = new Set<string>();
  #imported = 0;

  constructor(dice: Dice) {
    this.#dice = dice;
  }

  async begin(): Promise<void> {
    this.top = await plane.addUnit(`History ${this.#name}`);
    this.#units = [await this.#newUnit(), await this.#newUnit()];
  }

  async #newUnit(): Promise<string> {
    return plane.addUnit(crypto.randomUUID(), this.top);
  }

  #choose<One>(all: readonly One[]): One {
    return elementAt(all, this.#dice(1_000_000));
  }

  /** Tasks of some are imported, and of the others change what they protect: names of tasks that are gone are not kept. */
  #entity(numbers = [0, 1, 2, 3, 4]) {
    const number = this.#choose(numbers);
    return {
      type: this.#choose(["host", "database"]),
      id: `${this.#name}-${number}`,
      value: `${this.#choose(["Web", "web", "Db", "ßtraße"])} ${number}`,
    };
  }

  #mayTurnOut(taskId: string): boolean {
    return /-[345]$/.test(this.world.tasks.get(taskId)?.primary_entity?.id ?? "");
  }

  /** Notes what the service says that a task is. */
  async #note(id: string): Promise<void> {
    const { lease, _links, ...task } = (await plane.read(id)).body;
    const known = this.world.tasks.get(id);
    const isOther =
      !known?.primary_entity ||
      !task.primary_entity ||
      entityKey(known.organizational_unit_id, known.primary_entity) !==
        entityKey(task.organizational_unit_id, task.primary_entity);
    this.world.tasks.set(id, task);
    // A new kind of task ends the retirement of an entity.
    const entities = isOther && task.primary_entity ? [task.primary_entity] : [];
    for (const entity of entities) this.#unretire(entityKey(task.organizational_unit_id, entity), task);
    const isOpen = task.outcome === null || task.outcome === "lost";
    this.#open[isOpen ? "add" : "delete"](id);
    this.#forgetAttention();
  }

  /** If all operations are retired, only a run of one ends that; a run that did not come does not. */
  #unretire(key: string, task: TaskRecord): void {
    const { attention } = this.world;
    const said = attention.get(key) ?? noAttention;
    const isRun =
      ["backup", "snapshot"].includes(task.category) && task.outcome !== "missed" && task.outcome !== "expired";
    const areAllRetired =
      said.retired.size > 0 && this.#operationsOf(key, task.id).every((operation) => said.retired.has(operation));
    attention.set(key, {
      mutedUntil: said.mutedUntil,
      isRetired: said.isRetired && areAllRetired && !isRun,
      retired: new Set([...said.retired].filter((operation) => !(isRun && operation === operationOf(task)))),
    });
  }

  /** The operations of an entity that its ended tasks form, but for one task. */
  #operationsOf(key: string, without = ""): string[] {
    const ended = [...this.world.tasks.values()].filter(
      ({ id, outcome, category, organizational_unit_id, primary_entity: entity }) =>
        id !== without &&
        outcome !== null &&
        ["backup", "snapshot"].includes(category) &&
        entity !== null &&
        entityKey(organizational_unit_id, entity) === key,
    );
    return [...new Set(ended.map(operationOf))];
  }

  /** An entity without tasks is gone, and with it what was said about it. */
  #forgetAttention(): void {
    const keys = [...this.world.tasks.values()].flatMap(({ organizational_unit_id, primary_entity }) =>
      primary_entity ? [entityKey(organizational_unit_id, primary_entity)] : [],
    );
    const gone = [...this.world.attention.keys()].filter((key) => !keys.includes(key));
    for (const key of gone) this.world.attention.delete(key);
  }

  readonly #deeds: Record<string, () => Promise<void>> = {
    create: async () => {
      const organizational_unit_id = this.#choose(this.#units);
      const monitors = [...this.world.monitors.values()].filter(({ unitId }) => unitId === organizational_unit_id);
      const isRun = monitors.length > 0 && this.#dice(3) === 0;
      const final = ending(this.#choose(reported));
      const body = {
        organizational_unit_id,
        primary_entity: this.#entity(),
        category: this.#choose(["backup", "backup", "snapshot", ...taskCategories]),
        ...this.#choose([{}, { operation: this.#choose(["etc", "home"]) }]),
        ...(isRun ? { monitor_id: this.#choose(monitors).id } : {}),
        ...this.#choose([{ status: "queued" }, {}, {}, final, final]),
        age_ms: this.#dice(2) * this.#dice(3 * 3_600_000),
      };
      const made = await plane.create(body);
      expect([made.status, made.text]).toEqual([201, expect.any(String)]);
      await this.#note(made.body.id);
    },
    update: async () => {
      const open = [...this.#open];
      const ids = open.length === 0 ? [] : [this.#choose(open), this.#choose(open)];
      const age_ms = this.#dice(2) * this.#dice(60_000);
      const say = (id: string) =>
        this.#choose([
          ending(this.#choose(reported)),
          ending(this.#choose(reported)),
          { progress_percentage: 1 + this.#dice(99) },
          { status: "in_progress", claim_id: crypto.randomUUID() },
          ...(this.#mayTurnOut(id) ? [{ primary_entity: this.#entity([3, 4, 5]), progress_percentage: 99 }] : []),
        ]);
      // Some are refused, such as the end of one that waits: the service says what became of it.
      await plane.batch(ids.map((task_id) => ({ operation: "update", task_id, body: { ...say(task_id), age_ms } })));
      for (const id of ids) await this.#note(id);
    },
    import: async () => {
      const made = await plane.addTasks(
        Array.from({ length: 1 + this.#dice(this.#dice(8) === 0 ? 60 : 6) }, () => {
          this.#imported += 1;
          const createdAt = clock() - this.#dice(120) * day - this.#dice(5) * 1000;
          const outcome = this.#choose(outcomes);
          return {
            id: `${this.#name}-import-${this.#imported}`,
            ...ending(outcome),
            category: this.#choose(["backup", "backup", "snapshot", ...taskCategories]),
            type: this.#choose(["restic_backup", "etc"]),
            ...this.#choose([{}, { operation: "home" }]),
            organizational_unit_id: this.#choose(this.#units),
            primary_entity: this.#entity([0, 1, 2]),
            created_timestamp: new Date(createdAt).toISOString(),
            end_timestamp: new Date(createdAt + this.#dice(3) * 3_600_000).toISOString(),
          };
        }),
      );
      for (const task of made) {
        this.world.tasks.set(task.id, task);
        const { primary_entity: entity } = task;
        if (entity) this.#unretire(entityKey(task.organizational_unit_id, entity), task);
      }
    },
    forget: async () => {
      await removeOldTasks(plane.database, { days: 10, now: clock(), record: async () => {} });
    },
    move: async () => {
      const [from, to] = [this.#choose(this.#units), this.#choose(this.#units)];
      const moved = from === to ? [] : [from];
      for (const unit of moved) {
        const path = `/organizational-units/${unit}?move_to=${to}`;
        expect((await plane.ask(path, { method: "DELETE", token: owner })).status).toBe(204);
        this.#moveInModel(unit, to);
        this.#units = [...this.#units.filter((one) => one !== unit), await this.#newUnit()];
      }
    },
    attend: async () => {
      const { items } = (await plane.ask("/entities", { token: owner, unit: this.top })).body._embedded;
      const some: EntityV1[] = items.length === 0 ? [] : [this.#choose(items)];
      for (const { id, organizational_unit_id, primary_entity, muted_until, is_retired, operations } of some) {
        const mutedUntil = this.#choose([null, clock() + 1 + this.#dice(100_000)]);
        const key = entityKey(organizational_unit_id, primary_entity);
        const retiredOf = (all: EntityV1["operations"]) =>
          new Set(all.flatMap((one) => (one.is_retired ? [one.operation] : [])));
        const known = {
          mutedUntil: muted_until === null ? null : Date.parse(muted_until),
          isRetired: is_retired,
          retired: retiredOf(operations),
        };
        const isRetired = this.#dice(2) === 0;
        const named = operations.filter(() => this.#dice(2) === 0).map(({ operation }) => operation);
        const wasAll = operations.length > 0 && known.retired.size === operations.length;
        const marked = new Set(
          operations.flatMap(({ operation, is_retired: was }) =>
            (named.includes(operation) ? isRetired : was) ? [operation] : [],
          ),
        );
        const isAll = operations.length > 0 && marked.size === operations.length;
        const [body, said] = this.#choose([
          [{ muted_until: mutedUntil && new Date(mutedUntil).toISOString() }, { mutedUntil }],
          [{ is_retired: isRetired }, { isRetired, ...(wasAll && !isRetired ? { retired: new Set<string>() } : {}) }],
          [
            { operations: named.map((operation) => ({ operation, is_retired: isRetired })) },
            { retired: marked, isRetired: isAll || (is_retired && !wasAll) },
          ],
        ]);
        const { status } = await plane.ask(`/entities/${id}`, { method: "PATCH", token: owner, body });
        expect(status).toBe(200);
        this.world.attention.set(key, { ...known, ...said });
      }
    },
    pass: async () => {
      plane.step(this.#dice(60_000));
      await mutes.run();
      for (const said of this.world.attention.values()) {
        said.mutedUntil = said.mutedUntil !== null && said.mutedUntil <= clock() ? null : said.mutedUntil;
      }
    },
    watch: async () => {
      const unitId = this.#choose(this.#units);
      const entity = this.#entity();
      const periodSeconds = this.#choose([null, 3600 * (1 + this.#dice(5)), 7200]);
      const body = {
        name: crypto.randomUUID(),
        organizational_unit_id: unitId,
        primary_entity: entity,
        // Nothing is missed meanwhile: a history takes minutes.
        schedule: periodSeconds && { period_seconds: 86_400 * 300 + periodSeconds },
      };
      const { status, body: made } = await plane.ask("/monitors", { method: "POST", token: owner, body });
      expect(status).toBe(201);
      const period = periodSeconds && 86_400 * 300 + periodSeconds;
      this.world.monitors.set(made.id, {
        id: made.id,
        slug: made.slug,
        unitId,
        entity,
        periodSeconds: period,
        pausedUntil: 0,
      });
    },
    change: async () => {
      const all = [...this.world.monitors.values()];
      const some = all.length === 0 ? [] : [this.#choose(all)];
      for (const monitor of some) {
        const path = `/monitors/${monitor.id}`;
        const update = (body: object) => plane.ask(path, { method: "PATCH", token: owner, body });
        const changes = [
          async () => {
            const until = clock() + 1 + this.#dice(90_000);
            await update({ paused_until: new Date(until).toISOString() });
            monitor.pausedUntil = until;
          },
          async () => {
            await update({ paused_until: null });
            monitor.pausedUntil = 0;
          },
          async () => {
            const entity = this.#entity();
            await update({ primary_entity: entity });
            monitor.entity = entity;
          },
          async () => {
            await plane.ask(path, { method: "DELETE", token: owner });
            this.world.monitors.delete(monitor.id);
          },
        ];
        await this.#choose(changes)();
      }
    },
  };

  #moveInModel(from: string, to: string): void {
    const { tasks, monitors, attention } = this.world;
    const keysIn = (unit: string) =>
      new Set(
        [...tasks.values()].flatMap(({ organizational_unit_id, primary_entity: entity }) =>
          organizational_unit_id === unit && entity ? [JSON.stringify([entity.type, entity.id])] : [],
        ),
      );
    const [moved, there] = [keysIn(from), keysIn(to)];
    const said = (unit: string, key: string) => {
      const [type, id] = JSON.parse(key);
      return attention.get(entityKey(unit, { type, id })) ?? noAttention;
    };
    for (const key of moved) {
      const [type, id] = JSON.parse(key);
      const own = said(from, key);
      const others = there.has(key) ? [said(to, key)] : [];
      const all = [own, ...others];
      const inUse = [from, ...(there.has(key) ? [to] : [])].flatMap((unit) => {
        const place = entityKey(unit, { type, id });
        return this.#operationsOf(place).filter((operation) => !said(unit, key).retired.has(operation));
      });
      const until = all.map(({ mutedUntil }) => mutedUntil ?? Number.NEGATIVE_INFINITY);
      attention.delete(entityKey(from, { type, id }));
      attention.set(entityKey(to, { type, id }), {
        mutedUntil: Number.isFinite(Math.min(...until)) ? Math.min(...until) : null,
        isRetired: all.every(({ isRetired }) => isRetired),
        retired: new Set(all.flatMap(({ retired }) => [...retired].filter((name) => !inUse.includes(name)))),
      });
    }
    for (const [id, task] of tasks) {
      tasks.set(id, task.organizational_unit_id === from ? { ...task, organizational_unit_id: to } : task);
    }
    for (const monitor of monitors.values()) monitor.unitId = monitor.unitId === from ? to : monitor.unitId;
  }

  async act(): Promise<string> {
    const often = ["create", "create", "create", "update", "update", "update", "import", "watch", "change"];
    const seldom = ["forget", "move", "attend", "attend", "pass"];
    const name = this.#choose(this.#dice(3) === 0 ? seldom : often);
    await this.#deeds[name]?.();
    // Ends the pauses that are over.
    await expecting.sweep();
    return name;
  }

  /** Lists the entities of the service, by name and id. */
  async listed(): Promise<EntityV1[]> {
    return walk(plane, "/entities?limit=7", { token: owner, unit: this.top });
  }
}

const keyOf = ({
  organizational_unit_id,
  primary_entity,
}: Pick<EntityV1, "organizational_unit_id" | "primary_entity">) => entityKey(organizational_unit_id, primary_entity);
const inOrder = <One extends Pick<EntityV1, "organizational_unit_id" | "primary_entity">>(all: readonly One[]) =>
  all.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));

test("whatever happens to tasks, units and monitors, what is known of each entity is what the contract says", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer(), async (seed) => {
      const history = new History(createDice(seed));
      await history.begin();
      const done: string[] = [];
      for (let step = 0; step < size({ default: 40, long: 150 }); step++) {
        done.push(await history.act());
        const listed = await history.listed();
        const shown = inOrder(listed).map(({ id, _links, ...entity }) => entity);
        expect([done.slice(-3), shown]).toEqual([done.slice(-3), inOrder(expectedEntities(history.world, clock()))]);
        expect(listed).toEqual(listed.toSorted(compareByState));
      }
      const counted = await plane.ask("/entity-counts", { token: owner, unit: history.top });
      const states = Object.groupBy(await history.listed(), ({ state }) => state);
      expect(counted.body._embedded.items).toEqual(
        Object.entries(states).map(([state, entities]) => ({ state, count: entities.length })),
      );
    }),
    { ...runs(4, 100), endOnFailure: true },
  );
}, 600_000);
