import { expect, test } from "bun:test";
import { instruction, missingPackages } from "./test-needs";

test("a package is missing where its program is, and the command that installs it is told", () => {
  const missing = missingPackages(
    "bash=sh coreutils=concatenate|cat loom-tools=loom-that-nobody-has weaver-that-nobody-has",
  );
  expect(missing).toEqual(["loom-tools", "weaver-that-nobody-has"]);
  expect(instruction(missing)).toBe(
    "The tests need programs. On Debian or Ubuntu run: sudo apt-get install --no-install-recommends loom-tools weaver-that-nobody-has",
  );
});
