import { mkdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { errorMessage } from "@holdfast/api/conventions/error-message";
import { makeFolder } from "../harness";

/** A disk of its own, of which the power can be cut. */
export interface LoopDisk {
  /** Where it is mounted. */
  folder: string;
  /**
   * Cuts the power and gives a folder with all that is found on the disk when the power is back. What no program has asked
   * to be written through is in the memory of the kernel only, and not in the file behind the disk: a copy of that file
   * lacks it.
   */
  cut(): string;
  remove(): void;
}

const megabytes = 128;

/** Why no such disk can be made here; nothing where one can. */
export function findObstacle(): string | undefined {
  if (process.getuid?.() !== 0) return "it needs root, to mount a disk";
  try {
    makeDisk().remove();
    return undefined;
  } catch (error) {
    return errorMessage(error);
  }
}

/** Makes an empty disk. */
export function makeDisk(): LoopDisk {
  const home = makeFolder();
  const image = join(home, "image");
  const folder = join(home, "mounted");
  try {
    writeFileSync(image, "");
    truncateSync(image, megabytes * 1_048_576);
    run(["mkfs.ext4", "-q", "-F", image]);
    mount(image, folder);
  } catch (error) {
    rmSync(home, { recursive: true });
    throw error;
  }
  return {
    folder,
    cut() {
      const later = join(home, "later");
      const found = makeFolder();
      run(["cp", "--sparse=always", image, later]);
      mount(later, `${folder}-later`);
      try {
        run(["cp", "-a", `${folder}-later/.`, found]);
      } finally {
        run(["umount", `${folder}-later`]);
      }
      return found;
    },
    remove() {
      run(["umount", folder]);
      rmSync(home, { recursive: true });
    },
  };
}

function mount(image: string, folder: string): void {
  mkdirSync(folder);
  // The kernel itself would write everything through every five seconds; here nothing but the tested program does.
  run(["mount", "-o", "loop,commit=300", image, folder]);
}

function run(command: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(command, { stdout: "ignore", stderr: "pipe" });
  if (exitCode !== 0) throw new Error(`${command[0]} failed: ${stderr.toString().trim()}`);
}
