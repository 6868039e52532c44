import { expect, test } from "bun:test";
import { type BillFacts, billOfMaterials } from "./bill-of-materials";

const packages = new Map(
  [
    ["node_modules/bun", "bun", "1.4.4", "MIT"],
    ["node_modules/@scope/inner", "@scope/inner", "2.0.0", "(MIT OR Apache-2.0)"],
    ["node_modules/outer/node_modules/@scope/inner", "@scope/inner", "1.0.0", "MIT"],
    ["node_modules/again/node_modules/@scope/inner", "@scope/inner", "1.0.0", "MIT"],
    ["node_modules/absent", "absent", "3.0.0", "MIT"],
  ].map(([folder = "", name = "", version = "", license = ""]) => [
    folder,
    { name, version, license, integrity: "sha512-AAEC" },
  ]),
);
const facts: BillFacts = {
  version: "1.2.3",
  sources: [
    "packages/cli/src/main.ts",
    "node_modules/@scope/inner/index.js",
    "/somewhere/node_modules/outer/node_modules/@scope/inner/a.js",
    "node_modules/again/node_modules/@scope/inner/b.js",
  ],
  packages,
  runtimeParts: { node: "26.0.0", sqlite: "3.53.4" },
};

test("a bill names each package once by its version, with its licence and its hash, and what the runtime is made of", () => {
  expect(JSON.parse(billOfMaterials(facts))).toMatchObject({
    bomFormat: "CycloneDX",
    metadata: { component: { name: "holdfast", version: "1.2.3" } },
    components: [
      {
        purl: "pkg:npm/%40scope/inner@2.0.0",
        licenses: [{ expression: "(MIT OR Apache-2.0)" }],
        hashes: [{ alg: "SHA-512", content: "000102" }],
      },
      { purl: "pkg:npm/%40scope/inner@1.0.0", licenses: [{ license: { id: "MIT" } }] },
      { purl: "pkg:npm/bun@1.4.4", components: [{ type: "library", name: "sqlite", version: "3.53.4" }] },
    ],
  });
});

test("equal contents have equal bills, and others another number", () => {
  const number = (given: BillFacts) => JSON.parse(billOfMaterials(given)).serialNumber;
  expect(billOfMaterials(facts)).toBe(billOfMaterials({ ...facts, sources: facts.sources.toReversed() }));
  expect(number({ ...facts, version: "1.2.4" })).not.toBe(number(facts));
});

test("a package that the lock file does not know is refused", () => {
  const sources = ["node_modules/stranger/index.js"];
  expect(() => billOfMaterials({ ...facts, sources })).toThrow("node_modules/stranger is in the executable");
});
