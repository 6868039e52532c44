import { expect } from "bun:test";
import { closeSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { variation } from "../../../packages/server/test/runs";
import { buildRelease, executableName } from "../build-release";
import { targets } from "../targets";
import type { BuiltExecutable } from "./built-executable";

const enough = 600_000;

const beginnings: Record<string, RegExp> = {
  "linux-x64": /^7f454c46020101.{18}02003e00/,
  "linux-arm64": /^7f454c46020101.{18}0200b700/,
  "darwin-x64": /^cffaedfe07000001/,
  "darwin-arm64": /^cffaedfe0c000001/,
};

/** The first bytes of an executable: what kind it is, and for which processor. */
function beginningOf(path: string): string {
  const file = openSync(path, "r");
  const bytes = Buffer.alloc(20);
  readSync(file, bytes);
  closeSync(file);
  return bytes.toString("hex");
}

/** Tests of what is built for a release, for which the default run has no time. */
export function releases(built: () => BuiltExecutable): void {
  variation(
    "two builds are equal, byte by byte, and every platform's is for its system and processor",
    async () => {
      const folder = built().makeFolder();
      await buildRelease({ folder, targets, tell: () => {} });
      for (const name of ["holdfast", "holdfast.cdx.json"]) {
        expect(
          Buffer.from(await Bun.file(join(folder, name)).bytes()).equals(
            await Bun.file(join(built().folder, name)).bytes(),
          ),
        ).toBe(true);
      }
      for (const target of targets) {
        expect(beginningOf(join(folder, executableName(target)))).toMatch(beginnings[target.name] ?? /^$/);
      }
    },
    enough,
  );
}
