import { expect, test } from "bun:test";
import { demoCommand } from "./demo";

const run = (...args: string[]) =>
  demoCommand()
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .parseAsync(args, { from: "user" });

test.each([
  ["--users", "0", "a whole number from 1 to 100000"],
  ["--users", "100001", "a whole number from 1 to 100000"],
  ["--tasks", "20000001", "a whole number from 0 to 20000000"],
  ["--tasks", "1e3", "a whole number from 0 to 20000000"],
  ["--tasks", "-1", "a whole number from 0 to 20000000"],
  ["--seed", "1.5", "a whole number from 0 to 9007199254740991"],
  ["--until", "yesterday", "such as 2026-11-01T00:00:00Z"],
  ["--until", "1969-12-31T00:00:00Z", "from the year 2000 on"],
])("%s %s is refused, saying what to write", async (flag, value, advice) => {
  await expect(run(flag, value)).rejects.toThrow(advice);
});
