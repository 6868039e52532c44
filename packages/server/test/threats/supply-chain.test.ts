import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";

const workspace = resolve(import.meta.dir, "../../../..");
const read = (name: string): unknown => JSON.parse(readFileSync(join(workspace, name), "utf8"));
const lock = z
  .object({
    packages: z.record(
      z.string(),
      z.object({
        version: z.string().optional(),
        resolved: z.string().optional(),
        integrity: z.string().optional(),
        link: z.boolean().optional(),
        hasInstallScript: z.boolean().optional(),
      }),
    ),
  })
  .parse(read("package-lock.json"));
const installed = Object.entries(lock.packages).filter(([path, { link }]) => path.startsWith("node_modules/") && !link);

test("T30: the lock file names no registry, so that everybody's own is used", () => {
  expect(readFileSync(join(workspace, "package-lock.json"), "utf8")).not.toMatch(/"resolved": "(https?|git|ssh)[:+]/);
});

test("T30: every installed package is pinned by its content", () => {
  expect(installed.length).toBeGreaterThan(20);
  expect(installed.filter(([, { integrity }]) => !integrity?.startsWith("sha512-")).map(([path]) => path)).toEqual([]);
});

test("T30: only Bun runs a script when it is installed, and it is the only one allowed to", () => {
  const scripted = installed.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path);
  expect(scripted).toEqual(["node_modules/bun"]);
  expect(read("package.json")).toMatchObject({ allowScripts: { bun: true } });
});

test("T30: every dependency of our own is pinned to one version", () => {
  const manifest = z.object({
    dependencies: z.record(z.string(), z.string()).default({}),
    devDependencies: z.record(z.string(), z.string()).default({}),
  });
  for (const path of [
    "package.json",
    "packages/api/package.json",
    "packages/cli/package.json",
    "packages/server/package.json",
  ]) {
    const { dependencies, devDependencies } = manifest.parse(read(path));
    for (const version of Object.values({ ...dependencies, ...devDependencies }))
      expect(version).toMatch(/^(npm:[a-z-]+@)?\d+\.\d+\.\d+$/);
  }
});

test("T30: a bill of materials can be made from the lock file alone, without a network", async () => {
  const command = ["npm", "sbom", "--sbom-format", "cyclonedx", "--package-lock-only", "--offline"];
  const child = Bun.spawn(command, { cwd: workspace, stdout: "pipe", stderr: "ignore" });
  const bill = z
    .object({
      bomFormat: z.literal("CycloneDX"),
      components: z.array(z.object({ name: z.string(), version: z.string() })),
    })
    .parse(await child.stdout.json());
  expect(await child.exited).toBe(0);
  expect(bill.components.map(({ name }) => name)).toContain("jose");
});
