import { expect, test } from "bun:test";
import { join } from "node:path";

const client = join(import.meta.dir, "..");
const workspace = join(client, "../..");

test("the client compiles with the types of browsers alone, without those of Bun or Node", async () => {
  const child = Bun.spawn(
    [process.execPath, "node_modules/types-check/bin/tsc", "--noEmit", "--singleThreaded", "-p", client],
    {
      cwd: workspace,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    },
  );
  expect([await child.stdout.text(), await child.exited]).toEqual(["", 0]);
}, 120_000);
