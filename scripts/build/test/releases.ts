import { expect } from "bun:test";
import { closeSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { variation } from "../../../packages/server/test/runs";
import { buildRelease } from "../build-release";
import { targets } from "../targets";
import type { BuiltExecutable } from "./built-executable";

const enough = 600_000;

/** The first bytes of an executable: what kind it is, and for which processor. */
function beginningOf(path: string): string {
  const file = openSync(path, "r");
  const bytes = Buffer.alloc(20);
  readSync(file, bytes);
  closeSync(file);
  return bytes.toString("hex");
}

/** Tests of what is built for a release, for which the usual run has no time. */
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
      expect(beginningOf(join(folder, "holdfast-linux-arm64"))).toMatch(/^7f454c46020101.{18}0200b700/);
      expect(beginningOf(join(folder, "holdfast-darwin-x64"))).toStartWith("cffaedfe07000001");
      expect(beginningOf(join(folder, "holdfast-darwin-arm64"))).toStartWith("cffaedfe0c000001");
    },
    enough,
  );
}
