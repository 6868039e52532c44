import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const withTimers = ["schedule-backups.md", "when-nothing-arrives.md", "back-up-holdfast.md"];
const folder = mkdtempSync(join(tmpdir(), "holdfast-units-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The unit files of a page, in their order. */
function units(page: string): string[] {
  const text = readFileSync(join(import.meta.dir, "how-to", page), "utf8");
  return [...text.matchAll(/^```ini\n([\s\S]*?)^```/gm)].map(([, block = ""]) => block);
}

/** Runs systemd's verification on units that belong together. */
function verify(files: Record<string, string>): string {
  const paths = Object.entries(files).map(([name, text]) => {
    const path = join(folder, name);
    // Programs of the page need not be on this machine; everything else is checked as it stands.
    writeFileSync(path, text.replaceAll(/^(ExecStart=)\S+/gm, "$1/bin/true"));
    return path;
  });
  const { exitCode, stderr } = Bun.spawnSync(["systemd-analyze", "verify", "--man=no", ...paths]);
  const own = stderr
    .toString()
    .split("\n")
    .filter((line) => paths.some((path) => line.startsWith(path)));
  return [exitCode, ...own].join("\n");
}

test("systemd finds a mistake in a unit", () => {
  expect(verify({ "wrong.service": "[Service]\nExecStart=/bin/true\nKillMode=polite\n" })).toContain(
    "wrong.service:3:",
  );
});

test.each(withTimers)("systemd takes the service and the timer of %s", (page) => {
  const [service = "", timer = ""] = units(page);
  expect([service, timer]).toEqual([expect.stringContaining("ExecStart="), expect.stringContaining("OnCalendar=")]);
  expect(verify({ "backup.service": service, "backup.timer": timer })).toBe("0");
});

test("systemd takes the service of run-as-a-service.md, also with the lines for several processes", () => {
  const [service = "", ...others] = units("run-as-a-service.md");
  expect(others).toEqual([]);
  expect(verify({ "holdfast.service": service })).toBe("0");
  const [supervised = "", instances = ""] = units("run-several-processes.md");
  for (const lines of [supervised, instances]) {
    const changed = service.replace(/^ExecStart=.*\n/m, lines);
    expect(changed).not.toBe(service);
    expect(verify({ "holdfast@.service": changed })).toBe("0");
  }
});

test("every unit of a page is checked here", () => {
  const withUnits = readdirSync(join(import.meta.dir, "how-to")).filter(
    (name) => name.endsWith(".md") && units(name).length > 0,
  );
  expect(withUnits.sort()).toEqual([...withTimers, "run-as-a-service.md", "run-several-processes.md"].sort());
});

test.each(withTimers)("systemd knows when the timer of %s is due", (page) => {
  const [, due = ""] = /^OnCalendar=(.*)$/m.exec(units(page)[1] ?? "") ?? [];
  const { exitCode, stdout } = Bun.spawnSync(["systemd-analyze", "calendar", due]);
  expect([exitCode, stdout.toString()]).toEqual([0, expect.stringContaining("Next elapse: ")]);
});
