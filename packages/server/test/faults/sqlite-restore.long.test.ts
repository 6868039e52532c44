import { Database as File } from "bun:sqlite";
import { afterAll, expect } from "bun:test";
import { copyFileSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../harness";
import { startProcess } from "../process";
import { size, variation } from "../runs";

const tasks = size({ default: 1_000, long: 1_000_000 });
const longest = 60_000;
const folder = makeFolder();
afterAll(() => rmSync(folder, { recursive: true }));

variation(
  `R24: a backup of ${tasks} tasks is restored and served within ${longest / 1000} s, and passes the integrity check`,
  async () => {
    const [data, restored, backup] = [join(folder, "data"), join(folder, "restored"), join(folder, "backup.db")];
    const env = { PATH: process.env.PATH, HOLDFAST_DATA_DIR: data };
    const main = join(import.meta.dir, "../../../cli/src/main.ts");
    const holdfast = async (...args: string[]) => {
      const child = Bun.spawn([process.execPath, main, ...args], { env, stdout: "ignore", stderr: "pipe" });
      const [errors, exitCode] = await Promise.all([child.stderr.text(), child.exited]);
      expect({ errors, exitCode }).toEqual({ errors, exitCode: 0 });
    };
    await holdfast("demo", "--tasks", String(tasks));
    const startedAt = performance.now();
    await holdfast("database", "backup", backup);
    const backedUpAt = performance.now();

    mkdirSync(restored, { mode: 0o700 });
    copyFileSync(backup, join(restored, "holdfast.db"));
    copyFileSync(join(data, "secret.key"), join(restored, "secret.key"));
    const server = await startProcess({ folder: restored });
    const restoring = performance.now() - backedUpAt;
    process.stderr.write(
      `${tasks} tasks: backed up in ${Math.round(backedUpAt - startedAt)} ms, restored and ready in ${Math.round(restoring)} ms\n`,
    );
    expect(restoring).toBeLessThan(longest);
    const file = new File(join(restored, "holdfast.db"), { readonly: true });
    expect(file.query("pragma integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
    expect(file.query("select count(*) as count from tasks").all()).toEqual([{ count: tasks }]);
    file.close();
    await server.stop();
  },
  size({ default: 60_000, long: 1_800_000 }),
);
