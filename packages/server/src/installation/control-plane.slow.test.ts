import { expect, test } from "bun:test";
import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeFolder, openPlane } from "../../test/harness";

test("processes that start at once on an empty folder make one installation together", async () => {
  const folder = join(makeFolder(), "data");
  const source = fileURLToPath(new URL("./control-plane.ts", import.meta.url));
  const settings = fileURLToPath(new URL("../settings/settings.ts", import.meta.url));
  const script = `import { openControlPlane } from ${JSON.stringify(source)};
    import { readSettings } from ${JSON.stringify(settings)};
    const flags = { data_dir: ${JSON.stringify(folder)} };
    const { database } = await openControlPlane(readSettings({ flags, environment: {}, file: null }), 1);
    await database.close();`;
  const processes = Array.from({ length: 4 }, () =>
    Bun.spawn([process.execPath, "-e", script], { stdout: "ignore", stderr: "pipe" }),
  );
  const said = await Promise.all(
    processes.map(async ({ stderr, exited }) => [await exited, await new Response(stderr).text()]),
  );
  expect(said).toEqual(said.map(() => [0, ""]));
  expect(["", "holdfast.db", "secret.key"].map((name) => statSync(join(folder, name)).mode & 0o077)).toEqual([0, 0, 0]);
  const plane = await openPlane({}, folder);
  const counts = await plane.database.snapshot(async (db) => [
    (await db.selectFrom("installation").select("id").execute()).length,
    (await db.selectFrom("signing_keys").select("kid").execute()).length,
    (await db.selectFrom("roles").select("id").execute()).length,
    (await db.selectFrom("organizational_units").select("id").execute()).length,
  ]);
  expect(counts).toEqual([1, 1, 5, 1]);
  await plane.close();
  rmSync(join(folder, ".."), { recursive: true });
}, 120_000);
