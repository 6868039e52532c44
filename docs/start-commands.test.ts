import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dir, "how-to");
const started = readdirSync(folder)
  .filter((name) => name.endsWith(".md"))
  .flatMap((name) => readFileSync(join(folder, name), "utf8").match(/^.*(\.bin\/|src\/main).*$/gm) ?? []);

test("no page starts the runtime itself, which takes code from the folder that it starts in", () => {
  expect(started.length).toBeGreaterThan(3);
  expect(started.filter((line) => !line.includes(".bin/holdfast "))).toEqual([]);
});
