import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { helper } from "../built-programs";
import { deleteTasks } from "../change-tasks";
import { makeFolder, openPlane, type Plane, sampleTask } from "../harness";
import { seedAll } from "../samples/samples";
import { type EndedCommand, runCommand } from "./run-command";

/** A data directory with a made-up company in an SQLite database, and the secret that belongs to it. */
export interface Company {
  folder: string;
  url: string;
  /** Opens a service on this database, or on another one that everything was moved to. */
  open(url?: string): Promise<Plane>;
  remove(): void;
}

const oddText = "Tab\tline\nreturn\rslash \\N \\. \\\\ \"double\" 'single' null é e\u0301 İ 😀 \u2028";

/** Makes up a company in which there is also what is easily lost on the way. */
export async function makeCompany({ tasks }: { tasks: number }): Promise<Company> {
  const folder = makeFolder();
  const url = `sqlite:${join(folder, "holdfast.db")}`;
  const flags = ["--users", "60", "--tasks", String(tasks), "--until", "2026-11-15T00:00:00Z"];
  const made = await runCommand(["demo", ...flags, "--data-dir", folder, "--database-url", url]);
  if (made.exitCode !== 0) throw new Error(made.errors);
  const open = (other = url) => openPlane({ database_url: other }, folder);
  const plane = await open();
  // The one who invites has the higher id, and so is read after the one who was invited.
  const inviterId = await plane.addUser({ id: "ffffffff-ffff-4fff-8fff-ffffffffffff", name: oddText });
  await plane.addUser({ id: "00000000-0000-4000-8000-000000000001", inviterId, roles: [{ role: "viewer" }] });
  await plane.addUnit(oddText, await plane.addUnit("Above"));
  const { token: owner } = await plane.serviceToken("owner");
  await seedAll({ ...plane, owner }, await plane.addUnit("Several"), await plane.addUnit("One"));
  await reportTasks(plane);
  await pingMonitor(plane);
  const odd = { id: oddText, type: "host", value: oddText };
  const added = await plane.addTasks([
    {
      ...sampleTask(900_001),
      primary_entity: odd,
      error: { code: "odd", message: oddText.repeat(2_000), remedy: oddText },
    },
    { ...sampleTask(900_002), primary_entity: null, start_timestamp: null, end_timestamp: null },
    sampleTask(900_003),
  ]);
  // The newest number is used up although no row has it any more.
  await plane.database.change((db) =>
    deleteTasks(
      db,
      added.slice(-1).map(({ id }) => id),
    ),
  );
  await plane.serviceToken("viewer");
  await plane.database.close();
  return { folder, url, open, remove: () => rmSync(folder, { recursive: true }) };
}

/** The leases and logs of tasks that wait, run and have ended are moved with them. */
async function reportTasks(plane: Plane): Promise<void> {
  const { token } = await plane.serviceToken("reporter");
  for (const status of ["queued", "in_progress", "completed"]) {
    const log = { offset: 0, text: oddText.repeat(3_000) };
    const body = { category: "backup", type: "restic_backup", status, sequence: Number.MAX_SAFE_INTEGER, log };
    const { status: answered } = await plane.ask("/tasks", { method: "POST", token, body });
    if (answered !== 201) throw new Error(`A task that is ${status} was answered with ${answered}.`);
  }
}

/** A monitor with a run that goes on; what the next ping is compared with is moved, too. */
async function pingMonitor(plane: Plane): Promise<void> {
  const { token } = await plane.serviceToken("owner");
  const asked = { method: "POST", token, body: { name: "Files" } };
  const { body } = await plane.ask("/monitors", asked);
  await plane.ask(`${new URL(body.ping_url).pathname}/start`, { method: "POST", body: oddText });
}

/** Runs the command that moves a database. */
export function runMove(from: string, to: string, ...flags: string[]): Promise<EndedCommand> {
  return runCommand(["database", "move", "--from", from, "--to", to, ...flags]);
}

/** Starts a move in a process that kills itself after so many steps and milliseconds. Gives its exit code. */
export async function moveAndDie(from: string, to: string, steps: number, delay: number): Promise<number> {
  const script = helper(fileURLToPath(new URL("./move-and-die.ts", import.meta.url)));
  const child = Bun.spawn([process.execPath, script, from, to, String(steps), String(delay)], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  return child.exited;
}
