import { writeSync } from "node:fs";
import { defaultRoles } from "@holdfast/api/conventions/permissions";
import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import { openControlPlane } from "../../src/installation/control-plane";
import { createToken, listTokens, revokeToken } from "../../src/resources/api-tokens/store";
import { insertTasks } from "../../src/resources/tasks/reports/store";
import { readSettings } from "../../src/settings/settings";
import { deleteTasks, updateTask } from "../change-tasks";
import { createDice } from "../random";
import { inStatus } from "../sample-task";
import { livingTask } from "../walk/crowd";
import { syncSeldom } from "./sync-seldom";
import type { WriterLine, WriterStep } from "./writer-steps";

// A process of its own that writes until it is killed or has done enough, and says what it does. It works as it should,
// or it is broken on purpose: `early` acknowledges before it writes, `lazy` before what it wrote is on the disk.
const [folder = "", seed = "", count = "", way = "sound", url = `sqlite:${folder}/holdfast.db`] = process.argv.slice(2);
const maxTasks = 150;
const day = 86_400_000;

if (way === "lazy") syncSeldom();
const settings = readSettings({ flags: { data_dir: folder, database_url: url }, environment: {}, file: null });
const { database, sealer } = await openControlPlane(settings, Date.now());
const roleId = defaultRoles.viewer.id;
const ours = (await database.snapshot(listTokens)).filter(
  ({ name, revoked_at }) => /^\d+-\d+$/.test(name) && revoked_at === null,
);
const tokens = new Map(ours.map(({ name, id }) => [name, id]));
const unfinished = new Set<string>();
const dice = createDice(Number(seed));
const ids = await database.snapshot((db) => db.selectFrom("tasks").select("id").execute());
const all = new Set(ids.map(({ id }) => id));

for (let number = 0; number < Number(count); number += 1) {
  const step = choose(number);
  tell({ doing: step });
  if (way === "early") {
    tell({ done: number });
    await Bun.sleep(3);
  }
  await perform(step);
  if (way !== "early") tell({ done: number });
}
await database.close();

/** At once, not when the process finds time for it: what is not said is not acknowledged. */
function tell(said: WriterLine): void {
  writeSync(1, `${JSON.stringify(said)}\n`);
}

function choose(number: number): WriterStep {
  const [name] = tokens.keys();
  const id = [...unfinished].at(-1);
  const kinds = {
    insert: (): WriterStep => ({
      kind: "insert",
      tasks: Array.from({ length: 1 + dice(4) }, (_, index) => ({
        ...livingTask(number, dice),
        id: `${seed}-${number}-${index}`,
      })),
    }),
    mint: (): WriterStep => ({ kind: "mint", name: `${seed}-${number}` }),
    revoke: (): WriterStep => (name === undefined ? kinds.mint() : { kind: "revoke", name }),
    finish: (): WriterStep =>
      id === undefined
        ? kinds.insert()
        : { kind: "finish", task: { ...livingTask(number, dice), id, ...inStatus("failed") } },
    delete: (): WriterStep => ({ kind: "delete", ids: [...all].slice(0, all.size > maxTasks ? 20 : 1) }),
  };
  const order = ["mint", "insert", "insert", "finish", "revoke", "delete"] as const;
  return kinds[order[number % order.length] ?? "insert"]();
}

async function perform(step: WriterStep): Promise<void> {
  switch (step.kind) {
    case "insert":
      await database.change((db) => insertTasks(db, step.tasks));
      for (const { id } of step.tasks) {
        all.add(id);
        unfinished.add(id);
      }
      break;
    case "finish":
      await database.change((db) => updateTask(db, step.task.id, step.task));
      unfinished.delete(step.task.id);
      break;
    case "delete":
      await database.change((db) => deleteTasks(db, step.ids));
      for (const id of step.ids) {
        all.delete(id);
        unfinished.delete(id);
      }
      break;
    case "mint": {
      const token = {
        name: step.name,
        unitId: rootUnitId,
        holder: { kind: "service", roleId },
        createdBy: null,
        life: day,
      } as const;
      const made = { baseUrl: "http://holdfast.test", now: Date.now(), token };
      const { id } = await database.change((db) => createToken(db, sealer, made));
      tokens.set(step.name, id);
      break;
    }
    case "revoke": {
      const id = tokens.get(step.name) ?? "";
      await database.change((db) => revokeToken(db, id, Date.now()));
      tokens.delete(step.name);
      break;
    }
  }
}
