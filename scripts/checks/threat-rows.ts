import type { Check } from "./check";
import { codeOf, readSourceFiles } from "./source-files";

/** The attacks (T) and promises (R) that a test has to name, so that each is known to be proven somewhere. */
const threatRows = [
  ...["T1", "T2", "T3", "T4", "T5", "T6", "T7", "T8", "T9", "T10", "T11", "T12", "T13", "T14", "T15", "T16", "T17"],
  ...["T18", "T19", "T20", "T22", "T24", "T25", "T26", "T28", "T29", "T30", "T31", "T32", "T36", "T37", "T38", "T39"],
  "T40",
  ...[
    "R1",
    "R2",
    "R3",
    "R5",
    "R6",
    "R8",
    "R9",
    "R10",
    "R12",
    "R13",
    "R14",
    "R16",
    "R17",
    "R18",
    "R23",
    "R24",
    "R25",
    "R30",
  ],
];

/** Every threat that this version has to withstand is named by a test. */
export const threats: Check = {
  name: "every threat has a test",
  async find() {
    const files = await readSourceFiles("{packages,scripts,docs,bench}/**/*.test.ts");
    const missing = unnamedRows(files.filter(({ path }) => path !== "scripts/checks/threat-rows.test.ts").map(codeOf));
    return missing.length === 0 ? [] : [`No test names ${missing.join(", ")}. Write it into the name of the proof.`];
  },
};

/** The rows that occur nowhere in the code of the tests. */
export function unnamedRows(tests: readonly string[]): string[] {
  return threatRows.filter((row) => !tests.some((code) => new RegExp(`\\b${row}\\b`).test(code)));
}
