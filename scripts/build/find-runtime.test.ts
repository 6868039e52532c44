import { expect, test } from "bun:test";
import { requireIntegrity } from "./find-runtime";
import { readLockedPackages, requireLocked } from "./locked-packages";
import { targets } from "./targets";

const bytes = new TextEncoder().encode("a runtime");
const hash = new Bun.CryptoHasher("sha512").update(bytes).digest("base64");
const locked = { name: "@oven/some", version: "1.0.0", license: "MIT", integrity: `sha512-${hash}` };

test("a runtime that is not the one of the lock file is refused", () => {
  expect(() => requireIntegrity(bytes, locked)).not.toThrow();
  expect(() => requireIntegrity(bytes.slice(1), locked)).toThrow("is not what package-lock.json names");
});

test("the lock file has the runtime of every platform, in the version that runs here", async () => {
  const packages = await readLockedPackages();
  const versions = targets.map(({ runtimePackage }) => requireLocked(packages, runtimePackage).version);
  expect(new Set(versions)).toEqual(new Set([Bun.version]));
});
