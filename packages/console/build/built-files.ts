import { spawn } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

const packageFolder = join(import.meta.dirname, "..");
/** Where the built console is. */
export const builtFolder = join(packageFolder, "dist");
/** Is written last, so it is there only beside a whole build, and is as old as that. */
export const stampName = "built";
const stampFile = join(builtFolder, stampName);
/** Where the console is in an executable, which has it beside its code. */
const embeddedFolder = join(import.meta.dirname, "console");

/** Sources of the console. */
const sources = [
  join(packageFolder, "src"),
  join(packageFolder, "build"),
  join(packageFolder, "package.json"),
  join(packageFolder, "../client/src"),
];

/**
 * The folder of the built console. It is built first where it is missing or older than its sources, by a process of its own,
 * so that the memory this takes is given back. Undefined where there are no sources.
 */
export async function findBuiltConsole(say: (line: string) => void): Promise<string | undefined> {
  if (existsSync(join(embeddedFolder, "index.html"))) return embeddedFolder;
  if (!existsSync(join(packageFolder, "src/index.html"))) return undefined;
  if (isCurrent()) return builtFolder;
  const begun = performance.now();
  const failure = await runBuild();
  if (failure !== undefined) {
    say(`The web console could not be built, so it is not served: ${failure}`);
    return undefined;
  }
  say(`Built the web console in ${((performance.now() - begun) / 1000).toFixed(1)} s.`);
  return builtFolder;
}

function isCurrent(): boolean {
  const builtAt = existsSync(stampFile) ? statSync(stampFile).mtimeMs : 0;
  return builtAt > 0 && sources.every((source) => newestIn(source) <= builtAt);
}

/** When something was last changed, added or removed there. */
function newestIn(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return Number.POSITIVE_INFINITY;
  if (!found.isDirectory()) return found.mtimeMs;
  return Math.max(found.mtimeMs, ...readdirSync(path).map((name) => newestIn(join(path, name))));
}

/** Runs the build; gives why it failed. */
function runBuild(): Promise<string | undefined> {
  return new Promise((resolve) => {
    const main = join(packageFolder, "build/main.ts");
    const child = spawn(process.execPath, ["--config=/dev/null", "--no-env-file", main, "--quick"], {
      stdio: ["ignore", "ignore", "pipe"],
      // Not where the service was started: the runtime takes code from that folder, which may be another user's.
      cwd: packageFolder,
    });
    let errors = "";
    child.stderr.on("data", (data: Buffer) => {
      errors += data.toString();
    });
    child.on("error", ({ message }) => resolve(message));
    child.on("close", (code) => resolve(code === 0 ? undefined : errors.trim() || `the build ended with ${code}`));
  });
}
