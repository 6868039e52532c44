import { expect, test } from "bun:test";
import { crookedArrows } from "./arrows";

const modules = Array.from({ length: 20 }, (_, index) => ({ source: `packages/api/src/file-${index}.ts` }));

test("a workspace whose imports keep to the rules passes", () => {
  expect(crookedArrows({ modules, summary: { violations: [] } })).toEqual([]);
});

test("an import against a rule is told with the rule", () => {
  const violation = {
    rule: { name: "server-above-api" },
    from: "packages/server/src/a.ts",
    to: "packages/cli/src/b.ts",
  };
  expect(crookedArrows({ modules, summary: { violations: [violation] } })).toEqual([
    "server-above-api: packages/server/src/a.ts must not import packages/cli/src/b.ts.",
  ]);
});

test("a cruise that has read next to nothing fails although nothing is wrong with what it read", () => {
  const others = Array.from({ length: 50 }, (_, index) => ({ source: `node_modules/zod/${index}.js` }));
  expect(crookedArrows({ modules: [...others, ...modules.slice(1)], summary: { violations: [] } })).toEqual([
    "dependency-cruiser has read 19 modules of packages/. Pin a TypeScript that it knows.",
  ]);
});

test("a floor on which there is no file fails, because its rule would hold nothing", () => {
  const floors = [
    { name: "floor-1-settings", from: { path: "^packages/server/src/settings/" } },
    { name: "floor-0-api", from: { path: "^packages/api/" } },
  ];
  expect(crookedArrows({ modules, summary: { violations: [] } }, floors)).toEqual([
    "floor-1-settings: no file is on this floor. Name a folder that exists in .dependency-cruiser.json.",
  ]);
});
