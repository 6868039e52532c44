import { expect, test } from "bun:test";
import { fileURLToPath } from "node:url";
import { insertTasks } from "../../src/resources/tasks/reports/store";
import { helper } from "../built-programs";
import { openPlane } from "../harness";
import { createDice } from "../random";
import { livingTask } from "./crowd";
import { findFaults, walkNext } from "./walk-while";

test("R9 R10 walks hold while another process inserts, finishes and deletes as fast as it can", async () => {
  const plane = await openPlane();
  const { token } = await plane.serviceToken("viewer");
  const unit = await plane.addUnit("Busy");
  const [seed, count] = [5, 3000];
  const dice = createDice(seed);
  const first = Array.from({ length: count }, (_, index) => livingTask(index, dice, unit));
  await plane.database.change((db) => insertTasks(db, first));
  const beginning = await plane.ask("/tasks?limit=7", { token, unit });
  const script = helper(fileURLToPath(new URL("./write-tasks.ts", import.meta.url)));
  const writer = Bun.spawn([process.execPath, script, plane.databaseUrl, String(seed), unit, String(count)], {
    stdout: "pipe",
  });
  const output = writer.stdout.pipeThrough(new TextDecoderStream()).getReader();
  expect((await output.read()).value).toBe("writing\n");

  const rest = await walkNext(plane, beginning.body._links.next.href, { token, unit }, () => Bun.sleep(1));
  writer.kill("SIGTERM");
  let said = "";
  for (let part = await output.read(); !part.done; part = await output.read()) said += part.value;
  expect(await writer.exited).toBe(0);
  const { acts, steady, arrived } = JSON.parse(said);

  expect(acts).toBeGreaterThan(100);
  const crowd = {
    steady: () => steady,
    arrived: new Set<string>(arrived),
    touched: new Set<string>(),
    act: async () => {},
  };
  expect(findFaults([beginning, ...rest], crowd, steady)).toEqual({
    duplicates: [],
    missed: [],
    late: [],
    misplaced: [],
    totals: [count],
  });
  // Writes that the other process was told of are here at once.
  expect((await plane.ask("/tasks?limit=1", { token, unit })).body.total_count).toBe(
    await plane.database.snapshot(async (db) => {
      const rows = await db.selectFrom("tasks").select("id").where("organizational_unit_id", "=", unit).execute();
      return rows.length;
    }),
  );
  await plane.close();
}, 120_000);
