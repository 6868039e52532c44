import { expect, test } from "bun:test";
import { strayBunCalls } from "./runtime";

const complaint = (path: string) =>
  `${path} uses Bun. Use what every runtime has, or move the call into a file made for it.`;
const path = "packages/server/src/lists/page.ts";

test.each([
  ["a call", "await Bun.sleep(10);"],
  ["a call by a computed name", 'Bun["sleep"](10);'],
  ["an import of Bun", 'import { sleep } from "bun";'],
  ["an import of one of its modules", 'import { Database } from "bun:sqlite";'],
  ["an import of a type alone", 'import type { Server } from "bun";'],
  ["an import at run time", 'await import("bun:ffi");'],
])("%s is found", (_, text) => {
  expect(strayBunCalls([{ path, text }])).toEqual([complaint(path)]);
});

test.each([
  ["a comment", "/** Like Bun.serve, but slower. */\nexport const slow = 1; // see Bun.sleep"],
  ["another name that ends like it", "const myBun = { sleep() {} };\nmyBun.sleep();"],
  ["a property of something else", "runtimes.Bun.start();"],
])("%s is no use of Bun", (_, text) => {
  expect(strayBunCalls([{ path, text }])).toEqual([]);
});

test.each([
  "packages/server/src/database/sqlite/open.ts",
  "packages/server/src/http/listen.ts",
  "packages/cli/src/main.ts",
  "packages/server/src/lists/page.test.ts",
])("%s may use it", (allowed) => {
  expect(strayBunCalls([{ path: allowed, text: "Bun.gc(true);" }])).toEqual([]);
});
