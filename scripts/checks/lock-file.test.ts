import { expect, test } from "bun:test";
import { lockFile, lockFileFaults } from "./lock-file";

const integrity = "sha512-abc";

test("a lock file of hashes and of links to our own packages passes", () => {
  const packages = {
    "": {},
    "packages/api": {},
    "node_modules/@holdfast/api": { resolved: "packages/api", link: true },
    "node_modules/bun": { integrity, hasInstallScript: true },
    "node_modules/zod": { integrity },
  };
  expect(lockFileFaults({ packages })).toEqual([]);
});

test("T30: a package that runs a script on installation is refused, unless it is Bun", () => {
  const packages = { "node_modules/sneaky": { integrity, hasInstallScript: true } };
  expect(lockFileFaults({ packages })).toEqual([
    "node_modules/sneaky runs a script when it is installed. Only Bun may: choose another package.",
  ]);
});

test("T30: a package without a hash is refused", () => {
  expect(lockFileFaults({ packages: { "node_modules/zod": {} } })).toEqual([
    "node_modules/zod has no integrity hash. Install it from the registry.",
  ]);
});

test.each(["https://registry.example.org/zod.tgz", "git+ssh://git@example.org/zod.git#1", "../elsewhere"])(
  "T30: a package that is bound to %s is refused",
  (resolved) => {
    expect(lockFileFaults({ packages: { "node_modules/zod": { resolved, integrity } } })).toEqual([
      `node_modules/zod is bound to ${resolved}. Run npm install here, where .npmrc leaves that out.`,
    ]);
  },
);

test("a package whose builds for other platforms are not locked is refused, because npm ci refuses it", () => {
  const optionalDependencies = { "@tool/linux": "1.0.0", "@tool/inner": "1.0.0", "@tool/darwin": "1.0.0" };
  const packages = {
    "node_modules/outer/node_modules/tool": { integrity, optionalDependencies },
    "node_modules/outer/node_modules/@tool/inner": { integrity },
    "node_modules/@tool/linux": { integrity },
  };
  expect(lockFileFaults({ packages })).toEqual([
    "node_modules/outer/node_modules/tool wants @tool/darwin, which is not locked. Choose a version that has it for every platform.",
  ]);
});

test("T30: the lock file of this workspace passes", async () => {
  expect(await lockFile.find()).toEqual([]);
});
