import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dir, "how-to");
const started = readdirSync(folder)
  .filter((name) => name.endsWith(".md"))
  .flatMap((name) => readFileSync(join(folder, name), "utf8").match(/^.*\.bin\/bun .*$/gm) ?? []);

test("wherever a page starts the runtime itself, that takes no code and no variables from the folder", () => {
  expect(started.length).toBeGreaterThan(3);
  expect(started.filter((line) => !line.includes(".bin/bun --config=/dev/null --no-env-file /"))).toEqual([]);
});
