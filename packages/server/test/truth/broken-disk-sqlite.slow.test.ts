import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { readDocument } from "../../src/resources/tasks/record";
import { startLeaseSweep } from "../../src/workers/sweep-leases";
import { type Answered, makeFolder, openPlane } from "../harness";
import { type ServerProcess, startProcess } from "../process";
import { until } from "../until";

const obstacle = process.getuid?.() === 0 ? "" : " not run, it needs root, to trace a process and to mount a disk";
if (obstacle !== "") process.stdout.write(`R4${obstacle}\n`);

const unusable = {
  errors: [{ error_code: 50301, error_message: "The database is not available now. Try again in a moment." }],
};

/** A service with a token that reports. */
async function serve(folder = makeFolder()) {
  const server = await startProcess({ folder });
  const beside = await server.openBeside();
  const { token } = await beside.serviceToken("reporter");
  await beside.database.close();
  return { server, report: reportTo(server.port, token) };
}

type Report = (method: string, path: string, body: object) => Promise<Answered>;

function reportTo(port: number, token: string): Report {
  return async (method, path, body) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
  };
}

/** Lets every attempt of a process to write something through to the disk fail from now on. */
async function breakDisk({ pid }: ServerProcess): Promise<Bun.Subprocess> {
  const inject = ["-e", "trace=fsync,fdatasync", "-e", "inject=fsync,fdatasync:error=EIO"];
  const tracer = Bun.spawn(["strace", "-f", "-qq", "-o", "/dev/null", ...inject, "-p", String(pid)], {
    stdio: ["ignore", "ignore", "ignore"],
  });
  await until("the process is traced", () => !/TracerPid:\s0/.test(readFileSync(`/proc/${pid}/status`, "utf8")));
  return tracer;
}

const create = (report: Report, id: string) =>
  report("POST", "/tasks", { id, category: "backup", type: "restic_backup", sequence: 1 });

/** Answer to a runner, and the time of its request. */
interface Heard {
  id: string;
  sequence: number;
  status: number;
  retry: string | null;
  body: unknown;
  askedAt: number;
  heardAt: number;
}

/** Reports on a task until nothing answers any more, and notes what it hears. */
async function reportUntilGone(report: Report, heard: Heard[]): Promise<void> {
  const id = crypto.randomUUID();
  const note = async (sequence: number, send: () => Promise<Answered>) => {
    const askedAt = performance.now();
    const { status, headers, body } = await send();
    heard.push({ id, sequence, status, retry: headers.get("retry-after"), body, askedAt, heardAt: performance.now() });
  };
  try {
    await note(1, () => create(report, id));
    for (let sequence = 2; ; sequence += 1) {
      await note(sequence, () =>
        report("PATCH", `/tasks/${id}`, { sequence, status: "in_progress", progress_message: `did ${sequence}` }),
      );
    }
  } catch {
    // Nobody is there any more.
  }
}

test.skipIf(obstacle !== "")(
  `R4${obstacle}: when the disk fails under reports, none is acknowledged after that, the service ends, and none that was acknowledged is lost`,
  async () => {
    const { server, report } = await serve();
    const heard: Heard[] = [];
    const reporting = Array.from({ length: 8 }, () => reportUntilGone(report, heard));
    await until("enough is acknowledged", () => heard.length > 50);
    const tracer = await breakDisk(server);
    expect(await server.ended()).toBe(1);
    await tracer.exited;
    await Promise.all(reporting);
    const refused = heard.filter(({ status }) => status >= 300);
    const acknowledged = heard.filter(({ status }) => status < 300);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.map(({ status, retry, body }) => ({ status, retry, body }))).toEqual(
      refused.map(() => ({ status: 503, retry: "1", body: unusable })),
    );
    const broke = Math.min(...refused.map(({ heardAt }) => heardAt));
    expect(acknowledged.filter(({ askedAt }) => askedAt > broke)).toEqual([]);

    const again = await startProcess({ folder: server.folder });
    const plane = await again.openBeside();
    const rows = await plane.database.snapshot((db) =>
      db
        .selectFrom("tasks")
        .innerJoin("task_leases", "task_leases.task_id", "tasks.id")
        .select(["id", "document", "sequence"])
        .execute(),
    );
    const found = new Map(rows.map((row) => [row.id, row]));
    const lost = acknowledged.filter(({ id, sequence }) => (found.get(id)?.sequence ?? 0) < sequence);
    expect(lost).toEqual([]);
    const messages = rows.map(({ document }) => readDocument(document).progress_message ?? "did 1");
    expect(messages).toEqual(rows.map(({ sequence }) => `did ${sequence}`));
    await again.stop();
    await plane.close();
  },
  120_000,
);

test.skipIf(obstacle !== "")(
  `R4${obstacle}: when the disk fails under heartbeats alone, which are written down together, the service ends as well`,
  async () => {
    const { server, report } = await serve();
    const id = crypto.randomUUID();
    expect((await create(report, id)).status).toBe(201);
    const tracer = await breakDisk(server);
    const heartbeat = () => report("PATCH", `/tasks/${id}`, {});
    const statuses = new Set<number>();
    const beating = (async () => {
      for (;;) statuses.add((await heartbeat()).status);
    })().catch(() => {});
    expect(await server.ended()).toBe(1);
    await tracer.exited;
    await beating;
    expect(statuses.has(200)).toBe(true);
    expect(server.printed()).toContain("The database cannot be trusted any more, so the service ends.");
    rmSync(server.folder, { recursive: true });
  },
  120_000,
);

test.skipIf(obstacle !== "")(
  `R4${obstacle}: on a full disk reports are answered with 503 until there is room, none that was acknowledged is lost, and no task is, either`,
  async () => {
    const home = makeFolder();
    const disk = join(home, "disk");
    mkdirSync(disk);
    run(["mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", disk]);
    try {
      const plane = await openPlane({ database_url: `sqlite:${disk}/holdfast.db` });
      const { token } = await plane.serviceToken("reporter");
      const { token: viewer } = await plane.serviceToken("viewer");
      let monotonic = 0;
      const sweeper = startLeaseSweep({ ...plane.service, monotonic: () => monotonic });
      const pass = async (seconds: number) => {
        for (let second = 0; second < seconds; second += 1) {
          monotonic += 1_000;
          plane.clock.now += 1_000;
          await sweeper.sweep();
        }
      };
      const report = (method: string, path: string, body: object) => plane.ask(path, { method, token, body });
      const living = crypto.randomUUID();
      const about = { category: "backup", type: "restic_backup", lease_seconds: 30 };
      expect((await report("POST", "/tasks", { id: living, ...about })).status).toBe(201);
      const error = { code: "odd", message: "x".repeat(4_000) };
      const acknowledged: string[] = [living];
      const refused: Answered[] = [];
      for (let index = 0; index < 3_000 && refused.length < 10; index += 1) {
        const id = crypto.randomUUID();
        const answer = await report("POST", "/tasks", { id, ...about, status: "failed", error });
        const isAccepted = answer.status === 201;
        acknowledged.push(...(isAccepted ? [id] : []));
        refused.push(...(isAccepted ? [] : [answer]));
      }
      expect(refused.map(({ status, headers }) => [status, headers.get("retry-after")])).toEqual(
        refused.map(() => [503, "1"]),
      );
      expect(refused[0]?.body.errors[0].error_message).toStartWith("The disk of the database is full");
      const there = await plane.database.snapshot((db) => db.selectFrom("tasks").select("id").execute());
      expect(there.map(({ id }) => id).sort()).toEqual(acknowledged.sort());
      // Its runner lives, whether that can be written down or not.
      for (let beat = 0; beat < 12; beat += 1) {
        expect((await report("PATCH", `/tasks/${living}`, {})).status).toBe(200);
        await pass(5);
      }
      const read = () => plane.ask(`/tasks/${living}`, { token: viewer });
      expect((await read()).body.status).toBe("in_progress");
      run(["mount", "-o", "remount,size=16m", disk]);
      const update = { sequence: 1, progress_percentage: 50 };
      expect((await report("PATCH", `/tasks/${living}`, update)).status).toBe(200);
      await pass(70);
      const { status, outcome, progress_percentage } = (await read()).body;
      expect([status, outcome, progress_percentage]).toEqual(["failed", "lost", 50]);
      await sweeper.stop();
      await plane.close();
    } finally {
      run(["umount", disk]);
      rmSync(home, { recursive: true });
    }
  },
  120_000,
);

function run(command: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(command, { stdout: "ignore", stderr: "pipe" });
  if (exitCode !== 0) throw new Error(`${command[0]} failed: ${stderr.toString().trim()}`);
}
