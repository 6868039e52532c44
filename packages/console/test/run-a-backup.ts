import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { world } from "./shared-world";

const main = resolve(import.meta.dir, "../../cli/src/main.ts");

/** A host with a restic repository, whose backups are reported. */
export interface BackupHost {
  /**
   * Starts a backup of so many new files through `holdfast run`. What is stored per second is limited, in KiB, and stored
   * in small pieces, so that it takes some seconds and its progress is seen.
   */
  backUp(name: string, count: number, perSecond: number): { exited: Promise<number>; exitCode: number | null };
  remove(): void;
}

/** Makes a host, with a token that can report tasks and nothing else. */
export async function makeBackupHost(): Promise<BackupHost> {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-host-"));
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    RESTIC_PASSWORD: "correct horse",
    RESTIC_REPOSITORY: join(folder, "restic"),
    RESTIC_CACHE_DIR: join(folder, "cache"),
    HOLDFAST_SPOOL: join(folder, "spool"),
    HOLDFAST_URL: world.service.baseUrl,
    HOLDFAST_TOKEN: (await world.beside.serviceToken("reporter")).token,
  };
  await Bun.spawn(["restic", "init"], { env, stdout: "ignore" }).exited;
  return {
    backUp(name, count, perSecond) {
      const files = join(folder, name);
      mkdirSync(files);
      for (let at = 0; at < count; at++) {
        const parts = Array.from({ length: 16 }, () => crypto.getRandomValues(new Uint8Array(50_000)));
        writeFileSync(join(files, String(at)), Buffer.concat(parts));
      }
      const command = ["restic", "--pack-size", "4", "--limit-upload", String(perSecond), "backup", files];
      const flags = ["--entity", `host:${name}`, "--progress", "on", "--abort-grace", "5s", "--quiet"];
      return Bun.spawn([process.execPath, "--config=/dev/null", main, "run", ...flags, "--", ...command], {
        env,
        stdout: "ignore",
      });
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
