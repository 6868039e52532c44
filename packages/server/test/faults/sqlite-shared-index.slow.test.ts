import { expect, test } from "bun:test";
import { commandLines } from "../built-programs";
import { openPlane } from "../harness";

/** The times that a command cuts off the index which all processes on a database share in memory. */
async function cutsBy(folder: string): Promise<string[]> {
  const watched = ["strace", "-f", "-y", "-e", "trace=ftruncate"];
  const command = [...watched, process.execPath, commandLines().default, "token", "list", "--data-dir", folder];
  const child = Bun.spawn(command, { stdin: "ignore", stdout: "ignore", stderr: "pipe" });
  const calls = await child.stderr.text();
  expect(await child.exited).toBe(0);
  return calls.split("\n").filter((line) => line.includes("holdfast.db-shm"));
}

// SQLite cuts the index off when it finds no lock of anybody else on it. A process that works with it would crash (SIGBUS).
test("R1: a process that opens the database finds it locked by those that have it open", async () => {
  const plane = await openPlane();
  expect(await cutsBy(plane.folder)).toEqual([]);
  await plane.database.close();
  expect(await cutsBy(plane.folder)).not.toEqual([]);
});
