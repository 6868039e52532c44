import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { mountSmallDisk, noDisk } from "../../../runner/test/small-disk";
import type { Cluster } from "../../../server/test/postgres-cluster";
import type { BadLine, Weather } from "./bad-line";
import type { RunWorld } from "./service";

/** Something that goes wrong beside a backup, and is over again. */
export interface Trouble {
  name: string;
  strike(): Promise<void> | void;
  relieve(): Promise<void> | void;
  flags?: readonly string[];
}

/** In a default run only the first ones come about. */
const weathers: readonly Weather[] = ["cutting", "silent", "lossy", 503, "refusing", 429, 401, 500, "fair"];

/** Troubles of the path to the service, the service itself, and the disk of the spool. */
export function troublesOf(world: RunWorld, line: BadLine, disk: SpoolDisk | undefined): Trouble[] {
  const onTheLine = weathers.map((weather) => ({
    name: `line ${weather}`,
    strike: () => line.turn(weather),
    relieve: () => line.turn("fair"),
  }));
  const pid = () => world.service().pid;
  const ofTheService: Trouble[] = [
    { name: "service killed", strike: world.away, relieve: world.back },
    {
      name: "service stands still",
      strike: () => void process.kill(pid(), "SIGSTOP"),
      relieve: () => void process.kill(pid(), "SIGCONT"),
    },
  ];
  const ofTheDisk = disk
    ? [{ name: "disk of the spool full", strike: disk.fill, relieve: disk.empty, flags: ["--spool-dir", disk.spool] }]
    : [];
  return [...ofTheService, ...ofTheDisk, ...onTheLine];
}

/** A database that is killed and started again, or stands still. */
export function databaseTroubles(cluster: Cluster): Trouble[] {
  return [
    { name: "database killed", strike: cluster.kill, relieve: cluster.start },
    { name: "database stands still", strike: cluster.pause, relieve: cluster.resume },
  ];
}

/** A spool on a disk that can be filled. */
export interface SpoolDisk {
  spool: string;
  fill(): void;
  empty(): void;
  remove(): void;
}

/** Mounts a disk for a spool; undefined where that is not possible. */
export function makeSpoolDisk(folder: string): SpoolDisk | undefined {
  if (noDisk !== "") return undefined;
  const path = join(folder, "small");
  const mounted = mountSmallDisk(path, 1);
  const filling = join(path, "filling");
  mkdirSync(join(path, "spool"), { mode: 0o700 });
  return {
    spool: join(path, "spool"),
    fill() {
      try {
        writeFileSync(filling, new Uint8Array(2_000_000));
      } catch {
        // It is full now.
      }
    },
    empty: () => rmSync(filling, { force: true }),
    remove: () => mounted[Symbol.dispose](),
  };
}
