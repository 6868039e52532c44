import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { engines } from "../packages/runner/src/engines";
import { recogniseCommand } from "../packages/runner/src/engines/recognise";

const commands: Readonly<Record<string, string>> = {
  restic: "restic backup /srv",
  borg: "borg create /r::a /srv",
  rclone: "rclone sync /srv b:x",
  postgres: "pg_basebackup -D /b",
  rsync: "rsync -a /srv /b",
};

/** Engines that write other bytes to a terminal with our flags than without them. */
function withOtherOutput(): string[] {
  return Object.values(engines)
    .filter(({ additions }) => additions !== undefined)
    .filter((engine) => {
      const argv = (commands[engine.name] ?? "").split(" ");
      const { invocation } = recogniseCommand({ argv, environment: {}, host: "h1", folder: "/" });
      const addition = engine.additions?.(invocation, { version: [99, 0, 0], stdinIsTerminal: false });
      expect(addition?.flags).not.toEqual([]);
      return addition?.isExact === false;
    })
    .map(({ name }) => name);
}

test.each(["../README.md", "how-to/run-a-backup.md"])(
  "%s names each engine whose output differs on a terminal",
  (page) => {
    const text = readFileSync(join(import.meta.dir, page), "utf8").replaceAll("\n", " ");
    const names = [...text.matchAll(/Only (\w+) on a terminal says the same \[in other words\]/g)].map(
      ([, name]) => name ?? "",
    );
    expect(names).toEqual(withOtherOutput());
  },
);
