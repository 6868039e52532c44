import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DCLinter } from "dclint";
import { validate } from "dockerfile-utils";
import { settingNames } from "../../packages/server/src/settings/declarations";
import { workspace } from "./locked-packages";

const folder = join(workspace, "packaging/container");
const dockerfile = readFileSync(join(folder, "Dockerfile"), "utf8");
const compose = readFileSync(join(folder, "compose.yaml"), "utf8");

/** Messages of the linter on a compose file. */
function lintCompose(text: string): string[] {
  const file = join(mkdtempSync(join(tmpdir(), "holdfast-compose-")), "compose.yaml");
  writeFileSync(file, text);
  const linter = new DCLinter({ rules: {}, quiet: false, debug: false, exclude: [] });
  const found = linter.lintFiles([file], false).flatMap(({ messages }) => messages.map(({ message }) => message));
  rmSync(dirname(file), { recursive: true });
  return found;
}

test("the linter finds nothing in the Dockerfile, and would find a mistake", () => {
  expect(validate(dockerfile)).toEqual([]);
  expect(validate(dockerfile.replace("HEALTHCHECK", "HEALTH"))).not.toEqual([]);
});

test("the linter finds nothing in the compose file, and would find a mistake", () => {
  expect(lintCompose(compose)).toEqual([]);
  expect(lintCompose(compose.replace("depends_on", "depends"))).toEqual([expect.stringContaining("services/holdfast")]);
});

test("what both files set are settings of this version", () => {
  const named = [...`${dockerfile}${compose}`.matchAll(/HOLDFAST_([A-Z_]+)=/g)].map(([, name = ""]) =>
    name.toLowerCase(),
  );
  expect(named).toContain("secret_key_file");
  expect(named.filter((name) => !settingNames.some((known) => known === name))).toEqual([]);
});

test("the image does not run as root, and asks the executable whether it is well", () => {
  expect(dockerfile).toMatch(/^USER holdfast$/m);
  expect(dockerfile).toMatch(/^HEALTHCHECK .* CMD \["holdfast", "health"\]$/m);
});
