import { expect, test } from "bun:test";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeFolder, openPlane } from "../harness";
import { openMetrics, scrape } from "../metrics/scrape";

const obstacle = process.getuid?.() === 0 ? "" : " not run, it needs root, to mount a disk";
if (obstacle !== "") process.stdout.write(`T26${obstacle}\n`);

/** Says in its name that it could not be run, so that nobody takes it for passed. */
const name = `T26${obstacle}: on a disk that fills up, just those changes are done that were acknowledged and told of, /readyz says so, and reading goes on`;
test.skipIf(obstacle !== "")(
  name,
  async () => {
    const home = makeFolder();
    const disk = join(home, "disk");
    mkdirSync(disk);
    run(["mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", disk]);
    try {
      const plane = await openPlane({ ...openMetrics, database_url: `sqlite:${disk}/holdfast.db` });
      const { token } = await plane.serviceToken("owner");
      const acknowledged: string[] = [];
      const statuses: number[] = [];
      const description = "x".repeat(1000);
      for (let index = 0; index < 3000 && statuses.filter((status) => status === 503).length < 10; index++) {
        const body = { name: `role ${index}`, description, permissions: ["tasks:read"] };
        const { status } = await plane.ask("/roles", { token, method: "POST", body });
        statuses.push(status);
        acknowledged.push(...(status === 201 ? [body.name] : []));
      }
      expect([...new Set(statuses)]).toEqual([201, 503]);
      const done = await plane.database.snapshot(async (db) => ({
        roles: await db.selectFrom("roles").select("name").where("is_default", "=", 0).orderBy("seq").execute(),
        events: await db.selectFrom("audit_events").select("document").orderBy("number").execute(),
      }));
      expect(done.roles.map(({ name }) => name)).toEqual(acknowledged);
      expect(done.events.map(({ document }) => JSON.parse(document).after.name)).toEqual(acknowledged);
      const full = {
        errors: [
          {
            error_code: 50301,
            error_message: "The disk of the database is full, so nothing can be changed. Make room on it.",
          },
        ],
      };
      const big = { name: "big", description, permissions: ["tasks:read"] };
      const refused = await plane.ask("/roles", { token, method: "POST", body: big });
      expect([refused.status, refused.body]).toEqual([503, full]);
      const failures = (await scrape(plane)).get('holdfast_write_failures_total{cause="disk_full"}');
      expect(failures).toBe(statuses.filter((status) => status === 503).length + 1);
      const unready = await plane.ask("/readyz");
      expect([unready.status, unready.body]).toEqual([503, full]);
      const read = await plane.ask("/roles?limit=1", { token });
      expect([read.status, read.body.total_count]).toEqual([200, acknowledged.length + 5]);
      run(["mount", "-o", "remount,size=16m", disk]);
      expect((await plane.ask("/roles", { token, method: "POST", body: big })).status).toBe(201);
      const ready = await plane.ask("/readyz");
      expect([ready.status, ready.body]).toEqual([200, { status: "ready" }]);
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
