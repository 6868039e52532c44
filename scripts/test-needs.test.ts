import { expect, test } from "bun:test";
import { instruction, missingNeeds, type Need } from "./test-needs";

const present: Need = {
  program: "bun",
  use: "being there",
  debianPackage: "bun",
  proof: [process.execPath, "--version"],
};
const absent: Need = {
  program: "loom",
  use: "weaving",
  debianPackage: "loom-tools",
  proof: ["loom-that-nobody-has", "--version"],
};
const broken: Need = { program: "a liar", use: "failing", debianPackage: "coreutils", proof: ["false"] };

test("a program is missing where its proof fails or cannot be started", async () => {
  expect(await missingNeeds([present, absent, broken])).toEqual([absent, broken]);
});

test("what is missing is told with its use and the command that installs it", () => {
  expect(instruction([absent, broken])).toBe(
    "The tests need loom (weaving), a liar (failing). On Debian or Ubuntu run: sudo apt-get install --no-install-recommends loom-tools coreutils",
  );
});
