import { expect, test } from "bun:test";
import { rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { sampleTask } from "../harness";
import { startProcess } from "../process";

test("T28: a database that breaks under a running service is answered with 503, and the service ends", async () => {
  const server = await startProcess();
  const beside = await server.openBeside();
  await beside.addTasks(Array.from({ length: 2000 }, (_, index) => sampleTask(index)));
  const { token } = await beside.serviceToken("viewer");
  await beside.database.close();
  expect((await server.ask("/", { token })).status).toBe(200);
  truncateSync(join(server.folder, "holdfast.db"), 100_000);
  truncateSync(join(server.folder, "holdfast.db-wal"), 0);
  const { status, headers, body } = await server.ask("/tasks?limit=1000", { token });
  expect({ status, body, retry: headers.get("retry-after") }).toEqual({
    status: 503,
    body: {
      errors: [{ error_code: 50301, error_message: "The database is not available now. Try again in a moment." }],
    },
    retry: "1",
  });
  expect(await server.ended()).toBe(1);
  expect(server.printed()).toContain("The database cannot be trusted any more, so the service ends.");
  rmSync(server.folder, { recursive: true });
}, 120_000);
